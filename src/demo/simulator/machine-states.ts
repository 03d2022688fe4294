// Computes the program states of demo machines while the service runs: programs count down, end and start.

import { sql } from 'kysely';
import type { Db } from '../../database/db.ts';
import type { Tables } from '../../database/tables.ts';
import { typeCodeOf, unitTypeOf } from '../../features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../features/units/catalogue/type-catalogue.ts';
import { onlineThreshold } from '../places/last-contacts.ts';
import type { Random } from '../random.ts';
import { demoStateValue } from '../units/state-values.ts';
import { minuteMs } from '../../lib/durations.ts';

type UnitStateRow = Tables['unit_states'];

export type MachineRow = Pick<UnitStateRow, 'bank_id' | 'location_id' | 'unit_id' | 'reported_at'> &
  Pick<Tables['units'], 'unit_type' | 'packed_type'> & {
    readonly running: string | null;
    readonly minutes_left: string | null;
    readonly cycles: string | null;
    readonly error: string | null;
    readonly out_of_order: string | null;
  };

const maxMachinesPerRun = 3;
const startProbability = 0.25;

/** Online machines without a report about their program for at least a minute, the oldest reports first. */
export function listMachines(db: Db, now: number): Promise<MachineRow[]> {
  const other = (name: string) =>
    sql<string | null>`(select o.value from unit_states o where o.bank_id = s.bank_id and o.location_id = s.location_id
      and o.unit_id = s.unit_id and o.name = ${name})`;
  const outOfOrder = sql<string | null>`(select o.value from unit_settings o where o.bank_id = s.bank_id
    and o.location_id = s.location_id and o.unit_id = s.unit_id and o.name = 'OutOfOrder')`;
  return db
    .selectFrom('unit_states as s')
    .innerJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 's.bank_id')
        .onRef('u.location_id', '=', 's.location_id')
        .onRef('u.unit_id', '=', 's.unit_id'),
    )
    .innerJoin('banks as b', 'b.bank_id', 's.bank_id')
    .select(['s.bank_id', 's.location_id', 's.unit_id', 's.reported_at', 'u.unit_type', 'u.packed_type'])
    .select([
      's.value as running',
      other('RemainingTime').as('minutes_left'),
      other('CycleCount').as('cycles'),
      other('ErrorId').as('error'),
      outOfOrder.as('out_of_order'),
    ])
    .where('s.name', '=', 'ProgramRunning')
    .where('s.reported_at', '<=', now - minuteMs)
    .where('u.enabled', '=', 1)
    .where('u.deleted_at', 'is', null)
    .where('u.last_contact_at', '>', onlineThreshold(now))
    .orderBy('s.reported_at')
    .orderBy(sql`s.bank_id, s.location_id, s.unit_id`)
    .limit(maxMachinesPerRun)
    .execute();
}

/** The states that a machine reports now. */
export function nextMachineStates(machine: MachineRow, now: number, random: Random): UnitStateRow[] {
  const { bank_id, location_id, unit_id, running, minutes_left, cycles, error, out_of_order } = machine;
  const unitKey = { bank_id, location_id, unit_id };
  const state = (name: string, value: string | null): UnitStateRow => ({ ...unitKey, name, value, reported_at: now });
  const left = Number(minutes_left) - Math.round((now - machine.reported_at) / minuteMs);
  if (running === 'true' && left > 0) return [state('ProgramRunning', running), state('RemainingTime', String(left))];
  const works = (error ?? '0') === '0' && out_of_order !== 'true';
  const starts = running !== 'true' && works && random.chance(startProbability);
  if (running !== 'true' && !starts) return [state('ProgramRunning', 'false')];
  const changedStates = programStates(machine, starts, random).map(([name, value]) => state(name, value));
  return starts || cycles === null
    ? changedStates
    : [...changedStates, state('CycleCount', String(Number(cycles) + 1))];
}

/** All states that depend on whether a program runs. */
function programStates(
  machine: MachineRow,
  isRunning: boolean,
  random: Random,
): [name: string, value: string | null][] {
  const code = typeCodeOf(machine);
  const type = code === undefined ? undefined : unitTypeOf(code);
  if (type === undefined) return [];
  const unit = { locationId: machine.location_id, unitId: machine.unit_id, type };
  const { visibleByGroup } = typeCatalogueOf(code);
  return (['Program', 'Measurements'] as const)
    .flatMap((group) => visibleByGroup.get(group) ?? [])
    .map((definition) => [
      definition.name,
      demoStateValue(definition, unit, { errorId: 0, isRunning, random }) ?? null,
    ]);
}
