// Reads the samples of a document: states as the equipment sent them, settings as they were written.

import { sql, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { jsonArrayOf } from '../../../database/json-rows.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import type { DocumentBounds } from '../rules/document-bounds.ts';
import { documentLimits } from '../rules/document-limits.ts';
import type { SampleTotals } from '../rules/sample-totals.ts';

type Interval = Pick<DocumentBounds, 'fromMs2000' | 'throughMs2000'>;

/** The ids of the series of a unit's states, by name; what was never sampled has none. */
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

/** Counts no further than one sample above the bound. */
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
      // As a text the sum of MariaDB is a decimal number.
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

/** Times at which equipment sends something often have a divisor in common, which the check of a long scan must not need. */
export const spreadTimes = (column: string) => sql<number>`${sql.ref(column)} / 7`;

const selectSamples = (db: Db, seriesIds: readonly number[], { fromMs2000, throughMs2000 }: Interval) =>
  db
    .selectFrom('state_samples')
    .where(db.dialect.inList(sql.ref('series_id'), seriesIds))
    .where('at', '>=', fromMs2000)
    .where('at', '<=', throughMs2000)
    .where(sql<SqlBool>`${db.dialect.interruptCheck(spreadTimes('at'))}`)
    .limit(documentLimits.samples + 1);

export type SettingSampleRow = { readonly name: string; readonly at: number; readonly value: string | null };

/** Of several writes at one instant, the last one follows the others. */
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
      // As the index has them: by their versions alone, SQLite would read all that the unit ever was.
      .orderBy('name')
      .orderBy('changed_at')
      .orderBy('version')
      .limit(documentLimits.samples + 1)
      .execute()
  );
}
