// Bookings that another system has had. Those that are not over have to be possible by the rules of bookings, at the time
// when they were made; what is over is history. Prices are charged by postings, which are imported before.

import type { LockableDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import { formatEventKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { ledgerLock } from '../../account/queries/ledger-head.ts';
import { appendAudits } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { bookingCommandAccess, bookingsReadAccess } from '../../bookings/access.ts';
import { bookingsLock } from '../../bookings/queries/booking-ids.ts';
import { storeBookings } from '../../bookings/record-bookings.ts';
import type { BookingDraft } from '../../bookings/rules/booking-draft.ts';
import { listSlots } from '../../bookings/rules/slots.ts';
import { outboxLock, queueSyncs } from '../../device-sync/queries/outbox.ts';
import { readBookingRefusals } from './read-booking-refusals.ts';
import { listBookingsAfter, readBookingKnowledge, type ExportedBooking } from './queries/bookings-of-rows.ts';
import { bookingFields, combineBooking } from './rules/booking-fields.ts';
import { toBookingValues, toBookingValuesLike } from './rules/booking-values.ts';
import { decideBooking, type BookingDecision } from './rules/decide-booking.ts';
import { listChangeErrors } from '../rules/row-errors.ts';
import { undoBookings } from './bookings-undo.ts';
import { readHiddenIdentities } from '../queries/hidden-identities.ts';
import { answerEach, answersOf, keepApplied } from '../rules/answers.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import { exportedTogether, exportPages } from '../rules/export-pages.ts';
import { defineKind } from '../define-kind.ts';
import type { ImportTarget, KeyedRow } from '../import-kind.ts';

export const bookingsKind = defineKind({
  name: 'bookings',
  belongsTo: 'bank',
  access: { ...bookingCommandAccess, grantLevel: 'bank' },
  readAccess: { ...bookingsReadAccess, grantLevel: 'bank' },
  fields: bookingFields,
  combine: combineBooking,
  isAppendOnly: true,
  findCurrent: async (db, target, rows) => {
    const knowledge = await readBookingKnowledge(db, target, rows);
    const storedOf = ({ objectKid }: KeyedRow) => knowledge.stored.get(objectKid ?? '');
    const decisions = answerEach(
      rows.filter((row) => storedOf(row) === undefined),
      ({ values }) => decideBooking(values, knowledge, target.now),
    );
    const refusals = await readBookingRefusals(db, target, listDrafts(decisions));
    return (row) => {
      const given = row.values;
      const stored = storedOf(row);
      if (stored !== undefined) {
        const values = toBookingValuesLike(stored, given, knowledge);
        const revision = String(stored.event_id);
        return { current: { values, revision }, errors: listChangeErrors(given, values), claims: [] };
      }
      const decision = answersOf(decisions)(row);
      if ('errors' in decision) return { current: null, errors: decision.errors, claims: [] };
      const refusal = refusals.get(decision.draft);
      const claims = listClaims(decision.draft, given, target.now);
      return { current: null, errors: refusal === undefined ? [] : [refusal], claims };
    };
  },
  locks: ({ bank }) => [
    outboxLock(bank),
    bookingsLock(bank, { bookings: 0, events: 0 }),
    ledgerLock(bank, { reservedCount: 0, now: undefined }),
  ],
  apply: async (db, actor, target, rows) => {
    const { bank } = target;
    const knowledge = await readBookingKnowledge(db, target, rows);
    const created = rows.filter(({ current }) => current === null);
    const decisions = answerEach(created, ({ values }) => decideBooking(values, knowledge, actor.now));
    const drafts = listDrafts(decisions);
    const countEvents = ({ cancelled }: BookingDraft): number => (cancelled === undefined ? 1 : 2);
    const events = drafts.reduce((sum, draft) => sum + countEvents(draft), 0);
    const [ids] = await takeLocks(db, [bookingsLock(bank, { bookings: drafts.length, events })]);
    await storeBookings(db, bank, drafts, { ids, ledger: undefined, now: actor.now });
    let { nextEventId } = ids;
    const eventsOf = answerEach(drafts, (draft) => {
      const firstEventId = nextEventId;
      nextEventId += countEvents(draft);
      return { firstEventId, latestEventId: nextEventId - 1 };
    });
    await recordBookings(db, actor, target, { bankKid: knowledge.bankKid, made: eventsOf });
    return (row) => {
      const decision = decisions.get(row);
      if (decision === undefined) return keepApplied(row);
      if ('errors' in decision) return decision;
      const { firstEventId, latestEventId } = answersOf(eventsOf)(decision.draft);
      return { objectKid: formatEventKid(knowledge.bankKid, firstEventId), revision: String(latestEventId) };
    };
  },
  undo: undoBookings,
  // Oldest id first.
  exportRows: async function* exportRows(db, target, viewer) {
    const { bank, now } = target;
    const bankKid = bankKidOf(target);
    const isHidden = await readHiddenIdentities(db, viewer);
    yield* exportPages(
      (last?: ExportedBooking) =>
        listBookingsAfter(db, bank, { after: last?.booking_id ?? 0, limit: exportedTogether, now }),
      (row) => ({
        objectKid: formatEventKid(bankKid, row.first_event_id),
        values: toBookingValues(row, bankKid, isHidden({ ...row, recorded_at: row.start_at })),
      }),
    );
  },
});

const listDrafts = (decisions: ReadonlyMap<unknown, BookingDecision>): BookingDraft[] =>
  [...decisions.values()].flatMap((decision) => ('draft' in decision ? [decision.draft] : []));

/** Time that is not over can be booked once, and a posting charges one booking. */
function listClaims(
  { startAt, endAt, cancelled }: BookingDraft,
  { unit = '', posting = '' }: KeyedRow['values'],
  now: number,
): string[] {
  const takesTime = cancelled === undefined && endAt > now;
  return [
    ...(takesTime ? listSlots(startAt, endAt).map((slot) => `from:${unit} ${slot}`) : []),
    ...(posting === '' ? [] : [`posting:${posting}`]),
  ];
}

type MadeBookings = {
  readonly bankKid: string;
  readonly made: ReadonlyMap<BookingDraft, { readonly firstEventId: number; readonly latestEventId: number }>;
};

/** Devices are told of what is not over. */
async function recordBookings(
  db: LockableDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  { bankKid, made }: MadeBookings,
): Promise<void> {
  const entries = [...made];
  const ahead = entries.filter(([{ endAt, cancelled }]) => cancelled === undefined && endAt > actor.now);
  const records = ahead.map(([{ locationId, unitId }, { latestEventId: subjectId }]) => {
    return { subjectKind: 'booking', subjectId, locationId, unitId } as const;
  });
  await queueSyncs(db, bank, records, actor.now);
  await appendAudits(
    db,
    actor,
    entries.map(([{ startAt, endAt, cancelled }, { firstEventId }]) => ({
      object: formatEventKid(bankKid, firstEventId),
      bankId: bank.bankId,
      before: null,
      after: {
        state: cancelled === undefined ? 'Booked' : 'Cancelled',
        from: formatUtc(startAt),
        to: formatUtc(endAt),
      },
    })),
  );
}
