// How a test asks for a unit's settings, what it puts there beforehand, and all that a write could have changed.

import type { WriteDb } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { unitTypeCode, type UnitType } from '../../src/features/places/rules/unit-types.ts';
import type { CallOptions, HttpReply } from './call.ts';
import type { TestService } from './service.ts';
import { readTableRows, type TableRows } from './table-rows.ts';

export type UnitIds = { readonly bankId: number; readonly locationId: number; readonly unitId: number };

export const unitIds = (bankId = 1001, locationId = 1, unitId = 1): UnitIds => ({ bankId, locationId, unitId });

export const unitKid = ({ bankId, locationId, unitId }: UnitIds): string => `sund-B${bankId}-L${locationId}-U${unitId}`;

export const unitPath = (unit: UnitIds | string, rest = ''): string =>
  `/api/v1/units/${typeof unit === 'string' ? unit : unitKid(unit)}${rest}`;

export const settingPath = (unit: UnitIds | string, name: string, rest = ''): string =>
  unitPath(unit, `/settings/${encodeURIComponent(name)}${rest}`);

type SetSettingOptions = CallOptions & { readonly expectedRevision?: string };

export const callSetUnitSetting = (
  { call }: Pick<TestService, 'call'>,
  unit: UnitIds | string,
  name: string,
  value: unknown,
  { expectedRevision = '0', ...options }: SetSettingOptions,
): Promise<HttpReply> => call('PUT', settingPath(unit, name), { body: { value, expectedRevision }, ...options });

// oxlint-disable-next-line no-explicit-any -- tests look into answers of every shape
type Json = any;

export const fetchUnitGroup = async (
  { call }: Pick<TestService, 'call'>,
  unit: UnitIds,
  group: string,
  options: CallOptions,
): Promise<Json[]> => {
  const { json, status, text } = await call('GET', unitPath(unit, `/groups/${group}`), options);
  if (status !== 200) throw new Error(text);
  return json.values;
};

/** One row of a group. */
export const fetchUnitValue = async (
  service: Pick<TestService, 'call'>,
  unit: UnitIds,
  group: string,
  name: string,
  options: CallOptions,
): Promise<Json> => (await fetchUnitGroup(service, unit, group, options)).find((row) => row.name === name);

const unitKeyColumns = ({ bankId, locationId, unitId }: UnitIds) => ({
  bank_id: bankId,
  location_id: locationId,
  unit_id: unitId,
});

/** Changes the type of a unit. */
export const setUnitType = (db: WriteDb, unit: UnitIds, type: UnitType) =>
  updateUnit(db, unit, { unit_type: unitTypeCode(type) });

export async function updateUnit(db: WriteDb, unit: UnitIds, change: Partial<Tables['units']>): Promise<void> {
  await db
    .updateTable('units')
    .set(change)
    .where('bank_id', '=', unit.bankId)
    .where('location_id', '=', unit.locationId)
    .where('unit_id', '=', unit.unitId)
    .execute();
}

type StoredSetting = Partial<Tables['unit_settings']> & { readonly name: string; readonly value: string | null };

/** Stores a value and its row of history as they stand, without any check. */
export async function insertSetting(db: WriteDb, unit: UnitIds, given: StoredSetting): Promise<void> {
  const row = { ...unitKeyColumns(unit), version: 1, changed_at: 0, editor_id: null, sync_id: null, ...given };
  await db
    .deleteFrom('unit_settings')
    .where('bank_id', '=', row.bank_id)
    .where('location_id', '=', row.location_id)
    .where('unit_id', '=', row.unit_id)
    .where('name', '=', row.name)
    .execute();
  await db.insertInto('unit_settings').values(row).execute();
  await db.insertInto('unit_setting_history').values(row).execute();
}

/** Replaces all values of a unit, unchecked and without history. */
export async function replaceSettings(
  db: WriteDb,
  unit: UnitIds,
  values: Iterable<readonly [name: string, value: string | null]>,
): Promise<void> {
  const common = { ...unitKeyColumns(unit), version: 1, changed_at: 0, editor_id: null, sync_id: null };
  await db
    .deleteFrom('unit_settings')
    .where('bank_id', '=', unit.bankId)
    .where('location_id', '=', unit.locationId)
    .where('unit_id', '=', unit.unitId)
    .execute();
  const rows = [...values].map(([name, value]) => ({ ...common, name, value }));
  if (rows.length > 0) await db.insertInto('unit_settings').values(rows).execute();
}

/** Stores what a unit reported. */
export async function insertState(
  db: WriteDb,
  unit: UnitIds,
  name: string,
  value: string | null,
  reportedAt: number,
): Promise<void> {
  await db
    .insertInto('unit_states')
    .values({ ...unitKeyColumns(unit), name, value, reported_at: reportedAt })
    .execute();
}

const unitTables = [
  'units',
  'unit_settings',
  'unit_setting_history',
  'unit_states',
  'device_sync',
  'device_sync_heads',
] as const;

/** Every row of a bank that a write of settings could change. */
export const readUnitRows = ({ read }: Pick<TestService, 'read'>, bankId = 1001): Promise<TableRows> =>
  read('sund', (db) => readTableRows(db, unitTables, bankId));

export type SettingTrace = {
  readonly settings: readonly Tables['unit_settings'][];
  readonly history: readonly Tables['unit_setting_history'][];
  readonly syncs: readonly Tables['device_sync'][];
};

/** What is stored of a unit's settings, oldest first. */
export const readSettingTrace = ({ read }: Pick<TestService, 'read'>, unit: UnitIds): Promise<SettingTrace> =>
  read('sund', async (db) => {
    const of = (table: 'unit_settings' | 'unit_setting_history') =>
      db
        .selectFrom(table as 'unit_settings')
        .selectAll()
        .where('bank_id', '=', unit.bankId)
        .where('location_id', '=', unit.locationId)
        .where('unit_id', '=', unit.unitId)
        .orderBy('version')
        .orderBy('name')
        .execute();
    const syncs = db
      .selectFrom('device_sync')
      .selectAll()
      .where('bank_id', '=', unit.bankId)
      .where('location_id', '=', unit.locationId)
      .where('unit_id', '=', unit.unitId)
      .orderBy('sync_id');
    return {
      settings: await of('unit_settings'),
      history: await of('unit_setting_history'),
      syncs: await syncs.execute(),
    };
  });
