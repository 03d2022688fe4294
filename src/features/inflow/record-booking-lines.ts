// Makes and cancels the bookings of lines, one after another. What the rules of bookings refuse is held.

import type { LockableDb } from '../../database/db.ts';
import { takeLocks } from '../../database/locks.ts';
import type { OperationContext } from '../../http/context/operation-context.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { reservePostingIds } from '../account/queries/ledger-head.ts';
import { bookingsLock } from '../bookings/queries/booking-ids.ts';
import {
  cancelBooking,
  makeBooking,
  readBookingToCancel,
  type BookingOutcome,
  type BookingPlan,
} from './change-booking.ts';
import { formatRefName, type MoneyKnowledge, type PlannedLine } from './rules/plan-money-lines.ts';

type BookingLinesInput<P> = {
  readonly bank: WholeGrantedBank;
  readonly planned: readonly P[];
  readonly knowledge: MoneyKnowledge;
};

export async function recordBookingLines<P extends PlannedLine>(
  db: LockableDb,
  context: OperationContext,
  { bank, planned, knowledge }: BookingLinesInput<P>,
): Promise<ReadonlyMap<P, BookingOutcome>> {
  const outcomes = new Map<P, BookingOutcome>();
  /** The postings of bookings that lines before have made, by their references. */
  const postingIds = new Map<string, number>();
  for (const line of planned) {
    const plan = toBookingPlan(line, knowledge, postingIds);
    if (plan === undefined) continue;
    const outcome = await executeBooking(db, context, bank, plan);
    outcomes.set(line, outcome);
    if (outcome.kind === 'booked' && line.ref !== null)
      postingIds.set(formatRefName(line.unit, line.ref), outcome.postingId);
  }
  return outcomes;
}

export function toBookingPlan(
  { money, unit, decision }: PlannedLine,
  knowledge: Pick<MoneyKnowledge, 'currency' | 'vatBasisPoints'>,
  postingIds: ReadonlyMap<string, number> = new Map(),
): BookingPlan | undefined {
  if (money === undefined || unit === undefined) return undefined;
  if (decision.kind === 'make-booking') return { ...knowledge, kind: 'make', money, unit, decision };
  if (decision.kind !== 'cancel-booking') return undefined;
  const postingId = postingIds.get(formatRefName(unit, money.booking ?? ''));
  return { ...knowledge, kind: 'cancel', money, unit, decision, postingId };
}

async function executeBooking(
  db: LockableDb,
  context: OperationContext,
  bank: WholeGrantedBank,
  plan: BookingPlan,
): Promise<BookingOutcome> {
  const reserve = async (counts: { readonly bookings: number; readonly events: number }) => {
    const [ids] = await takeLocks(db, [bookingsLock(bank, counts)]);
    const ledger = await reservePostingIds(db, bank, { reservedCount: 1, now: undefined });
    if (ledger === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
    return { ids, ledger };
  };
  if (plan.kind === 'make') return makeBooking(db, bank, plan, { now: context.now, reserve });
  const found = await readBookingToCancel(db, context, bank, plan);
  return 'kind' in found ? found : cancelBooking(db, bank, found, { now: context.now, reserve });
}
