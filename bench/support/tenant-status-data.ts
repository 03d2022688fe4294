// Inserts twenty banks of a thousand units each before the service starts: a few units are offline, a few out of order.

import { openDatabases } from '../../src/database/databases.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';

const banks = 20;
const locationsOfBank = 50;
const unitsOfLocation = 20;
export const unitCount = banks * locationsOfBank * unitsOfLocation;

const hourMs = 3_600_000;

/** `directory` is that of the SQLite files. */
export async function insertStatusUnits(directory: string): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  const now = toMs2000(Date.now());
  const bankIds = Array.from({ length: banks }, (_, at) => 3001 + at);
  const places = bankIds.flatMap((bank_id) =>
    Array.from({ length: locationsOfBank }, (_, at) => ({ bank_id, location_id: at + 1 })),
  );
  const units = places.flatMap((place) =>
    Array.from({ length: unitsOfLocation }, (_, at) => ({ ...place, unit_id: at + 1 })),
  );
  try {
    await databases.forTenant('sund').write({ deadlineMs: 60_000 }, async (db) => {
      await insertRows(db, 'banks', bankIds.map(bankRow));
      await insertRows(db, 'locations', places.map(locationRow));
      await insertRows(
        db,
        'units',
        units.map((unit, at) => ({ ...unit, ...unitColumns(at, now) })),
      );
      await insertRows(
        db,
        'unit_settings',
        units.flatMap((unit, at) => settingColumns(at, now).map((columns) => ({ ...unit, ...columns }))),
      );
    });
  } finally {
    await databases.close();
  }
}

const bankRow = (bankId: number): Tables['banks'] => ({
  ...noAddress,
  bank_id: bankId,
  name: `Housing association ${bankId}`,
  bank_type: 1 + (bankId % 2),
  icon: null,
  currency: 'DKK',
  vat_basis_points: null,
  discount_basis_points: null,
  enabled: 1,
  deleted_at: null,
  residents_version: 0,
  places_version: 1,
});

const locationRow = (place: { readonly bank_id: number; readonly location_id: number }): Tables['locations'] => ({
  ...noAddress,
  ...place,
  name: `House ${place.location_id}`,
  icon: null,
  time_zone: 'Europe/Copenhagen',
  enabled: 1,
  deleted_at: null,
});

/** One unit of fifty is offline. */
const unitColumns = (at: number, now: number) => ({
  ...noAddress,
  name: `{washer} ${1 + (at % unitsOfLocation)}`,
  unit_type: 1 + (at % 12),
  packed_type: null,
  enabled: 1,
  deleted_at: null,
  last_contact_at: at % 50 === 0 ? now - 30 * hourMs - at * 1000 : now - (at % 600) * 1000,
  computer_name: `gateway-${at % 500}`,
  cluster: null,
  version: 1,
});

/** One unit of fifty has an error; all others had one earlier. */
const settingColumns = (at: number, now: number) =>
  [
    ['AutoOutOfOrder', at % 50 === 1 ? '31' : '0'],
    ['OutOfOrder', 'false'],
    ['Bookable', 'true'],
    ['OutOfOrderSmsLimit', '3'],
  ].map(([name = '', value = null]) => ({
    name,
    value,
    version: 1,
    changed_at: now - at * 1000,
    editor_id: null,
    sync_id: null,
  }));
