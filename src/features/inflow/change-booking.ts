// Makes a booking that a line names, or cancels one, with its posting, its slots and the records for the devices.

import type { Db, WriteDb } from '../../database/db.ts';
import { StorageError } from '../../database/errors.ts';
import type { OperationContext } from '../../http/context/operation-context.ts';
import { parseKid } from '../../lib/kid.ts';
import { requireLocationOf, type UnitKey, type WholeGrantedBank } from '../../permissions/coverage.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import type { LedgerHead } from '../account/queries/ledger-head.ts';
import { containedVat, type PostingDraft } from '../account/rules/posting-draft.ts';
import { appendBookingEvent, findPostedAmounts } from '../bookings/queries/booking-events.ts';
import type { ReservedBookingIds } from '../bookings/queries/booking-ids.ts';
import {
  findBookingByEvent,
  listBookings,
  type BookingRow,
  type GrantedBooking,
} from '../bookings/queries/bookings.ts';
import { updateSlotsOfBooking } from '../bookings/queries/write-slots.ts';
import { readConditionsOfWrite } from '../bookings/read-bookings.ts';
import { storeBookings } from '../bookings/record-bookings.ts';
import { listRefusalCodes } from '../bookings/rules/allowed-commands.ts';
import { draftCommandPosting } from '../bookings/rules/command-posting.ts';
import { queueSync } from '../outbox/queries/outbox.ts';
import { findBookingIdOfPosting, findPostingIdOfRef, isTimeTaken } from './queries/money-lines.ts';
import type { HoldDecision, MoneyDecision } from './rules/decide-money-line.ts';
import type { MoneyLine } from './rules/money-line.ts';

type PlanOf<K extends string, D extends string> = {
  readonly kind: K;
  readonly money: MoneyLine;
  readonly unit: UnitKey;
  readonly decision: Extract<MoneyDecision, { kind: D }>;
  readonly currency: string;
  readonly vatBasisPoints: number | null;
};
export type MakePlan = PlanOf<'make', 'make-booking'>;
type CancelPlan = PlanOf<'cancel', 'cancel-booking'> & {
  /** The posting of the booking, where a line of the same request has made it. */
  readonly postingId: number | undefined;
};
export type BookingPlan = MakePlan | CancelPlan;

export type BookingOutcome = { readonly kind: 'booked'; readonly postingId: number } | HoldDecision;

type Reserved = { readonly ids: ReservedBookingIds; readonly ledger: LedgerHead };
type ExecuteContext = {
  readonly now: number;
  /** Reserves the ids of bookings and events, and that of one posting. */
  readonly reserve: (counts: { readonly bookings: number; readonly events: number }) => Promise<Reserved>;
};

const refuse = (reason: string): HoldDecision => ({ kind: 'hold', code: 'booking-refused', reason });

/** Undefined where nothing is against the booking. */
export const findBookingRefusal = async (
  db: Db,
  bank: WholeGrantedBank,
  { unit, money: { from = 0, to = 0 } }: MakePlan,
): Promise<HoldDecision | undefined> =>
  (await isTimeTaken(db, bank, unit, { from, to })) ? refuse('overlap') : undefined;

/** A booking without a price has a posting of zero, by which its line is found. */
export async function makeBooking(
  db: WriteDb,
  bank: WholeGrantedBank,
  plan: MakePlan,
  { now, reserve }: ExecuteContext,
): Promise<BookingOutcome> {
  const refusal = await findBookingRefusal(db, bank, plan);
  if (refusal !== undefined) return refusal;
  const { unit, money, decision, currency } = plan;
  const { at, residentId, priceMinor } = decision;
  const { ids, ledger } = await reserve({ bookings: 1, events: 1 });
  const postingId = ledger.nextPostingId;
  const place = { locationId: unit.locationId, unitId: unit.unitId, residentId, currency };
  await appendPostings(db, ledger, [toBookingPosting(plan)]);
  const draft = { ...place, startAt: money.from ?? 0, endAt: money.to ?? 0, priceMinor, createdAt: at, postingId };
  await storeBookings(db, bank, [draft], { ids, ledger: undefined, now });
  const record = { subjectKind: 'booking', subjectId: ids.nextEventId, ...place } as const;
  await queueSync(db, bank, record, now);
  return { kind: 'booked', postingId };
}

