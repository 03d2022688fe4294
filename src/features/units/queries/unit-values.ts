// What a unit's settings were given and its states report, with who wrote it and whether the equipment has it.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared, type BindParameter } from '../../../database/prepared-query.ts';
import type { UnitKey } from '../../../permissions/coverage.ts';
import { visibleNamesOfGroup } from '../catalogue/type-catalogue.ts';
import type { GroupName } from '../catalogue/value-definition.ts';

/** A value that was written once. */
export type SettingWriteRow = {
  readonly value: string | null;
  readonly version: number;
  readonly changed_at: number;
  readonly editor_id: number | null;
  readonly editor_name: string | null;
  readonly sync_id: number | null;
  /** Null where the record is not kept any more. */
  readonly sync_state: string | null;
};
export type StoredSettingRow = SettingWriteRow & { readonly name: string };
export type ReportedStateRow = { readonly name: string; readonly value: string | null; readonly reported_at: number };

/** The settings of a group that a unit was given, whatever its type. */
export function listGroupSettings(db: Db, at: UnitKey, group: GroupName): Promise<StoredSettingRow[]> {
  return runPrepared(db, `settings of ${group}`, { ...at }, (bind) =>
    selectSettingWrites(db, 'unit_settings', bind).where('s.name', 'in', sqlLiteralList(visibleNamesOfGroup(group))),
  );
}

/** One setting, as it was given. */
export async function findStoredSetting(db: Db, at: UnitKey, name: string): Promise<StoredSettingRow | undefined> {
  const [row] = await runPrepared(db, 'setting', { ...at, name }, (bind) =>
    selectSettingWrites(db, 'unit_settings', bind).where('s.name', '=', bind<string>('name')),
  );
  return row;
}

/** The states of a group that a unit reported, whatever its type. */
export function listGroupStates(db: Db, at: UnitKey, group: GroupName): Promise<ReportedStateRow[]> {
  return runPrepared(db, `states of ${group}`, { ...at }, (bind) =>
    db
      .selectFrom('unit_states')
      .select(['name', 'value', 'reported_at'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('unit_id', '=', bind<number>('unitId'))
      .where('name', 'in', sqlLiteralList(visibleNamesOfGroup(group))),
  );
}

type HistorySlice = { readonly offset: number; readonly limit: number };

/** All that a setting was ever given, newest first. */
export function listSettingHistory(
  db: Db,
  at: UnitKey,
  name: string,
  { offset, limit }: HistorySlice,
): Promise<SettingWriteRow[]> {
  return runPrepared(db, 'history of a setting', { ...at, name, offset, limit }, (bind) =>
    selectSettingWrites(db, 'unit_setting_history', bind)
      .where('s.name', '=', bind<string>('name'))
      .orderBy('s.version', 'desc')
      .limit(bind<number>('limit'))
      .offset(bind<number>('offset')),
  );
}

/** What the values of a unit come to: turns with every write and every report. */
export type UnitValuesDigest = {
  readonly settingCount: number;
  readonly version: number | null;
  readonly stateCount: number;
  readonly reported_at: number | null;
  readonly reported_at_sum: number | null;
};

export async function readUnitValuesDigest(db: Db, at: UnitKey): Promise<UnitValuesDigest | undefined> {
  const [digest] = await runPrepared(db, 'digest of a unit', { ...at }, (bind) =>
    db
      .selectFrom(
        whereUnit(db.selectFrom('unit_settings'), bind)
          .select(({ fn }) => [fn.countAll<number>().as('settingCount'), fn.max('version').as('version')])
          .as('s'),
      )
      .innerJoin(
        whereUnit(db.selectFrom('unit_states'), bind)
          .select(({ fn }) => [fn.countAll<number>().as('stateCount'), fn.max('reported_at').as('reported_at')])
          .select(sql<number | null>`sum(reported_at)`.as('reported_at_sum'))
          .as('r'),
        (join) => join.onTrue(),
      )
      .selectAll(),
  );
  return digest;
}

const whereUnit = <Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q, slot: BindParameter): Q =>
  query
    .where('bank_id', '=', slot<number>('bankId'))
    .where('location_id', '=', slot<number>('locationId'))
    .where('unit_id', '=', slot<number>('unitId'));

const selectSettingWrites = (db: Db, table: 'unit_settings' | 'unit_setting_history', slot: BindParameter) =>
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

const sqlLiteralList = (names: readonly string[]) => sql<string>`(${sql.join(names.map((name) => sql.lit(name)))})`;
