// Reads the samples that readings are.

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';
import type { ReadingKey } from '../rules/reading-fields.ts';

const selectReadings = (db: Db, { bankId }: GrantedBank, counters: readonly string[]) =>
  db
    .selectFrom('state_series as s')
    .innerJoin('state_samples as v', 'v.series_id', 's.series_id')
    .select(['s.location_id as locationId', 's.unit_id as unitId', 's.name as counter'])
    .select(['s.series_id as seriesId', 'v.at', 'v.value'])
    .where('s.bank_id', '=', bankId)
    .where('s.name', 'in', counters);

export type StoredReading = ReadingKey & { readonly seriesId: number; readonly value: string | null };

/** The readings that there are, by `formatReadingName`. */
export async function findReadings(
  db: Db,
  bank: GrantedBank,
  readings: readonly ReadingKey[],
): Promise<ReadonlyMap<string, StoredReading>> {
  if (readings.length === 0) return new Map();
  const unitIds = [...new Set(readings.map(({ unitId }) => unitId))];
  const times = [...new Set(readings.map(({ at }) => at))];
  const rows = await selectReadings(db, bank, [...new Set(readings.map(({ counter }) => counter))])
    .where(({ ref }) => db.dialect.inList(ref('s.unit_id'), unitIds))
    .where(({ ref }) => db.dialect.inList(ref('v.at'), times))
    .execute();
  return new Map(rows.map((reading) => [formatReadingName(reading), reading]));
}

export const formatReadingName = ({ locationId, unitId, counter, at }: ReadingKey): string =>
  `${locationId}/${unitId}/${counter}/${at}`;

/** A reading has no count of its changes: its value is what changes. */
export const revisionOfReading = (value: string | null): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);

type ReadingPosition = { readonly seriesId: number; readonly at: number };

/** The samples of a bank's counters, in the order of their series. */
export const listReadingsAfter = (
  db: Db,
  bank: GrantedBank,
  counters: readonly string[],
  { after, limit }: { readonly after: ReadingPosition; readonly limit: number },
): Promise<StoredReading[]> =>
  selectReadings(db, bank, counters)
    .where('v.value', 'is not', null)
    .where(sql<boolean>`(s.series_id > ${after.seriesId} or (s.series_id = ${after.seriesId} and v.at > ${after.at}))`)
    .orderBy('s.series_id')
    .orderBy('v.at')
    .limit(limit)
    .execute();