export const toBookingPosting = ({ unit, money, decision, currency, vatBasisPoints }: MakePlan): PostingDraft => ({
  recordedAt: decision.at,
  locationId: unit.locationId,
  unitId: unit.unitId,
  residentId: decision.residentId,
  kind: 'Booking',
  currency,
  amountMinor: -decision.priceMinor,
  vatMinor: containedVat(-decision.priceMinor, vatBasisPoints),
  documentId: money.documentId ?? null,
  text: money.text,
});

/** A booking that can be cancelled, and what its cancellation posts. */
export type CancellableBooking = {
  readonly booking: GrantedBooking;
  /** Undefined where nothing is refunded. */
  readonly refund: PostingDraft | undefined;
  /** The refund; or a posting of zero, by which the line is found. */
  readonly posting: PostingDraft;
};

/** The booking that the line names, or why it cannot be cancelled: as it was at the time of the line. */
export async function readBookingToCancel(
  db: Db,
  { tenant }: Pick<OperationContext, 'tenant'>,
  bank: WholeGrantedBank,
  plan: CancelPlan,
): Promise<CancellableBooking | HoldDecision> {
  const { unit, decision, money } = plan;
  const row = await findBooking(db, bank, plan);
  if (row === undefined || row.location_id !== unit.locationId || row.unit_id !== unit.unitId)
    return { kind: 'hold', code: 'unknown-ref' };
  const granted = { ...requireLocationOf(bank, unit.locationId), unitId: unit.unitId };
  const booking: GrantedBooking = { bank, unit: granted, row };
  const conditions = await readConditionsOfWrite(db, booking, { now: decision.at, tenant });
  const [code] = listRefusalCodes('Cancel', conditions, decision.at);
  if (code !== undefined) return refuse(code);
  const postedAmounts = await findPostedAmounts(db, booking);
  const { policy } = conditions;
  const refund = draftCommandPosting(row, { command: 'Cancel', recordedAt: decision.at, policy, postedAmounts });
  return { booking, refund, posting: refund ?? toZeroPosting(row, money, decision.at) };
}

/** By one of its events, or by the reference with which it was made. */
async function findBooking(
  db: Db,
  bank: WholeGrantedBank,
  { unit, money: { booking = '' }, postingId: known }: CancelPlan,
): Promise<BookingRow | undefined> {
  const event = parseKid(booking, bank.tenant, ['event']);
  if (event !== undefined) {
    const eventId = Number(event.eventId);
    const isOfBank = event.bankId === bank.bankId && Number.isSafeInteger(eventId);
    return isOfBank ? findBookingByEvent(db, bank, eventId) : undefined;
  }
  const postingId = known ?? (await findPostingIdOfRef(db, bank, unit, booking));
  const bookingId = postingId === undefined ? undefined : await findBookingIdOfPosting(db, bank, postingId);
  if (bookingId === undefined) return undefined;
  const [row] = await listBookings(db, bank, [bookingId]);
  return row;
}

export async function cancelBooking(
  db: WriteDb,
  bank: WholeGrantedBank,
  { booking, refund, posting }: CancellableBooking,
  { now, reserve }: ExecuteContext,
): Promise<BookingOutcome> {
  await updateSlotsOfBooking(db, booking, { command: 'Cancel', now });
  const { ids, ledger } = await reserve({ bookings: 0, events: 1 });
  await appendPostings(db, ledger, [posting]);
  const postingId = ledger.nextPostingId;
  const event = { event_id: ids.nextEventId, kind: 'Cancelled', at: posting.recordedAt, editor_id: null };
  const isUpdated = await appendBookingEvent(db, booking, {
    ...event,
    posting_id: refund === undefined ? null : postingId,
  });
  // The locks keep others away, so somebody changed the booking without them: this transaction runs again.
  if (!isUpdated) throw new StorageError('rolled-back');
  const { locationId, unitId } = booking.unit;
  await queueSync(db, bank, { subjectKind: 'booking', subjectId: ids.nextEventId, locationId, unitId }, now);
  return { kind: 'booked', postingId };
}

/** A cancellation that refunds nothing has a posting of zero, by which its line is found. */
const toZeroPosting = (row: BookingRow, { text }: MoneyLine, recordedAt: number): PostingDraft => ({
  recordedAt,
  locationId: row.location_id,
  unitId: row.unit_id,
  residentId: row.user_id,
  kind: 'Booking',
  currency: row.currency,
  amountMinor: 0n,
  text,
});
