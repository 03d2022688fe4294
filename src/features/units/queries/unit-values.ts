// Reads the stored settings and the reported states of units, with who wrote a setting and whether it is synced.

import { sql, type InferResult } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { findPrepared, runPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedUnit, GrantedLocation } from '../../../permissions/coverage.ts';
import { visibleNamesOfGroup } from '../catalogue/type-catalogue.ts';
import type { UnitGroupName } from '../catalogue/value-definition.ts';
import type { StoredUnitValueRow } from '../rules/visible-values.ts';

/** One write of a setting. */
export type SettingWriteRow = Omit<StoredSettingRow, 'name'>;
/** `sync_state` is null if the sync record was deleted. */
export type StoredSettingRow = InferResult<ReturnType<typeof selectSettingWrites>>[number];
export type ReportedStateRow = { readonly name: string; readonly value: string | null; readonly reported_at: number };

/** The stored settings of a group, whatever the unit's type. */
export const listGroupSettings = (db: Db, unit: GrantedUnit, group: UnitGroupName): Promise<StoredSettingRow[]> =>
  runPrepared(db, `settings of ${group}`, unit, (bind) =>
    selectSettingWrites(db, 'unit_settings', bind).where('s.name', 'in', sqlLiteralList(visibleNamesOfGroup(group))),
  );

export const findStoredSetting = (db: Db, unit: GrantedUnit, name: string): Promise<StoredSettingRow | undefined> =>
  findPrepared(db, 'setting', { ...unit, name }, (bind) =>
    selectSettingWrites(db, 'unit_settings', bind).where('s.name', '=', bind<string>('name')),
  );

/** The reported states of a group, whatever the unit's type. */
export const listGroupStates = (db: Db, unit: GrantedUnit, group: UnitGroupName): Promise<ReportedStateRow[]> =>
  runPrepared(db, `states of ${group}`, unit, (bind) =>
    whereUnit(db.selectFrom('unit_states'), bind)
      .select(['name', 'value', 'reported_at'])
      .where('name', 'in', sqlLiteralList(visibleNamesOfGroup(group))),
  );

/** The version of the last write of a page. */
export type HistoryPosition = readonly [version: number];

type HistorySlice = PageSlice<HistoryPosition> & { readonly name: string };

/** The writes of a setting, newest first. */
export function listSettingHistory(db: Db, unit: GrantedUnit, slice: HistorySlice): Promise<SettingWriteRow[]> {
  const { name, offset, limit, after: [before = Number.MAX_SAFE_INTEGER] = [] } = slice;
  return runPrepared(db, 'history of a setting', { ...unit, name, offset, limit, before }, (bind) =>
    selectSettingWrites(db, 'unit_setting_history', bind)
      .where('s.name', '=', bind<string>('name'))
      .where('s.version', '<', bind<number>('before'))
      .orderBy('s.version', 'desc')
      .limit(bind<number>('limit'))
      .offset(bind<number>('offset')),
  );
}

/** A digest of a unit's values: it changes with every write and every report. */
export type UnitValuesDigest = Awaited<ReturnType<typeof readUnitValuesDigest>>;

export async function readUnitValuesDigest(db: Db, unit: GrantedUnit) {
  const [digest] = await runPrepared(db, 'digest of a unit', unit, (bind) =>
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
  // An aggregate returns one row, even without input rows.
  return digest!;
}

const whereUnit = <Q extends { where(column: string, op: '=', value: unknown): Q }>(query: Q, bind: BindParameter): Q =>
  query
    .where('bank_id', '=', bind<number>('bankId'))
    .where('location_id', '=', bind<number>('locationId'))
    .where('unit_id', '=', bind<number>('unitId'));

const selectSettingWrites = (db: Db, table: 'unit_settings' | 'unit_setting_history', bind: BindParameter) =>
  db
    .selectFrom(`${table} as s`)
    .leftJoin('managers as m', 'm.manager_id', 's.editor_id')
    .leftJoin('device_sync as d', onEqual('d', 's', 'bank_id', 'sync_id'))
    .select(['s.name', 's.value', 's.version', 's.changed_at', 's.editor_id', 's.sync_id'])
    .select(['m.name as editor_name', 'd.state as sync_state'])
    .where('s.bank_id', '=', bind<number>('bankId'))
    .where('s.location_id', '=', bind<number>('locationId'))
    .where('s.unit_id', '=', bind<number>('unitId'));

const sqlLiteralList = (names: readonly string[]) => sql<string>`(${sql.join(names.map((name) => sql.lit(name)))})`;

/** Settings of these names, of units that are not deleted. */
export const listStoredSettings = (
  db: Db,
  { bankId, locationId }: GrantedLocation,
  names: readonly string[],
): Promise<StoredUnitValueRow[]> =>
  db
    .selectFrom('unit_settings as s')
    .innerJoin('units as u', onEqual('u', 's', 'bank_id', 'location_id', 'unit_id'))
    .select(['s.unit_id', 's.name', 's.value', 'u.unit_type', 'u.packed_type'])
    .where('s.bank_id', '=', bankId)
    .where('s.location_id', '=', locationId)
    .where('s.name', 'in', names)
    .where('u.deleted_at', 'is', null)
    .orderBy('s.unit_id')
    .execute();
