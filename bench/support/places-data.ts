// Inserts one more bank with many locations and units before the service starts.

import { openDatabases } from '../../src/database/databases.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';

export const largeBankId = 2001;
/** The number of units of the first location; the others share the rest. */
export const unitsOfFirstLocation = 100;

const hourMs = 3_600_000;
const settingsOfUnit = ['AutoOutOfOrder', 'Bookable', 'BookingPrice', 'BookingStep', 'OutOfOrder', 'OpeningMonday'];

/** `directory` is that of the SQLite files. */
export async function insertPlaces(directory: string, locations: number, units: number): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  const now = toMs2000(Date.now());
  const places = Array.from({ length: units }, (_, at) => ({
    bank_id: largeBankId,
    location_id: at < unitsOfFirstLocation ? 1 : 2 + (at % (locations - 1)),
    unit_id: 1 + at,
  }));
  try {
    await databases.forTenant('sund').write({ deadlineMs: 60_000 }, async (db) => {
      await insertRows(db, 'banks', [bank]);
      await insertRows(
        db,
        'locations',
        Array.from({ length: locations }, (_, at) => locationRow(at + 1)),
      );
      await insertRows(
        db,
        'units',
        places.map((place, at) => ({ ...place, ...unitRow(at, now) })),
      );
      await insertRows(
        db,
        'unit_settings',
        places.flatMap((place) => settingsOfUnit.map((name) => ({ ...place, name, ...settingRow(name) }))),
      );
    });
  } finally {
    await databases.close();
  }
}

const bank: Tables['banks'] = {
  ...noAddress,
  bank_id: largeBankId,
  name: 'Housing association Elm',
  bank_type: 1,
  icon: null,
  currency: 'DKK',
  vat_basis_points: null,
  discount_basis_points: null,
  enabled: 1,
  deleted_at: null,
  residents_version: 0,
  places_version: 1,
};

const locationRow = (locationId: number): Tables['locations'] => ({
  ...noAddress,
  bank_id: largeBankId,
  location_id: locationId,
  name: `Elm house ${locationId}`,
  icon: null,
  address: `Elm Lane ${locationId}`,
  zip: '2100',
  time_zone: 'Europe/Copenhagen',
  enabled: 1,
  deleted_at: null,
});

const unitRow = (at: number, now: number) => ({
  ...noAddress,
  name: `{${at % 3 === 0 ? 'washer' : 'dryer'}} ${at}`,
  unit_type: 1 + (at % 12),
  packed_type: null,
  enabled: 1,
  deleted_at: null,
  last_contact_at: at % 10 === 0 ? null : now - (at % 7) * hourMs,
  computer_name: null,
  cluster: null,
  version: 1,
});

const settingRow = (name: string) => ({
  value: name === 'Bookable' ? 'true' : '0',
  version: 1,
  changed_at: 1,
  editor_id: null,
  sync_id: null,
});
