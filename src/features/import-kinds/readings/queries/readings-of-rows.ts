// Reads the samples that readings are.

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../../../database/db.ts';
import type { GrantedBank } from '../../../../permissions/coverage.ts';
import type { ReadingKey } from '../rules/reading-fields.ts';

export type StoredReading = ReadingKey & { readonly seriesId: number; readonly value: string | null };

/** The readings that there are, by `formatReadingName`. */
export async function findReadings(
  db: Db,
  { bankId }: GrantedBank,
  readings: readonly ReadingKey[],
): Promise<ReadonlyMap<string, StoredReading>> {
  if (readings.length === 0) return new Map();
  const unitIds = [...new Set(readings.map(({ unitId }) => unitId))];
  const times = [...new Set(readings.map(({ at }) => at))];
  const rows = await db
    .selectFrom('state_series as s')
    .innerJoin('state_samples as v', 'v.series_id', 's.series_id')
    .select(['s.location_id', 's.unit_id', 's.name', 's.series_id', 'v.at', 'v.value'])
    .where('s.bank_id', '=', bankId)
    .where(({ ref }) => db.dialect.inList(ref('s.unit_id'), unitIds))
    .where('s.name', 'in', [...new Set(readings.map(({ counter }) => counter))])
    .where(({ ref }) => db.dialect.inList(ref('v.at'), times))
    .execute();
  return new Map(
    rows.map(({ location_id: locationId, unit_id: unitId, name: counter, series_id: seriesId, at, value }) => {
      const reading = { locationId, unitId, counter, at, seriesId, value };
      return [formatReadingName(reading), reading];
    }),
  );
}

export const formatReadingName = ({ locationId, unitId, counter, at }: ReadingKey): string =>
  `${locationId}/${unitId}/${counter}/${at}`;

/** A reading has no count of its changes: its value is what changes. */
export const revisionOfReading = (value: string | null): string =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22);

type ReadingPosition = { readonly seriesId: number; readonly at: number };

/** The samples of a bank's counters, in the order of their series. */
export async function listReadingsAfter(
  db: Db,
  { bankId }: GrantedBank,
  counters: readonly string[],
  { after, limit }: { readonly after: ReadingPosition; readonly limit: number },
): Promise<StoredReading[]> {
  const rows = await db
    .selectFrom('state_series as s')
    .innerJoin('state_samples as v', 'v.series_id', 's.series_id')
    .select(['s.location_id', 's.unit_id', 's.name', 's.series_id', 'v.at', 'v.value'])
    .where('s.bank_id', '=', bankId)
    .where('s.name', 'in', counters)
    .where('v.value', 'is not', null)
    .where(sql<boolean>`(s.series_id > ${after.seriesId} or (s.series_id = ${after.seriesId} and v.at > ${after.at}))`)
    .orderBy('s.series_id')
    .orderBy('v.at')
    .limit(limit)
    .execute();
  return rows.map(({ location_id: locationId, unit_id: unitId, name: counter, series_id: seriesId, at, value }) => ({
    locationId,
    unitId,
    counter,
    seriesId,
    at,
    value,
  }));
}
