// Reports new states of demo units while the service runs: counters increase, and programs of machines continue.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../database/db.ts';
import type { Tables } from '../../database/tables.ts';
import { onlineThreshold } from '../places/last-contacts.ts';
import { listMachines, nextMachineStates } from './machine-states.ts';
import type { Random } from '../random.ts';
import { hourMs } from '../../lib/durations.ts';

/** The growth per hour, both ends included, and the number of decimals. */
type CounterGrowth = { readonly low: number; readonly high: number; readonly decimals: number };

const counterGrowth: Readonly<Record<string, CounterGrowth>> = {
  EnergyReading: { low: 0.1, high: 0.9, decimals: 3 },
  VolumeReading: { low: 0.004, high: 0.05, decimals: 3 },
  AccessCount: { low: 1, high: 12, decimals: 0 },
  TripCount: { low: 4, high: 60, decimals: 0 },
  Uptime: { low: 1, high: 1, decimals: 0 },
};

const maxCountersPerRun = 12;

type UnitStateRow = Tables['unit_states'];

/** Updates some counters and machine states of online units, those with the oldest reports first. */
export async function writeReportedStates(db: WriteDb, now: number, random: Random): Promise<void> {
  const [counts, machines] = await Promise.all([listStalestCounters(db, now), listMachines(db, now)]);
  const reportedRows = [
    ...counts.flatMap((state) => advanceCounter(state, now, random) ?? []),
    ...machines.flatMap((machine) => nextMachineStates(machine, now, random)),
  ];
  if (reportedRows.length > 0) await db.replaceInto('unit_states').values(reportedRows).execute();
}

function listStalestCounters(db: Db, now: number): Promise<UnitStateRow[]> {
  return db
    .selectFrom('unit_states as s')
    .innerJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 's.bank_id')
        .onRef('u.location_id', '=', 's.location_id')
        .onRef('u.unit_id', '=', 's.unit_id'),
    )
    .innerJoin('banks as b', 'b.bank_id', 's.bank_id')
    .selectAll('s')
    .where('s.name', 'in', Object.keys(counterGrowth))
    .where('s.reported_at', '<', now)
    .where('s.value', 'is not', null)
    .where('u.deleted_at', 'is', null)
    .where('u.last_contact_at', '>', onlineThreshold(now))
    .orderBy('s.reported_at')
    .orderBy(sql`s.bank_id, s.location_id, s.unit_id, s.name`)
    .limit(maxCountersPerRun)
    .execute();
}

/** The new row; undefined if the value is not a number. */
function advanceCounter(state: UnitStateRow, now: number, random: Random): UnitStateRow | undefined {
  const growth = counterGrowth[state.name];
  const before = Number(state.value);
  if (growth === undefined || !Number.isFinite(before)) return undefined;
  const { low, high, decimals } = growth;
  const scale = 10 ** decimals;
  const hours = (now - state.reported_at) / hourMs;
  // Rounded up or down at random; otherwise a counter that is reported often would never increase.
  const more = Math.floor((low + random.next() * (high - low)) * hours * scale + random.next());
  return { ...state, value: ((Math.round(before * scale) + more) / scale).toFixed(decimals), reported_at: now };
}
