// Stores lines of the stream of samples: states, runs, settings that were changed at devices, and what devices have done.

import type { LockableDb } from '../../database/db.ts';
import type { Lock } from '../../database/locks.ts';
import type { ComputerContext } from '../../http/context/operation-context.ts';
import { requireLocationOf, type WholeGrantedBank } from '../../permissions/coverage.ts';
import { recordApplied } from '../desired-state/queries/record-applied.ts';
import { outboxLock } from '../outbox/queries/outbox.ts';
import { recordReports, type ReportOfUnit } from '../documents/queries/record-report.ts';
import { recordCommandResult } from '../unit-commands/queries/unit-commands.ts';
import { storeReportedStates } from '../units/queries/store-reported-states.ts';
import { toUnitContacts, type ComputerUnit } from './read-computer-units.ts';
import { listUnitContactLocks } from './queries/contacts.ts';
import type { LineToHold } from './queries/held-lines.ts';
import type { NewLines, StoredLines } from './read-stream-request.ts';
import type { StreamLine } from './rules/parse-lines.ts';
import { planSamplesLine, toReports, type PlannedSamples, type StoreDecision } from './rules/plan-samples.ts';

type Planned = PlannedSamples<ComputerUnit>;
type Stored = Planned & { readonly decision: StoreDecision };

/** What devices did is stored in the outbox. */
export const listSamplesLocks = (bank: WholeGrantedBank, lines: readonly StreamLine[]): readonly Lock[] =>
  lines.some(({ fields }) => isAnswer(fields?.['t'])) ? [outboxLock(bank)] : [];

const isAnswer = (kind: unknown): boolean => kind === 'applied' || kind === 'result';

type SamplesRequest = {
  readonly context: ComputerContext;
  readonly units: ReadonlyMap<string, ComputerUnit>;
  readonly newLines: NewLines;
};

export async function recordSamples(
  db: LockableDb,
  { context, units, newLines }: SamplesRequest,
): Promise<StoredLines> {
  const { bank, lines, now } = newLines;
  const planned = lines.map((line) => planSamplesLine(line, { ...newLines, units }));
  const stored = planned.flatMap((line) => (isStored(line) ? [line] : []));
  await recordAppliedVersions(db, context, stored);
  const refused = await recordResults(db, bank, { stored, now });
  // Sent together, the locks first; the engine runs them in this order.
  await Promise.all([
    recordReports(db, toGrantedReports(bank, stored), listUnitContactLocks(bank, toUnitContacts(planned, now))),
    storeReportedStates(db, bank, stored.flatMap(listStates)),
  ]);
  return { held: planned.flatMap((line) => toHeldLine(line, refused) ?? []), other: 0 };
}

const isStored = (line: Planned): line is Stored => line.decision.kind === 'store';

async function recordAppliedVersions(
  db: LockableDb,
  { bank, computer, now }: ComputerContext,
  stored: readonly Stored[],
): Promise<void> {
  const effects = stored.map(({ decision }) => decision.effect);
  const versions = effects.flatMap((effect) =>
    effect.kind === 'applied' ? [{ v: effect.version, ok: effect.ok, code: effect.code }] : [],
  );
  const snapshots = effects.flatMap((effect) => (effect.kind === 'snapshot' ? [effect.version] : []));
  if (versions.length === 0 && snapshots.length === 0) return;
  const snapshot = snapshots.length === 0 ? {} : { snapshot: Math.max(...snapshots) };
  await recordApplied(db, bank, computer, { versions, ...snapshot }, now);
}

/** The lines whose unit has no such command. */
async function recordResults(
  db: LockableDb,
  bank: WholeGrantedBank,
  { stored, now }: { readonly stored: readonly Stored[]; readonly now: number },
): Promise<ReadonlySet<Planned>> {
  const refused = new Set<Planned>();
  for (const line of stored) {
    const { unit, decision } = line;
    if (unit === undefined || decision.effect.kind !== 'result') continue;
    const { commandId, ok, code } = decision.effect;
    const { bankId, locationId, unitId } = unit;
    const result = { commandId, unit: { bankId, locationId, unitId }, ok, code, at: decision.at };
    if (!(await recordCommandResult(db, bank, result, now))) refused.add(line);
  }
  return refused;
}

const toGrantedReports = (bank: WholeGrantedBank, stored: readonly Stored[]): ReportOfUnit[] =>
  toReports(stored).map(({ unit, report }) => ({
    unit: { ...requireLocationOf(bank, unit.locationId), unitId: unit.unitId },
    report,
  }));

const listStates = ({ unit, decision: { at, effect } }: Stored) =>
  unit === undefined || effect.kind !== 'states'
    ? []
    : effect.values.map(({ name, text }) => ({ unit, name, value: text, at }));

function toHeldLine(planned: Planned, refused: ReadonlySet<Planned>): LineToHold | undefined {
  const { line, unit, correctionMs = null, decision } = planned;
  const held = { n: line.n, text: line.text, reason: null, correctionMs, unit };
  if (decision.kind === 'hold') return { ...held, code: decision.code };
  return refused.has(planned) ? { ...held, code: 'unknown-command' } : undefined;
}
