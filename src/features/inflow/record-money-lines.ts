// Stores lines of the stream of money: books them in the ledger, or holds them.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { takeLocks, type Lock } from '../../database/locks.ts';
import { pairItems } from '../../lib/values/pair-items.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { reserveAndAppendPostings } from '../account/queries/ledger.ts';
import { findLedgerHead, ledgerLock, type LedgerHead } from '../account/queries/ledger-head.ts';
import type { PostingDraft } from '../account/rules/posting-draft.ts';
import { bookingsLock } from '../bookings/queries/booking-ids.ts';
import { outboxLock } from '../outbox/queries/outbox.ts';
import { storeReportedStates } from '../units/queries/store-reported-states.ts';
import { recordBookingLines } from './record-booking-lines.ts';
import type { BookingOutcome } from './change-booking.ts';
import { toUnitContacts, type ComputerUnit } from './read-computer-units.ts';
import { listUnitContactLocks } from './queries/contacts.ts';
import { listHeldTextsBefore, type LineToHold } from './queries/held-lines.ts';
import { parseHeldFields, hashLineContent, type StreamLine } from './rules/parse-lines.ts';
import { insertMoneyLines, type BookedLine } from './queries/money-lines.ts';
import type { KnownMoney, KnownRequest } from './read-money-knowledge.ts';
import type { NewLines, StoredLines } from './read-stream-request.ts';
import { toMoneyDraft } from './rules/money-draft.ts';
import { hasReference, planMoneyLines, type PlannedLine } from './rules/plan-money-lines.ts';
import { toReportedValue } from './rules/plan-samples.ts';

type Planned = PlannedLine<ComputerUnit>;

/** How many lines will be booked is known only after a read: their ids are reserved then. */
export function listMoneyLocks(bank: WholeGrantedBank, lines: readonly StreamLine[]): readonly Lock[] {
  const ledger = ledgerLock(bank, { reservedCount: 0, now: undefined });
  return lines.some(isOfBooking)
    ? [outboxLock(bank), bookingsLock(bank, { bookings: 0, events: 0 }), ledger]
    : [ledger];
}

const isOfBooking = ({ fields }: StreamLine): boolean => fields?.['t'] === 'booking' || fields?.['t'] === 'cancel';

/** What becomes of the new lines of a request. */
type Plan = KnownRequest & {
  readonly newLines: NewLines;
  readonly planned: readonly Planned[];
  readonly bookings: ReadonlyMap<Planned, BookingOutcome>;
};

/** Stores the new lines of requests of different streams. Returns what became of those of each. */
export async function recordMoneyLines(
  db: LockableDb,
  bank: WholeGrantedBank,
  { requests, ledger }: KnownMoney,
  newLines: readonly NewLines[],
): Promise<StoredLines[]> {
  const plans: Plan[] = [];
  for (const [known, added] of pairItems(requests, newLines)) {
    const { context, knowledge } = known;
    const heldContents = await readHeldContents(db, added);
    const planned = planMoneyLines(added.lines, knowledge, { ...added, heldContents });
    const bookings = await recordBookingLines(db, context, { bank, planned, knowledge });
    plans.push({ ...known, newLines: added, planned, bookings });
  }
  const hasBookings = plans.some(({ bookings }) => bookings.size > 0);
  await storePlans(db, bank, plans, hasBookings ? await findLedgerHead(db, bank) : ledger);
  return plans.map(({ planned, bookings }) => ({
    held: planned.flatMap((line) => toHeldLine(line, bookings.get(line)) ?? []),
    other: planned.filter(({ decision }) => decision.kind === 'other').length,
  }));
}

/** Reads held lines of earlier epochs, which a line can repeat. */
async function readHeldContents(
  db: WriteDb,
  { bank, computerId, epochNumber, lines }: NewLines,
): Promise<ReadonlySet<string>> {
  if (epochNumber === 0 || !lines.some(hasReference)) return new Set();
  const held = await listHeldTextsBefore(db, { bank, computerId, stream: 'money' }, epochNumber);
  return new Set(held.map((text) => hashLineContent({ fields: parseHeldFields(text) })));
}

/** Appends the postings of all lines at once: their sums are written once. */
async function storePlans(
  db: LockableDb,
  bank: WholeGrantedBank,
  plans: readonly Plan[],
  ledger: LedgerHead | undefined,
): Promise<void> {
  if (ledger === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  let { nextPostingId } = ledger;
  const drafted = plans.map((plan) => {
    const ofPlan = draftBooked(plan, nextPostingId);
    nextPostingId += ofPlan.drafts.length;
    return ofPlan;
  });
  const drafts = drafted.flatMap((each) => each.drafts);
  const contacts = plans.flatMap(({ planned, newLines: { now } }) => toUnitContacts(planned, now));
  // Sent together; the engine runs them in this order.
  await Promise.all([
    drafts.length === 0 ? undefined : reserveAndAppendPostings(db, bank, ledger, drafts),
    insertMoneyLines(db, bank, drafted),
    takeLocks(db, listUnitContactLocks(bank, contacts)),
    storeReportedStates(
      db,
      bank,
      plans.flatMap(({ planned }) => planned.flatMap(listCounters)),
    ),
  ]);
}

type DraftedLines = Pick<NewLines, 'computerId' | 'epochNumber'> & {
  readonly drafts: PostingDraft[];
  readonly booked: readonly BookedLine[];
};

/** The lines of a request that are booked, with the postings that are appended for them from this id on. */
function draftBooked({ planned, bookings, knowledge, newLines }: Plan, firstPostingId: number): DraftedLines {
  const inputs = planned.flatMap(({ line: { n }, money, decision, ...rest }) =>
    money !== undefined && decision.kind === 'book' ? [{ ...rest, n, money, decision }] : [],
  );
  const draftContext = {
    ...knowledge,
    postingIdOf: (source: { readonly postingId: number } | { readonly plannedIndex: number }) =>
      'postingId' in source ? source.postingId : firstPostingId + source.plannedIndex,
  };
  const { computerId, epochNumber } = newLines;
  return {
    computerId,
    epochNumber,
    drafts: inputs.map((input) => toMoneyDraft(input, draftContext)),
    booked: [
      ...inputs.map((input, index) => ({ ...input, postingId: firstPostingId + index })),
      ...listBookedBookings(planned, bookings),
    ],
  };
}

const listBookedBookings = (
  planned: readonly Planned[],
  bookings: ReadonlyMap<Planned, BookingOutcome>,
): BookedLine[] =>
  planned.flatMap((line) => {
    const outcome = bookings.get(line);
    return outcome?.kind === 'booked' ? [{ ...line, n: line.line.n, postingId: outcome.postingId }] : [];
  });

/** The states that a line of money reports. What is wrong with them does not hold the money. */
const listCounters = ({ money, unit, at, decision }: Planned) =>
  money === undefined || unit === undefined || at === undefined || decision.kind === 'hold'
    ? []
    : Object.entries(money.counters).flatMap((counter) => {
        const value = toReportedValue(unit, 'State', counter);
        return value === undefined ? [] : [{ unit, at, name: value.name, value: value.text }];
      });

function toHeldLine(planned: Planned, outcome: BookingOutcome | undefined): LineToHold | undefined {
  const { line, unit, correctionMs = null } = planned;
  const decision = outcome?.kind === 'hold' ? outcome : planned.decision;
  if (decision.kind !== 'hold') return undefined;
  const { code, reason = null } = decision;
  return { n: line.n, text: line.text, code, reason, correctionMs, unit };
}
