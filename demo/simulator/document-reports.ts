// Continues the documents of demo units while the service runs. A document ends, and after a pause, or with the next use,
// the next one begins.

import { createDocumentPlan, isMeter, type DocumentPlan } from '../documents/document-plan.ts';
import { formatDocumentSeed, nextMonth } from '../documents/document-seed.ts';
import { runDefinitions } from '../documents/run-definitions.ts';
import { createSeededRandom } from '../random.ts';
import { hourMs } from '../../src/lib/time/durations.ts';
import type { CurrentDocument, Device } from './devices.ts';

export type DocumentReport = {
  /** The document that the device is at now. */
  readonly document: CurrentDocument;
  readonly samples: DocumentPlan['samples'];
  readonly cycles: DocumentPlan['cycles'];
};

type ReportContext = {
  readonly timeZone: string;
  /** MS2000. */
  readonly now: number;
  /** Whether the device may begin a document. */
  readonly mayBegin: boolean;
};

/** Everything new since the unit's last report: the rest of its document, or the start of the next one. */
export function createDocumentReport(device: Device, context: ReportContext): DocumentReport | undefined {
  const { document, syncedAt } = device;
  if (document === undefined) return undefined;
  const plan = createPlan(device, document, context);
  if (plan === undefined) return undefined;
  const endAt = endOf(plan, document);
  if (endAt > syncedAt) return selectNew(plan, document, syncedAt, context.now);
  const from = nextStart(device, document, endAt, context);
  if (from > context.now || !context.mayBegin) return undefined;
  return begin(device, Math.max(from, syncedAt + 1), context);
}

/** A use begins the next run of a machine; undefined where it still runs, or has no runs. */
export function beginRun(device: Device, context: Omit<ReportContext, 'mayBegin'>): DocumentReport | undefined {
  const { document, type, syncedAt } = device;
  if (document === undefined || runDefinitions[type] === undefined) return undefined;
  const plan = createPlan(device, document, context);
  if (plan === undefined || endOf(plan, document) > syncedAt || context.now <= syncedAt) return undefined;
  return begin(device, context.now, context);
}

type PlanContext = Pick<ReportContext, 'timeZone' | 'now'>;

function begin(device: Device, from: number, context: PlanContext): DocumentReport | undefined {
  const next = { documentId: (device.document?.documentId ?? 0) + 1, from };
  const plan = createPlan(device, next, context);
  return plan === undefined ? undefined : selectNew(plan, next, device.syncedAt, context.now);
}

const createPlan = (device: Device, { documentId, from }: CurrentDocument, { timeZone }: PlanContext) =>
  createDocumentPlan({
    type: device.type,
    from,
    document: { ...device, documentId },
    monthEnd: nextMonth(timeZone, from),
  });

const endOf = (plan: DocumentPlan, { from }: CurrentDocument): number => plan.cycles.at(-1)?.at ?? from;

function selectNew(plan: DocumentPlan, document: CurrentDocument, after: number, through: number): DocumentReport {
  const isNew = ({ at }: { readonly at: number }): boolean => at > after && at <= through;
  return { document, samples: plan.samples.filter(isNew), cycles: plan.cycles.filter(isNew) };
}

/** A meter begins its next month at once, a machine after a pause. */
function nextStart(device: Device, current: CurrentDocument, endAt: number, { timeZone, now }: PlanContext): number {
  if (isMeter(device.type)) return nextMonth(timeZone, current.from);
  const random = createSeededRandom(`pause/${formatDocumentSeed({ ...device, ...current })}`);
  const pauseMs = random.int(...(runDefinitions[device.type]?.pauseHours ?? [1, 1])) * hourMs;
  // After a long pause of the service the next document begins now.
  return endAt + pauseMs > now ? endAt + pauseMs : Math.floor(now / 1000) * 1000;
}
