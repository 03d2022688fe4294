// Inserts a bank with as many units as a search can cover, and a document with as many samples as one can have.

import { openDatabases } from '../../src/database/databases.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

export const searchedBank = { bankId: 3001, locations: 50, unitsPerLocation: 100, settingsPerUnit: 7 };
const documentsPerUnit = 10;
const cyclesPerDocument = 5;

/** In the demo data's first bank; its unit is a washer. */
export const largeDocument = { bankId: 1001, locationId: 1, unitId: 1, documentId: 900_001 };
export const sampledStates = [
  'DoorClosed',
  'ProgramRunning',
  'RemainingTime',
  'Temperature',
  'Power',
  'SpinSpeed',
  'WaterLevel',
  'CycleCount',
  'EnergyTotal',
  'WaterTotal',
] as const;
const samplesPerState = 5000;

/** The start of the large document, MS2000: so long ago that no demo data overlap it. */
export const largeDocumentFrom = toMs2000(Date.parse('2024-01-01T00:00:00Z'));
export const largeDocumentThrough = largeDocumentFrom + 31 * dayMs;
const stepMs = Math.floor((31 * dayMs) / samplesPerState);

const firstSeriesId = 1_000_001;

/** `directory` is that of the SQLite files. */
export async function inDatabase(directory: string, work: (db: WriteDb) => Promise<void>): Promise<void> {
  const databases = openDatabases({ engine: 'sqlite', directory });
  try {
    await databases.forTenant('sund').write({ deadlineMs: 600_000 }, work);
  } finally {
    await databases.close();
  }
}

export const insertDocuments = (directory: string, now: number): Promise<void> =>
  inDatabase(directory, async (db) => {
    await insertSearchedBank(db, now);
    await insertLargeDocument(db);
  });

const count = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

async function insertSearchedBank(db: WriteDb, now: number): Promise<void> {
  const { bankId, locations, unitsPerLocation, settingsPerUnit } = searchedBank;
  const bank: Tables['banks'] = {
    ...noAddress,
    bank_id: bankId,
    name: 'Housing association Fir',
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
  await insertRows(db, 'banks', [bank]);
  const common = { ...noAddress, bank_id: bankId, enabled: 1, deleted_at: null };
  const units = count(locations).flatMap((location_id) =>
    count(unitsPerLocation).map((unit_id) => ({ bank_id: bankId, location_id, unit_id })),
  );
  await insertRows(
    db,
    'locations',
    count(locations).map((location_id) => ({
      ...common,
      location_id,
      name: `Fir house ${location_id}`,
      icon: null,
      time_zone: 'Europe/Copenhagen',
    })),
  );
  await insertRows(
    db,
    'units',
    units.map((unit) => ({
      ...common,
      ...unit,
      name: `{washer} ${unit.unit_id}`,
      unit_type: 1,
      packed_type: null,
      last_contact_at: null,
      computer_name: null,
      cluster: null,
      version: 1,
    })),
  );
  const setting = { value: '1', version: 1, changed_at: 1, editor_id: null, sync_id: null };
  await insertRows(
    db,
    'unit_settings',
    units.flatMap((unit) => count(settingsPerUnit).map((at) => ({ ...unit, name: `Setting${at}`, ...setting }))),
  );
  // The documents of a unit are four hours apart, and the units a few seconds.
  await insertRows(
    db,
    'document_cycles',
    units.flatMap((unit, number) =>
      count(documentsPerUnit).flatMap((document) =>
        count(cyclesPerDocument).map((at) => ({
          ...unit,
          at: now - document * 240 * minuteMs + at * 15 * minuteMs - number * 1500,
          document_id: document,
          value: 'Wash',
        })),
      ),
    ),
  );
}

async function insertLargeDocument(db: WriteDb): Promise<void> {
  const { bankId, locationId, unitId, documentId } = largeDocument;
  const unit = { bank_id: bankId, location_id: locationId, unit_id: unitId };
  await insertRows(db, 'document_cycles', [
    { ...unit, at: largeDocumentFrom, document_id: documentId, value: 'Start' },
    { ...unit, at: largeDocumentThrough, document_id: documentId, value: 'End' },
  ]);
  await db
    .deleteFrom('state_series')
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .execute();
  const series = sampledStates.map((name, index) => ({ ...unit, name, series_id: firstSeriesId + index }));
  await insertRows(db, 'state_series', series);
  for (const { series_id } of series) await insertSamples(db, series_id, largeDocumentFrom, samplesPerState);
}

/** A hundred times as many samples as the large document has: half are of its own unit in other months, half of other units. */
export const insertOtherSamples = (directory: string): Promise<void> =>
  inDatabase(directory, async (db) => {
    for (const index of sampledStates.keys())
      for (let month = 1; month <= 50; month += 1) {
        const from = largeDocumentFrom + (month > 25 ? month : month - 26) * 32 * dayMs;
        await insertSamples(db, firstSeriesId + index, from, samplesPerState);
        await insertSamples(db, firstSeriesId + 100 + index * 50 + month, from, samplesPerState);
      }
  });

async function insertSamples(db: WriteDb, series_id: number, from: number, samples: number): Promise<void> {
  const rows = Array.from({ length: samples }, (_, index): Tables['state_samples'] => ({
    series_id,
    at: from + index * stepMs,
    value: ((index * 37) % 1000) / 10 < 50 ? String(index % 97) : `${index % 97}.${series_id % 10}`,
  }));
  await insertRows(db, 'state_samples', rows);
}
