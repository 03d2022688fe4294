// Stores what the equipment of a unit reports about its runs: samples of states, Cycles, and the time up to which it
// has sent everything. All reports must be stored here, and samples deleted, because cached documents depend on its counts.

import { sql } from 'kysely';
import type { Db, LockableDb, WriteDb } from '../../../database/db.ts';
import { createLock, takeLateLock, takeLocks, type Lock } from '../../../database/locks.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Int64 } from '../../../lib/values/int64.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { insertRows, replaceRows } from '../../../database/statements/insert-rows.ts';
import { pairItems } from '../../../lib/values/pair-items.ts';
import { writeReportedSetting, unitColumns, type ReportedSetting } from '../../units/queries/store-reported-states.ts';
import { unitLock } from '../../units/queries/write-setting.ts';
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
  /** In order of time. */
  readonly cycles: readonly TaggedCycle[];
  /** Settings that were changed at the device, in order of time. */
  readonly settings?: readonly ReportedSetting[];
  /** The equipment has sent everything up to this time. */
  readonly syncedThrough: number;
};

/** A unit has one value of Cycle at a time. */
export type ReportOfUnit = { readonly unit: GrantedUnit; readonly report: UnitReport };

/** More locks of units are taken together with those of the reports: after them, they would be out of order. */
export async function recordReports(
  db: LockableDb,
  reports: readonly ReportOfUnit[],
  locksOfUnits: readonly Lock[] = [],
): Promise<void> {
  // Sent together; the engine runs them in this order.
  const [, seriesIds] = await Promise.all([
    takeLocks(db, [...reports.flatMap(listLocks), ...locksOfUnits]),
    Promise.all(reports.map(({ unit, report }) => findSeriesIds(db, unit, report.samples))),
  ]);
  for (const [{ unit, report }, known] of pairItems(reports, seriesIds)) {
    await insertSamples(db, unit, report.samples, known);
    await writeVersions(db, unit, report);
  }
}

const listLocks = ({ unit, report }: ReportOfUnit): Lock[] => [
  unitSamplesLock(unit, report),
  ...(countVersions(report) > 0 ? [unitLock(unit, countVersions(report))] : []),
];

/** The number of versions of the unit that the report writes. */
const countVersions = ({ cycles, settings = [] }: UnitReport): number => cycles.length + settings.length;

const unitSamplesLock = (unit: GrantedUnit, report: UnitReport): Lock<void> =>
  createLock('unit-samples', [unit.bankId, unit.locationId, unit.unitId], {
    update: (db) => updateSync(db, unit, report),
  });

async function updateSync(db: WriteDb, unit: GrantedUnit, { samples, cycles, syncedThrough }: UnitReport) {
  const earliest = [...samples, ...cycles].reduce((least, { at }) => Math.min(least, at), Number.MAX_SAFE_INTEGER);
  // In MariaDB an assignment sees the values of previous assignments, so the old time is compared first.
  const { numAffectedRows } = await sql`update unit_syncs set
      late_writes = late_writes + case when synced_at >= ${earliest} then 1 else 0 end,
      synced_at = case when synced_at < ${syncedThrough} then ${syncedThrough} else synced_at end
    where ${ofUnit(unit)}`.execute(db);
  if (numAffectedRows !== 0n) return;
  const inserted = { ...unitColumns(unit), synced_at: syncedThrough, late_writes: 0 };
  await db.insertInto('unit_syncs').values(inserted).execute();
}

async function insertSamples(
  db: WriteDb,
  unit: GrantedUnit,
  samples: readonly StateSample[],
  known: ReadonlyMap<string, number>,
): Promise<void> {
  if (samples.length === 0) return;
  const added = await addSeries(
    db,
    unit,
    listSeriesNames(samples).filter((name) => !known.has(name)),
  );
  await replaceRows(
    db,
    'state_samples',
    samples.map(({ name, at, value }) => ({ series_id: known.get(name) ?? added.get(name) ?? 0, at, value })),
  );
}

const listSeriesNames = (samples: readonly StateSample[]): string[] => [...new Set(samples.map(({ name }) => name))];

/** Gives new series their ids. */
async function addSeries(
  db: WriteDb,
  unit: GrantedUnit,
  newNames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (newNames.length === 0) return new Map();
  const firstId = await takeLateLock(db, seriesIdsLock(newNames.length));
  const rows = newNames.map((name, index) => ({ ...unitColumns(unit), name, series_id: firstId + index }));
  await insertRows(db, 'state_series', rows);
  return new Map(rows.map(({ name, series_id }) => [name, series_id]));
}

