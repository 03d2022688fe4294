// Stores what the equipment of a unit reports of its runs: samples of states, Cycles, and up to when it has sent
// everything. This is the only way in, since cached documents depend on what it counts.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Int64 } from '../../../lib/int64.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { insertRows } from '../../../database/insert-rows.ts';
import { incrementUnitVersion } from '../../units/queries/write-setting.ts';
import { cycleSetting } from '../rules/document-bounds.ts';

export type StateSample = {
  readonly name: string;
  /** MS2000. */
  readonly at: number;
  readonly value: string | null;
};

export type TaggedCycle = { readonly documentId: Int64; readonly at: number; readonly value: string };

export type UnitReport = {
  readonly samples: readonly StateSample[];
  /** In the order of time. */
  readonly cycles: readonly TaggedCycle[];
  /** The equipment has sent everything up to then. */
  readonly syncedThrough: number;
};

export async function recordReport(db: WriteDb, unit: GrantedUnit, report: UnitReport): Promise<void> {
  await updateSync(db, unit, report);
  if (report.samples.length > 0) await insertSamples(db, unit, report.samples);
  for (const cycle of report.cycles) await insertCycle(db, unit, cycle);
}

/** Comes first: the row is the lock row of the unit's samples. */
async function updateSync(db: WriteDb, unit: GrantedUnit, { samples, cycles, syncedThrough }: UnitReport) {
  const row = db.selectFrom('unit_syncs').select('synced_at').where(ofUnit(unit));
  if ((await row.executeTakeFirst()) === undefined) {
    const inserted = { ...unitColumns(unit), synced_at: syncedThrough, late_writes: 0 };
    await db.insertInto('unit_syncs').values(inserted).execute();
    return;
  }
  const earliest = [...samples, ...cycles].reduce((least, { at }) => Math.min(least, at), Number.MAX_SAFE_INTEGER);
  // MariaDB sees in an assignment what those before it have assigned: the old time is compared first.
  await sql`update unit_syncs set
      late_writes = late_writes + case when synced_at >= ${earliest} then 1 else 0 end,
      synced_at = case when synced_at < ${syncedThrough} then ${syncedThrough} else synced_at end
    where bank_id = ${unit.bankId} and location_id = ${unit.locationId} and unit_id = ${unit.unitId}`.execute(db);
}

async function insertSamples(db: WriteDb, unit: GrantedUnit, samples: readonly StateSample[]): Promise<void> {
  const names = [...new Set(samples.map(({ name }) => name))];
  const seriesIds = await getSeriesIds(db, unit, names);
  const rows = samples.map(({ name, at, value }) => ({ series_id: seriesIds.get(name) ?? 0, at, value }));
  for (let from = 0; from < rows.length; from += maxRowsPerStatement)
    await db
      .replaceInto('state_samples')
      .values(rows.slice(from, from + maxRowsPerStatement))
      .execute();
}

const maxRowsPerStatement = 500;

/** The ids of these series; those that are new get one. */
async function getSeriesIds(db: WriteDb, unit: GrantedUnit, names: readonly string[]): Promise<Map<string, number>> {
  const seriesIds = await findSeriesIds(db, unit, names);
  const newNames = names.filter((name) => !seriesIds.has(name));
  if (newNames.length === 0) return seriesIds;
  const added = newNames.length;
  await sql`update state_series_heads set allocated = allocated + ${added}`.execute(db);
  const { allocated } = await db.selectFrom('state_series_heads').select('allocated').executeTakeFirstOrThrow();
  const rows = newNames.map((name, index) => ({
    ...unitColumns(unit),
    name,
    series_id: allocated - added + 1 + index,
  }));
  await insertRows(db, 'state_series', rows);
  for (const { name, series_id } of rows) seriesIds.set(name, series_id);
  return seriesIds;
}

async function findSeriesIds(db: Db, unit: GrantedUnit, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('state_series')
    .select(['name', 'series_id'])
    .where(ofUnit(unit))
    .where('name', 'in', names)
    .execute();
  return new Map(rows.map(({ name, series_id }) => [name, series_id]));
}

/** A Cycle is the value of a setting as well, which the equipment writes by itself. */
async function insertCycle(db: WriteDb, unit: GrantedUnit, { documentId, at, value }: TaggedCycle): Promise<void> {
  await incrementUnitVersion(db, unit);
  const { version } = await db.selectFrom('units').select('version').where(ofUnit(unit)).executeTakeFirstOrThrow();
  const named: Pick<Tables['unit_settings'], 'name' | 'value'> = { name: cycleSetting, value };
  const written: Tables['unit_settings'] = {
    ...unitColumns(unit),
    ...named,
    version,
    changed_at: at,
    editor_id: null,
    sync_id: null,
  };
  await db.insertInto('unit_setting_history').values(written).execute();
  const current = db
    .selectFrom('unit_settings')
    .select('changed_at')
    .where(ofUnit(unit))
    .where('name', '=', named.name);
  const before = await current.executeTakeFirst();
  // A Cycle that comes late does not replace the one that holds.
  if (before === undefined || before.changed_at <= at) await db.replaceInto('unit_settings').values(written).execute();
  await db
    .replaceInto('document_cycles')
    .values({ ...unitColumns(unit), at, document_id: documentId, value })
    .execute();
}

const unitColumns = ({ bankId, locationId, unitId }: GrantedUnit) => ({
  bank_id: bankId,
  location_id: locationId,
  unit_id: unitId,
});

const ofUnit = ({ bankId, locationId, unitId }: GrantedUnit) =>
  sql<boolean>`bank_id = ${bankId} and location_id = ${locationId} and unit_id = ${unitId}`;
