// Inserts one more bank, with as many residents as a bank can have, before the service starts.

import { openDatabases } from '../../src/database/databases.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import { insertResidents, type NewResidentRow } from '../../src/features/residents/queries/insert-residents.ts';

export const fullBank = { bankId: 2001, residents: 98_999 };
/** As many residents as a file can have. */
export const exportedBank = { bankId: 2002, residents: 10_000 };
const locations = 10;

const givenNames = [
  'Ada',
  'Bo',
  'Cecilie',
  'David',
  'Emil',
  'Freja',
  'Gunnar',
  'Hanne',
  'Ida',
  'Jens',
  'Karen',
  'Lars',
];
const familyNames = [
  'Andersen',
  'Berg',
  'Christensen',
  'Dahl',
  'Eriksen',
  'Friis',
  'Holm',
  'Iversen',
  'Jensen',
  'Kjær',
];

/** `directory` is that of the SQLite files. */
export async function insertResidentsOfFullBank(directory: string): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  const database = databases.forTenant('sund');
  try {
    for (const { bankId, residents } of [fullBank, exportedBank]) {
      await database.write({ deadlineMs: 60_000 }, async (db) => {
        await insertRows(db, 'banks', [bankRow(bankId)]);
        const ids = Array.from({ length: locations }, (_, at) => at + 1);
        await insertRows(
          db,
          'locations',
          ids.map((locationId) => locationRow(bankId, locationId)),
        );
      });
      for (let at = 0; at < residents; at += 5000)
        await database.write({ deadlineMs: 60_000 }, (db) =>
          insertResidents(
            db,
            bankId,
            Array.from({ length: Math.min(5000, residents - at) }, (_, more) => residentRow(bankId, at + more)),
          ),
        );
    }
  } finally {
    await databases.close();
  }
}

const bankRow = (bankId: number): Tables['banks'] => ({
  ...noAddress,
  bank_id: bankId,
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
});

const locationRow = (bankId: number, locationId: number): Tables['locations'] => ({
  ...noAddress,
  bank_id: bankId,
  location_id: locationId,
  name: `Elm house ${locationId}`,
  icon: null,
  address: `Elm Lane ${locationId}`,
  zip: '2100',
  time_zone: 'Europe/Copenhagen',
  enabled: 1,
  deleted_at: null,
});

/** One in two hundred has the family name that the benchmark searches for. */
function residentRow(bankId: number, at: number): NewResidentRow {
  const name = (names: readonly string[], every: number): string => names[Math.floor(at / every) % names.length] ?? '';
  const family = at % 200 === 7 ? 'Zachariassen' : name(familyNames, 12);
  return {
    bank_id: bankId,
    resident_id: 1001 + at,
    location_id: 1 + (at % locations),
    name: `${name(givenNames, 1)} ${family}`,
    apartment: `${1 + (at % 6)}. ${at % 2 === 0 ? 'left' : 'right'}`,
    email: `resident${at}@example.org`,
    phone: `+45 ${20_000_000 + at}`,
    phone_number: `+45${20_000_000 + at}`,
    language: 'da',
    enabled: at % 20 === 19 ? 0 : 1,
  };
}
