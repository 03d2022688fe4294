// Creates the rows of demo documents: the last runs of machines, some of which are still running, and the months of
// meters.

import type { WriteDb } from '../../src/database/db.ts';
import { insertRows } from '../../src/database/statements/insert-rows.ts';
import type { Tables } from '../../src/database/tables.ts';
import { monthsUpTo } from '../calendar.ts';
import type { DemoBank, DemoUnit } from '../places/places.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { liveUnits } from '../units/setting-edits.ts';
import { createDocumentPlan, isMeter, type DocumentPlan } from './document-plan.ts';
import { nextMonth } from './document-seed.ts';
import { runDefinitions } from './run-definitions.ts';
import { hourMs, minuteMs } from '../../src/lib/time/durations.ts';

/** A document of a unit, with its plan. */
type DemoDocument = { readonly documentId: number; readonly plan: DocumentPlan };

const finishedRuns = 2;
const runningShare = 0.35;

/** The rows that the units of a bank have sent. */
export type DocumentRows = {
  readonly state_series: Tables['state_series'][];
  readonly state_samples: Tables['state_samples'][];
  readonly document_cycles: Tables['document_cycles'][];
  readonly unit_syncs: Tables['unit_syncs'][];
};

type BankContext = {
  readonly timeZone: string;
  readonly now: number;
  /** The number of existing series. */
  readonly series: number;
};

export function createDocumentRows(bank: DemoBank, { timeZone, now, series }: BankContext): DocumentRows {
  const { bankId } = bank;
  const rows: DocumentRows = { state_series: [], state_samples: [], document_cycles: [], unit_syncs: [] };
  if (!bank.enabled) return rows;
  for (const unit of liveUnits(bank)) {
    if (!unit.enabled || unit.lastContactAt === null) continue;
    const random = createSeededRandom(`documents/${bankId}/${unit.locationId}/${unit.unitId}`);
    const context = { bankId, timeZone, sentThrough: Math.min(unit.lastContactAt, now), random };
    addRows(rows, { context, unit, series }, listDocuments(unit, context));
  }
  return rows;
}

type DocumentContext = {
  readonly bankId: number;
  readonly timeZone: string;
  /** The equipment has not sent anything after this instant. */
  readonly sentThrough: number;
  readonly random: Random;
};

/** The documents of a unit, oldest first. */
function listDocuments(unit: DemoUnit, context: DocumentContext): DemoDocument[] {
  const starts = isMeter(unit.type) ? listMonthStarts(context) : listRunStarts(unit, context);
  return starts.flatMap((from, index) => {
    const documentId = 5000 + unit.locationId * 300 + unit.unitId * 10 + index;
    const document = { ...context, ...unit, documentId };
    const plan = createDocumentPlan({ type: unit.type, from, document, monthEnd: nextMonth(context.timeZone, from) });
    return plan === undefined ? [] : [{ documentId, plan }];
  });
}

/** The starts of the last two months in which the meter was in contact. */
const listMonthStarts = ({ timeZone, sentThrough }: DocumentContext): number[] =>
  monthsUpTo(timeZone, sentThrough)
    .slice(-2)
    .map(({ from }) => from);

/** The last run may still be running; the others have ended. */
function listRunStarts({ type }: DemoUnit, { sentThrough, random }: DocumentContext): number[] {
  const definition = runDefinitions[type];
  if (definition === undefined) return [];
  const [shortest, longest] = definition.minutes;
  const isRunning = random.chance(runningShare);
  const minutesAgo = isRunning
    ? random.int(1, Math.max(1, shortest - 2))
    : longest + random.int(5, definition.pauseHours[1] * 60);
  const starts = [wholeSecond(sentThrough - minutesAgo * minuteMs)];
  for (let left = finishedRuns - (isRunning ? 0 : 1); left > 0; left -= 1) {
    const pauseMs = random.int(...definition.pauseHours) * hourMs + random.int(0, 59) * minuteMs;
    starts.unshift(wholeSecond((starts[0] ?? sentThrough) - longest * minuteMs - pauseMs));
  }
  return starts;
}

const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000;

type UnitContext = { readonly context: DocumentContext; readonly unit: DemoUnit; readonly series: number };

/** Adds the rows of the documents of a unit, as far as they were sent. */
function addRows(rows: DocumentRows, { context, unit, series }: UnitContext, documents: readonly DemoDocument[]): void {
  if (documents.length === 0) return;
  const { bankId, sentThrough } = context;
  const ofUnit = { bank_id: bankId, location_id: unit.locationId, unit_id: unit.unitId };
  for (const { documentId, plan } of documents)
    for (const { at, value } of plan.cycles)
      if (at <= sentThrough) rows.document_cycles.push({ ...ofUnit, at, document_id: documentId, value });
  const samples = documents.flatMap(({ plan }) => plan.samples).filter(({ at }) => at <= sentThrough);
  for (const [name, ofName] of Map.groupBy(samples, (sample) => sample.name)) {
    const series_id = series + rows.state_series.length + 1;
    rows.state_series.push({ ...ofUnit, name, series_id });
    for (const { at, value } of ofName) rows.state_samples.push({ series_id, at, value });
  }
  rows.unit_syncs.push({ ...ofUnit, synced_at: sentThrough, late_writes: 0 });
}

export async function insertDocumentRows(db: WriteDb, rows: DocumentRows): Promise<void> {
  await insertRows(db, 'state_series', rows.state_series);
  await insertRows(db, 'state_samples', rows.state_samples);
  await insertRows(db, 'document_cycles', rows.document_cycles);
  await insertRows(db, 'unit_syncs', rows.unit_syncs);
}
