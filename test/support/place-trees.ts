// Creates trees of places both in a running service and in memory, and computes what each overview must show.

import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import type { Int64 } from '../../src/lib/values/int64.ts';

export type UnitModel = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly packed: Int64 | null;
  readonly enabled: boolean;
  readonly deleted: boolean;
  readonly lastContactAt: number | null;
  readonly settings: Readonly<Record<string, string | null>>;
};

export type LocationModel = {
  readonly id: number;
  readonly name: string;
  readonly icon: string | null;
  readonly address: string;
  readonly zip: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly timeZone: string;
  readonly enabled: boolean;
  readonly deleted: boolean;
  readonly units: readonly UnitModel[];
};

export type BankTreeModel = {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly icon: string | null;
  readonly enabled: boolean;
  readonly deleted: boolean;
  readonly locations: readonly LocationModel[];
};

export const createUnitModel = (id: number, change: Partial<UnitModel> = {}): UnitModel => ({
  id,
  name: `{washer} ${id}`,
  type: 1,
  packed: null,
  enabled: true,
  deleted: false,
  lastContactAt: null,
  settings: {},
  ...change,
});

export const createLocationModel = (
  id: number,
  units: readonly UnitModel[] = [],
  change: Partial<LocationModel> = {},
): LocationModel => ({
  id,
  name: `Location ${id}`,
  icon: null,
  address: `Lane ${id}`,
  zip: String(1000 + id),
  latitude: null,
  longitude: null,
  timeZone: 'Europe/Copenhagen',
  enabled: true,
  deleted: false,
  units,
  ...change,
});

export const createBankTreeModel = (
  id: number,
  locations: readonly LocationModel[] = [],
  change: Partial<BankTreeModel> = {},
): BankTreeModel => ({
  id,
  name: `Bank ${id}`,
  type: 1,
  icon: null,
  enabled: true,
  deleted: false,
  locations,
  ...change,
});

const booleanColumn = (set: boolean): number => (set ? 1 : 0);
const deletedAt = (deleted: boolean): number | null => (deleted ? 1 : null);

const bankRow = (each: BankTreeModel): Tables['banks'] => ({
  ...noAddress,
  bank_id: each.id,
  name: each.name,
  bank_type: each.type,
  icon: each.icon,
  currency: 'DKK',
  vat_basis_points: null,
  discount_basis_points: null,
  enabled: booleanColumn(each.enabled),
  deleted_at: deletedAt(each.deleted),
  residents_version: 0,
  places_version: 1,
});

const locationRow = (bankId: number, each: LocationModel): Tables['locations'] => ({
  ...noAddress,
  bank_id: bankId,
  location_id: each.id,
  name: each.name,
  icon: each.icon,
  address: each.address,
  zip: each.zip,
  latitude: each.latitude,
  longitude: each.longitude,
  time_zone: each.timeZone,
  enabled: booleanColumn(each.enabled),
  deleted_at: deletedAt(each.deleted),
});

const unitRow = (bankId: number, locationId: number, each: UnitModel): Tables['units'] => ({
  ...noAddress,
  bank_id: bankId,
  location_id: locationId,
  unit_id: each.id,
  name: each.name,
  unit_type: each.type,
  packed_type: each.packed,
  enabled: booleanColumn(each.enabled),
  deleted_at: deletedAt(each.deleted),
  last_contact_at: each.lastContactAt,
  computer_name: null,
  cluster: null,
  version: 1,
});

function settingRows(bankId: number, locationId: number, { id, settings }: UnitModel): Tables['unit_settings'][] {
  const common = { bank_id: bankId, location_id: locationId, unit_id: id, version: 1, changed_at: 1 };
  return Object.entries(settings).map(([name, value]) => ({ ...common, name, value, editor_id: null, sync_id: null }));
}

/** Replaces all places by these. */
export async function replacePlaces(db: WriteDb, banks: readonly BankTreeModel[]): Promise<void> {
  for (const table of ['unit_settings', 'units', 'locations', 'banks'] as const) await db.deleteFrom(table).execute();
  for (const { id: bankId, locations, ...rest } of banks) {
    await insertRows(db, 'banks', [bankRow({ id: bankId, locations, ...rest })]);
    const rows = locations.map((each) => locationRow(bankId, each));
    await insertRows(db, 'locations', rows);
    for (const { id, units } of locations) {
      await insertRows(
        db,
        'units',
        units.map((each) => unitRow(bankId, id, each)),
      );
      const settings = units.flatMap((each) => settingRows(bankId, id, each));
      await insertRows(db, 'unit_settings', settings);
    }
  }
}
