// Reads the samples of a document: states as the equipment sent them, settings as they were written.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { jsonArrayOf } from '../../../database/statements/json-rows.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import type { DocumentBounds } from '../rules/document-bounds.ts';
import { documentLimits } from '../rules/document-limits.ts';
import type { SampleTotals } from '../rules/sample-totals.ts';

type Interval = Pick<DocumentBounds, 'fromMs2000' | 'throughMs2000'>;

/** The ids of the series of a unit's states, by name; a state that was never sampled has none. */
export async function listSeriesIds(db: Db, unit: GrantedUnit): Promise<ReadonlyMap<string, number>> {
  const rows = await runPrepared(db, 'series of a unit', unit, (bind) =>
    db
      .selectFrom('state_series')
      .select(['name', 'series_id'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('location_id', '=', bind<number>('locationId'))
      .where('unit_id', '=', bind<number>('unitId')),
  );
  return new Map(rows.map(({ name, series_id }) => [name, series_id]));
}

/** Counts at most one sample more than the bound. */
export async function readSampleTotals(
  db: Db,
  seriesIds: readonly number[],
  interval: Interval,
): Promise<SampleTotals> {
  if (seriesIds.length === 0) return { samples: 0, longestValue: 0, characters: 0 };
  const lengths = selectSamples(db, seriesIds, interval)
    .select(db.dialect.characterLength(sql.ref('value')).as('characters'))
    .as('lengths');
  const { samples, longestValue, characters } = await db
    .selectFrom(lengths)
    .select(({ fn }) => [
      fn.countAll<number>().as('samples'),
      fn.max<number | null>('characters').as('longestValue'),
      // MariaDB returns a sum as a decimal number in a text.
      sql<number | string | null>`sum(characters)`.as('characters'),
    ])
    .executeTakeFirstOrThrow();
  return { samples, longestValue: longestValue ?? 0, characters: Number(characters ?? 0) };
}

/** JSON texts of `[series, time, value]`, in any order. */
export async function listPackedSamples(
  db: Db,
  seriesIds: readonly number[],
  interval: Interval,
): Promise<readonly string[]> {
  if (seriesIds.length === 0) return [];
  const rows = await selectSamples(db, seriesIds, interval)
    .select(jsonArrayOf(['series_id', 'at', 'value']).as('packed'))
    .execute();
  return rows.map(({ packed }) => packed);
}

/**
 * The argument of `interruptCheck` for a column of times. Sample times often share a power of two as divisor, with
 * which the check would run for every row or for none.
 */
export const spreadTimes = (column: string) => sql<number>`${sql.ref(column)} / 7`;

const selectSamples = (db: Db, seriesIds: readonly number[], { fromMs2000, throughMs2000 }: Interval) =>
  db
    .selectFrom('state_samples')
    .where(db.dialect.inList(sql.ref('series_id'), seriesIds))
    .where('at', '>=', fromMs2000)
    .where('at', '<=', throughMs2000)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(spreadTimes('at'))}`)
    .limit(documentLimits.samples + 1);

type SettingSampleRow = { readonly name: string; readonly at: number; readonly value: string | null };

/** The last of several writes at one instant comes last. */
export async function listSettingSamples(
  db: Db,
  { bankId, locationId, unitId }: GrantedUnit,
  { names, fromMs2000, throughMs2000 }: Interval & { readonly names: readonly string[] },
): Promise<readonly SettingSampleRow[]> {
  if (names.length === 0) return [];
  return (
    db
      .selectFrom('unit_setting_history')
      .select(['name', 'changed_at as at', 'value'])
      .where('bank_id', '=', bankId)
      .where('location_id', '=', locationId)
      .where('unit_id', '=', unitId)
      .where('name', 'in', names)
      .where('changed_at', '>=', fromMs2000)
      .where('changed_at', '<=', throughMs2000)
      // In the order of the index. Sorted only by version, SQLite would read the whole history of the unit.
      .orderBy('name')
      .orderBy('changed_at')
      .orderBy('version')
      .limit(documentLimits.samples + 1)
      .execute()
  );
}