/** Allocates `count` ids. Returns the first of them. */
const seriesIdsLock = (count: number): Lock<number, 'series-ids'> =>
  createLock('series-ids', [], {
    update: (db) => sql`update state_series_heads set allocated = allocated + ${count}`.execute(db),
    read: async (db) => {
      const { allocated } = await db.selectFrom('state_series_heads').select('allocated').executeTakeFirstOrThrow();
      return allocated - count + 1;
    },
  });

/** The ids of the series that these samples have already. */
async function findSeriesIds(
  db: Db,
  unit: GrantedUnit,
  samples: readonly StateSample[],
): Promise<ReadonlyMap<string, number>> {
  if (samples.length === 0) return new Map();
  const rows = await db
    .selectFrom('state_series')
    .select(['name', 'series_id'])
    .where(ofUnit(unit))
    .where('name', 'in', listSeriesNames(samples))
    .execute();
  return new Map(rows.map(({ name, series_id }) => [name, series_id]));
}

type RemovedSamples = { readonly unit: GrantedUnit; readonly samples: readonly Pick<StateSample, 'name' | 'at'>[] };

/**
 * Deletes samples that no equipment has sent. A state whose value is one of them has that of the newest sample that is
 * left.
 */
export async function removeSamples(db: LockableDb, removed: readonly RemovedSamples[]): Promise<void> {
  const noReport = { cycles: [], syncedThrough: 0 };
  await takeLocks(
    db,
    removed.map(({ unit, samples }) => {
      return unitSamplesLock(unit, { ...noReport, samples: samples.map((sample) => ({ ...sample, value: null })) });
    }),
  );
  for (const { unit, samples } of removed) {
    const all = samples.map((sample) => ({ ...sample, value: null }));
    const seriesIds = await findSeriesIds(db, unit, all);
    for (const [name, ofSeries] of Map.groupBy(all, (sample) => sample.name)) {
      const seriesId = seriesIds.get(name) ?? 0;
      await db
        .deleteFrom('state_samples')
        .where('series_id', '=', seriesId)
        .where(({ ref }) =>
          db.dialect.inList(
            ref('at'),
            ofSeries.map(({ at }) => at),
          ),
        )
        .execute();
      await restoreState(db, unit, { name, seriesId, times: ofSeries.map(({ at }) => at) });
    }
  }
}

type RemovedTimes = { readonly name: string; readonly seriesId: number; readonly times: readonly number[] };

async function restoreState(db: WriteDb, unit: GrantedUnit, { name, seriesId, times }: RemovedTimes): Promise<void> {
  const isShown = sql<boolean>`${ofUnit(unit)} and name = ${name}`;
  const shown = await db.selectFrom('unit_states').select('reported_at').where(isShown).executeTakeFirst();
  if (shown === undefined || !times.includes(shown.reported_at)) return;
  const left = await db
    .selectFrom('state_samples')
    .select(['at', 'value'])
    .where('series_id', '=', seriesId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (left === undefined) await db.deleteFrom('unit_states').where(isShown).execute();
  else await db.updateTable('unit_states').set({ value: left.value, reported_at: left.at }).where(isShown).execute();
}

async function writeVersions(db: WriteDb, unit: GrantedUnit, report: UnitReport): Promise<void> {
  const count = countVersions(report);
  if (count === 0) return;
  const { version } = await db.selectFrom('units').select('version').where(ofUnit(unit)).executeTakeFirstOrThrow();
  const firstVersion = version - count + 1;
  const { cycles, settings = [] } = report;
  for (const [index, cycle] of cycles.entries()) await insertCycle(db, unit, cycle, firstVersion + index);
  for (const [index, setting] of settings.entries())
    await writeReportedSetting(db, unit, { ...setting, version: firstVersion + cycles.length + index });
}

/** A Cycle is also the value of a setting, which the equipment writes. */
async function insertCycle(
  db: WriteDb,
  unit: GrantedUnit,
  { documentId, at, value }: TaggedCycle,
  version: number,
): Promise<void> {
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
  // A late Cycle does not replace the present one.
  if (before === undefined || before.changed_at <= at) await db.replaceInto('unit_settings').values(written).execute();
  await db
    .replaceInto('document_cycles')
    .values({ ...unitColumns(unit), at, document_id: documentId, value })
    .execute();
}

const ofUnit = ({ bankId, locationId, unitId }: GrantedUnit) =>
  sql<boolean>`bank_id = ${bankId} and location_id = ${locationId} and unit_id = ${unitId}`;
