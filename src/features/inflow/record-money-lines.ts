// Stores lines of the stream of money: books them in the ledger, or holds them.

import type { LockableDb, WriteDb } from '../../database/db.ts';
import { takeLocks, type Lock } from '../../database/locks.ts';
import type { ComputerContext } from '../../http/context/operation-context.ts';
import type { WholeGrantedBank } from '../../permissions/coverage.ts';
import { appendPostings } from '../account/queries/ledger.ts';
import { ledgerLock, reservePostingIds } from '../account/queries/ledger-head.ts';
import { bookingsLock } from '../bookings/queries/booking-ids.ts';
import { outboxLock } from '../device-sync/queries/outbox.ts';
import { storeReportedStates } from '../units/queries/store-reported-states.ts';
import { recordBookingLines } from './record-booking-lines.ts';
import type { BookingOutcome } from './change-booking.ts';
import { readComputerUnits, toUnitContacts, type ComputerUnit } from './read-computer-units.ts';
import { listUnitContactLocks } from './queries/contacts.ts';
import { listHeldTextsBefore, type LineToHold } from './queries/held-lines.ts';
import { parseHeldFields } from './rules/held-fields.ts';
import { hashLineContent } from './rules/line-content.ts';
import { insertMoneyLines, type BookedLine } from './queries/money-lines.ts';
import { readMoneyKnowledge } from './read-money-knowledge.ts';
import type { NewLines, StoredLines } from './rules/new-lines.ts';
import { toMoneyDraft } from './rules/money-draft.ts';
import type { StreamLine } from './rules/parse-lines.ts';
import { hasReference, planMoneyLines, type MoneyKnowledge, type PlannedLine } from './rules/plan-money-lines.ts';
import { toReportedValue } from './rules/reported-values.ts';

type Planned = PlannedLine<ComputerUnit>;

/** How many lines will be booked is known only after a read: their ids are reserved then. */
export function listMoneyLocks(bank: WholeGrantedBank, lines: readonly StreamLine[]): readonly Lock[] {
  const ledger = ledgerLock(bank, { reservedCount: 0, now: undefined });
  return lines.some(isOfBooking)
    ? [outboxLock(bank), bookingsLock(bank, { bookings: 0, events: 0 }), ledger]
    : [ledger];
}

const isOfBooking = ({ fields }: StreamLine): boolean => fields?.['t'] === 'booking' || fields?.['t'] === 'cancel';

export async function recordMoneyLines(
  db: LockableDb,
  context: ComputerContext,
  newLines: NewLines,
): Promise<StoredLines> {
  const { bank, lines, now } = newLines;
  const units = await readComputerUnits(db, bank, context.computer.name);
  const knowledge = await readMoneyKnowledge(db, newLines, units);
  const heldContents = await readHeldContents(db, newLines);
  const planned = planMoneyLines(lines, knowledge, { ...newLines, heldContents });
  const bookings = await recordBookingLines(db, context, { bank, planned, knowledge });
  const booked = [...(await bookLines(db, bank, planned, knowledge)), ...listBookedBookings(planned, bookings)];
  await insertMoneyLines(db, { ...newLines, bankId: bank.bankId }, booked);
  await takeLocks(db, listUnitContactLocks(bank, toUnitContacts(planned, now)));
  await storeReportedStates(db, bank, planned.flatMap(listCounters));
  return {
    held: planned.flatMap((line) => toHeldLine(line, bookings.get(line)) ?? []),
    other: planned.filter(({ decision }) => decision.kind === 'other').length,
  };
}

/** Of earlier epochs, where a line can repeat one of them. */
async function readHeldContents(
  db: WriteDb,
  { bank, computerId, epochNumber, lines }: NewLines,
): Promise<ReadonlySet<string>> {
  if (epochNumber === 0 || !lines.some(hasReference)) return new Set();
  const held = await listHeldTextsBefore(db, { bank, computerId, stream: 'money' }, epochNumber);
  return new Set(held.map((text) => hashLineContent({ fields: parseHeldFields(text) })));
}

/** Appends the postings of all lines at once: their sums are written once. */
async function bookLines(
  db: WriteDb,
  bank: WholeGrantedBank,
  planned: readonly Planned[],
  knowledge: MoneyKnowledge,
): Promise<BookedLine[]> {
  const inputs = planned.flatMap(({ line: { n }, money, decision, ...rest }) =>
    money !== undefined && decision.kind === 'book' ? [{ ...rest, n, money, decision }] : [],
  );
  if (inputs.length === 0) return [];
  const head = await reservePostingIds(db, bank, { reservedCount: inputs.length, now: undefined });
  if (head === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  const { nextPostingId } = head;
  const draftContext = {
    ...knowledge,
    postingIdOf: (source: { readonly postingId: number } | { readonly plannedIndex: number }) =>
      'postingId' in source ? source.postingId : nextPostingId + source.plannedIndex,
  };
  await appendPostings(
    db,
    head,
    inputs.map((input) => toMoneyDraft(input, draftContext)),
  );
  return inputs.map((input, index) => ({ ...input, postingId: nextPostingId + index }));
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
