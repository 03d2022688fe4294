// Continues the documents of demo units while the service runs. A document ends, and after a pause the next one begins.

import type { Db, LockableDb } from '../../database/db.ts';
import type { Tables } from '../../database/tables.ts';
import {
  recordReports,
  type ReportOfUnit,
  type StateSample,
  type TaggedCycle,
} from '../../features/documents/queries/record-report.ts';
import { typeCodeOf, unitTypeOf, type UnitType } from '../../features/places/rules/unit-types.ts';
import type { Int64 } from '../../lib/int64.ts';
import { requireCoveredUnit, type UnitKey } from '../../permissions/coverage.ts';
import type { Scope } from '../../permissions/scope.ts';
import { createDocumentPlan, isMeter, type DocumentPlan } from '../documents/document-plan.ts';
import { formatDocumentSeed, nextMonth } from '../documents/document-seed.ts';
import { runDefinitions } from '../documents/run-definitions.ts';
import { onlineThreshold } from '../places/last-contacts.ts';
import { createSeededRandom } from '../random.ts';
import { hourMs } from '../../lib/durations.ts';

const maxUnitsPerRun = 6;

type DocumentReportContext = {
  readonly scope: Scope;
  readonly timeZone: string;
  /** MS2000. */
  readonly now: number;
};

type ReportingUnit = UnitKey & { readonly type: UnitType; readonly syncedAt: number };

/** Writes new samples and Cycles of online units, those with the oldest reports first. */
export async function writeDocumentReports(db: LockableDb, context: DocumentReportContext): Promise<void> {
  const reports: ReportOfUnit[] = [];
  for (const key of await listReportingUnits(db, context.now)) {
    const current = await findCurrentDocument(db, key);
    const planned = current === undefined ? noReport : createReport(key, current, context);
    const report = { ...planned, syncedThrough: context.now };
    reports.push({ unit: requireCoveredUnit(context.scope, key), report });
  }
  await recordReports(db, reports);
}

async function listReportingUnits(db: Db, now: number): Promise<ReportingUnit[]> {
  const rows = await db
    .selectFrom('unit_syncs as s')
    .innerJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 's.bank_id')
        .onRef('u.location_id', '=', 's.location_id')
        .onRef('u.unit_id', '=', 's.unit_id'),
    )
    .innerJoin('banks as b', 'b.bank_id', 's.bank_id')
    .select(['s.bank_id', 's.location_id', 's.unit_id', 's.synced_at', 'u.unit_type', 'u.packed_type'])
    .where('s.synced_at', '<', now)
    .where('u.enabled', '=', 1)
    .where('u.deleted_at', 'is', null)
    .where('u.last_contact_at', '>', onlineThreshold(now))
    .orderBy('s.synced_at')
    .orderBy('s.bank_id')
    .orderBy('s.location_id')
    .orderBy('s.unit_id')
    .limit(maxUnitsPerRun)
    .execute();
  return rows.flatMap(({ bank_id: bankId, location_id: locationId, unit_id: unitId, synced_at: syncedAt, ...unit }) => {
    const type = unitTypeOf(typeCodeOf(unit) ?? 0);
    return type === undefined ? [] : [{ bankId, locationId, unitId, type, syncedAt }];
  });
}

type CurrentDocument = { readonly documentId: Int64; readonly from: number };

/** The latest document of a unit. */
async function findCurrentDocument(db: Db, unit: UnitKey): Promise<CurrentDocument | undefined> {
  const cycles = db
    .selectFrom('document_cycles')
    .where('bank_id', '=', unit.bankId)
    .where('location_id', '=', unit.locationId)
    .where('unit_id', '=', unit.unitId);
  const last = await cycles.select('document_id').orderBy('at', 'desc').limit(1).executeTakeFirst();
  if (last === undefined) return undefined;
  const first = await cycles
    .select('at')
    .where('document_id', '=', last.document_id)
    .orderBy('at')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { documentId: last.document_id, from: first.at };
}

type PlannedReport = { readonly samples: readonly StateSample[]; readonly cycles: readonly TaggedCycle[] };

const noReport: PlannedReport = { samples: [], cycles: [] };

/** Everything new since the unit's last report: the rest of its document, or the start of the next one. */
function createReport(unit: ReportingUnit, current: CurrentDocument, context: DocumentReportContext): PlannedReport {
  const plan = createPlan(unit, current, context);
  if (plan === undefined) return noReport;
  const endAt = plan.cycles.at(-1)?.at ?? current.from;
  if (endAt > unit.syncedAt) return selectNew(plan, current.documentId, unit.syncedAt, context.now);
  const from = nextStart(unit, current, endAt, context);
  if (from > context.now) return noReport;
  const next = { documentId: BigInt(current.documentId) + 1n, from: Math.max(from, unit.syncedAt + 1) };
  const nextPlan = createPlan(unit, next, context);
  return nextPlan === undefined ? noReport : selectNew(nextPlan, next.documentId, unit.syncedAt, context.now);
}

const createPlan = (unit: ReportingUnit, { documentId, from }: CurrentDocument, { timeZone }: DocumentReportContext) =>
  createDocumentPlan({
    type: unit.type,
    from,
    document: { ...unit, documentId },
    monthEnd: nextMonth(timeZone, from),
  });

function selectNew(plan: DocumentPlan, documentId: Int64, after: number, through: number): PlannedReport {
  const isNew = ({ at }: Pick<Tables['state_samples'], 'at'>): boolean => at > after && at <= through;
  return {
    samples: plan.samples.filter(isNew),
    cycles: plan.cycles.filter(isNew).map((cycle) => ({ ...cycle, documentId })),
  };
}

/** A meter begins its next month at once, a machine after a pause. */
function nextStart(
  unit: ReportingUnit,
  current: CurrentDocument,
  endAt: number,
  { timeZone, now }: DocumentReportContext,
) {
  if (isMeter(unit.type)) return nextMonth(timeZone, current.from);
  const random = createSeededRandom(`pause/${formatDocumentSeed({ ...unit, ...current })}`);
  const pauseMs = random.int(...(runDefinitions[unit.type]?.pauseHours ?? [1, 1])) * hourMs;
  // After a long pause of the service the next document begins now.
  return endAt + pauseMs > now ? endAt + pauseMs : Math.floor(now / 1000) * 1000;
}
