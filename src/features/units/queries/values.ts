// What a unit's settings were given and its states report, with who wrote it and whether the equipment has it.

import { sql } from 'kysely';
import type { Db } from '../../../database/dialect.ts';
import { runPrepared, type At } from '../../../database/prepared.ts';
import type { UnitAt } from '../../places/sight.ts';
import { namesOf } from '../catalogue/catalogue.ts';
import type { GroupName } from '../catalogue/definition.ts';

/** A value that was written once. */
export type WrittenRow = {
  readonly value: string | null;
  readonly version: number;
  readonly changed_at: number;
  readonly editor_id: number | null;
  readonly editor_name: string | null;
  readonly sync_id: number | null;
  /** Null where the record is not kept any more. */
  readonly sync_state: string | null;
};
export type GivenRow = WrittenRow & { readonly name: string };
export type ReportedRow = { readonly name: string; readonly value: string | null; readonly reported_at: number };

/** The settings of a group that a unit was given, whatever its type. */
export function listGroupSettings(db: Db, at: UnitAt, group: GroupName): Promise<GivenRow[]> {
  return runPrepared(db, `settings of ${group}`, { ...at }, (slot) =>
    written(db, 'unit_settings', slot).where('s.name', 'in', literals(namesOf(group))),
  );
}

/** One setting, as it was given. */
export async function findSetting(db: Db, at: UnitAt, name: string): Promise<GivenRow | undefined> {
  const [row] = await runPrepared(db, 'setting', { ...at, name }, (slot) =>
    written(db, 'unit_settings', slot).where('s.name', '=', slot<string>('name')),
  );
  return row;
}

/** The states of a group that a unit reported, whatever its type. */
export function listGroupStates(db: Db, at: UnitAt, group: GroupName): Promise<ReportedRow[]> {
  return runPrepared(db, `states of ${group}`, { ...at }, (slot) =>
    db
      .selectFrom('unit_states')
      .select(['name', 'value', 'reported_at'])
      .where('bank_id', '=', slot<number>('bankId'))
      .where('location_id', '=', slot<number>('locationId'))
      .where('unit_id', '=', slot<number>('unitId'))
      .where('name', 'in', literals(namesOf(group))),
  );
}

type Stretch = { readonly offset: number; readonly limit: number };

/** All that a setting was ever given, newest first. */
export function listHistory(db: Db, at: UnitAt, name: string, { offset, limit }: Stretch): Promise<WrittenRow[]> {
  return runPrepared(db, 'history of a setting', { ...at, name, offset, limit }, (slot) =>
    written(db, 'unit_setting_history', slot)
      .where('s.name', '=', slot<string>('name'))
      .orderBy('s.version', 'desc')
      .limit(slot<number>('limit'))
      .offset(slot<number>('offset')),
  );
}

/** What the values of a unit come to: turns with every write and every report. */
export type Digest = {
  readonly written: number;
  readonly version: number | null;
  readonly reported: number;
  readonly reported_at: number | null;
  readonly reported_sum: number | null;
};

export async function digestValues(db: Db, at: UnitAt): Promise<Digest | undefined> {
  const [digest] = await runPrepared(db, 'digest of a unit', { ...at }, (slot) =>
    db
      .selectFrom(
        ofUnit(db.selectFrom('unit_settings'), slot)
          .select(({ fn }) => [fn.countAll<number>().as('written'), fn.max('version').as('version')])
          .as('s'),
      )
      .innerJoin(
        ofUnit(db.selectFrom('unit_states'), slot)
          .select(({ fn }) => [fn.countAll<number>().as('reported'), fn.max('reported_at').as('reported_at')])
          .select(sql<number | null>`sum(reported_at)`.as('reported_sum'))
          .as('r'),
        (join) => join.onTrue(),
      )
      .selectAll(),
  );
  return digest;
}

const ofUnit = <Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q, slot: At): Q =>
  query
    .where('bank_id', '=', slot<number>('bankId'))
    .where('location_id', '=', slot<number>('locationId'))
    .where('unit_id', '=', slot<number>('unitId'));

const written = (db: Db, table: 'unit_settings' | 'unit_setting_history', slot: At) =>
  db
    .selectFrom(`${table} as s`)
    .leftJoin('managers as m', 'm.manager_id', 's.editor_id')
    .leftJoin('device_sync as d', (join) =>
      join.onRef('d.bank_id', '=', 's.bank_id').onRef('d.sync_id', '=', 's.sync_id'),
    )
    .select(['s.name', 's.value', 's.version', 's.changed_at', 's.editor_id', 's.sync_id'])
    .select(['m.name as editor_name', 'd.state as sync_state'])
    .where('s.bank_id', '=', slot<number>('bankId'))
    .where('s.location_id', '=', slot<number>('locationId'))
    .where('s.unit_id', '=', slot<number>('unitId'));

const literals = (names: readonly string[]) => sql<string>`(${sql.join(names.map((name) => sql.lit(name)))})`;
