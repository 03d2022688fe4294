// Plans how a held line is booked: what it says is decided again, with what is known by now.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { guestId } from '../../lib/kid.ts';
import { Problem } from '../../lib/problem.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import type { PostingDraft } from '../account/rules/posting-draft.ts';
import { toBookingPlan } from './record-booking-lines.ts';
import { readComputerUnits } from './read-computer-units.ts';
import {
  findBookingRefusal,
  readBookingToCancel,
  toBookingPosting,
  type CancellableBooking,
  type MakePlan,
} from './change-booking.ts';
import type { HeldLineRow } from './queries/held-lines.ts';
import { findComputerName } from './queries/held-line-list.ts';
import { correctTime, isAhead } from './rules/clock.ts';
import { decideMoneyLine, type HoldDecision, type KeyHolder } from './rules/decide-money-line.ts';
import { parseHeldFields, hashLineContent, type StreamLine } from './rules/parse-lines.ts';
import { toMoneyDraft } from './rules/money-draft.ts';
import { findKeyHolder, formatRefName, storedRefOf, type PlannedLine } from './rules/plan-money-lines.ts';
import { readMoneyKnowledge } from './read-money-knowledge.ts';

export type ResolutionPlan = {
  readonly line: PlannedLine;
  readonly posting: PostingDraft;
  readonly booking:
    | { readonly kind: 'make'; readonly plan: MakePlan }
    | { readonly kind: 'cancel'; readonly found: CancellableBooking }
    | undefined;
};

type PlanInput = {
  readonly row: HeldLineRow;
  /** The resident whom a manager has chosen; undefined where the line's key decides. */
  readonly assignedTo: number | undefined;
};

/** Throws 422 `held-line-not-bookable`. */
export async function readResolution(
  db: Db,
  context: ManagerContext,
  bank: WholeGrantedBank,
  { row, assignedTo }: PlanInput,
): Promise<ResolutionPlan> {
  if (row.stream !== 'money') throw createNotBookableProblem('not-money');
  const computerName = await findComputerName(db, bank, row.computer_id);
  const streamLine: StreamLine = { n: row.n, text: row.line, fields: parseHeldFields(row.line) };
  const origin = { bank, computerId: row.computer_id, lines: [streamLine], now: context.now };
  const knowledge = await readMoneyKnowledge(db, origin, readComputerUnits(db, bank, computerName ?? ''));
  const line = planHeldLine(streamLine, row, { knowledge, assignedTo, now: context.now });
  const draftContext = { ...knowledge, postingIdOf: requirePostingId };
  const { money, decision } = line;
  if (money !== undefined && decision.kind === 'book') {
    const draft = toMoneyDraft({ ...line, n: row.n, money, decision }, draftContext);
    return { line, posting: draft, booking: undefined };
  }
  return planBooking(db, context, bank, { line, knowledge });
}

/** A held line is planned alone: the use that it refunds has its posting. */
function requirePostingId(source: { readonly postingId: number } | { readonly plannedIndex: number }): number {
  if ('postingId' in source) return source.postingId;
  throw new Error('a held line is planned alone');
}

type Knowledge = Awaited<ReturnType<typeof readMoneyKnowledge>>;
type HeldLineContext = { readonly knowledge: Knowledge; readonly assignedTo: number | undefined; readonly now: number };

function planHeldLine(
  line: StreamLine,
  row: HeldLineRow,
  { knowledge, assignedTo, now }: HeldLineContext,
): PlannedLine {
  const money = knowledge.moneyOf.get(line);
  const unit = money?.unit === undefined ? undefined : knowledge.units.get(money.unit);
  const ref = money?.ref === undefined ? null : storedRefOf(money.ref, unit, row.computer_id);
  const content = hashLineContent(line);
  const correctionMs = row.clock_offset_ms ?? undefined;
  const corrected =
    money === undefined || correctionMs === undefined ? undefined : correctTime(money.time, correctionMs);
  // A time that has still not come is that of the arrival.
  const at = corrected !== undefined && isAhead(corrected, now) ? row.received_at : corrected;
  const refunded =
    money?.refundedRef === undefined ? undefined : knowledge.uses.get(formatRefName(unit, money.refundedRef));
  const decision = decideMoneyLine(money, {
    at,
    isAhead: false,
    isUnitKnown: money?.unit === undefined || unit !== undefined,
    currency: knowledge.currency,
    content,
    knownContent: ref === null ? undefined : knowledge.contents.get(formatRefName(unit, ref)),
    keyHolder: chooseHolder(findKeyHolder(knowledge, money?.key), assignedTo),
    refunded,
  });
  const clockOffsetMs = money !== undefined && 'at' in money.time && correctionMs !== 0 ? (correctionMs ?? null) : null;
  return { line, money, unit, ref, content, at, correctionMs, clockOffsetMs, refunded, decision };
}

/** The manager confirms whose line it is, whenever that resident got the key. */
const chooseHolder = (holder: KeyHolder | undefined, assignedTo: number | undefined): KeyHolder => ({
  residentId: assignedTo ?? holder?.residentId ?? guestId,
  since: Number.NEGATIVE_INFINITY,
});

async function planBooking(
  db: Db,
  context: ManagerContext,
  bank: WholeGrantedBank,
  { line, knowledge }: { readonly line: PlannedLine; readonly knowledge: Knowledge },
): Promise<ResolutionPlan> {
  const plan = toBookingPlan(line, knowledge);
  if (plan === undefined) throw createHeldProblem(line);
  if (plan.kind === 'make') {
    throwIfHeld(await findBookingRefusal(db, bank, plan));
    return { line, posting: toBookingPosting(plan), booking: { kind: 'make', plan } };
  }
  const found = await readBookingToCancel(db, context, bank, plan);
  if ('kind' in found) throw createNotBookableProblem(reasonOf(found));
  return { line, posting: found.posting, booking: { kind: 'cancel', found } };
}

function throwIfHeld(hold: HoldDecision | undefined): void {
  if (hold !== undefined) throw createNotBookableProblem(reasonOf(hold));
}

/** A line that repeats a booked one is no line to book either. */
const createHeldProblem = ({ decision }: PlannedLine): Problem =>
  createNotBookableProblem(decision.kind === 'hold' ? reasonOf(decision) : 'ref-conflict');

type NotBookableReason = Parameters<typeof createNotBookableProblem>[0];

/** Nothing else is decided for a line whose time and resident are given. */
function reasonOf({ code }: HoldDecision): NotBookableReason {
  const reason = notBookableReasons.find((each) => each === code);
  if (reason === undefined) throw new Error(`a line with a time and a resident is held as ${code}`);
  return reason;
}

const notBookableReasons = [
  'malformed',
  'unknown-unit',
  'foreign-currency',
  'ref-conflict',
  'unknown-ref',
  'invalid-amount',
  'booking-refused',
] as const;

export const createNotBookableProblem = (reason: (typeof notBookableReasons)[number] | 'not-money'): Problem =>
  new Problem('held-line-not-bookable', { reason });
