// Imports bookings that another system has had.

import type { LockableDb } from '../../../database/db.ts';
import { takeLocks } from '../../../database/locks.ts';
import { formatEventKid, parseKid } from '../../../lib/kid.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';
import { requireLocationOf } from '../../../permissions/coverage.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { findLedgerHead, ledgerLock } from '../../account/queries/ledger-head.ts';
import { latestTimeOf } from '../../account/rules/posting-draft.ts';
import { appendAudits } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { bookingCommandAccess, bookingsReadAccess } from '../../bookings/access.ts';
import { createRefusalProblem } from '../../bookings/answers.ts';
import { changeBooking } from '../../bookings/change-booking.ts';
import { bookingsLock } from '../../bookings/queries/booking-ids.ts';
import { findBookingByEvent } from '../../bookings/queries/bookings.ts';
import { readConditionsOfWrite } from '../../bookings/read-bookings.ts';
import { storeBookings } from '../../bookings/record-bookings.ts';
import { listRefusalCodes } from '../../bookings/rules/allowed-commands.ts';
import type { BookingDraft } from '../../bookings/rules/booking-draft.ts';
import { listSlots } from '../../bookings/rules/slots.ts';
import { outboxLock, queueSyncs } from '../../outbox/queries/outbox.ts';
import { readBookingRefusals } from './read-booking-refusals.ts';
import {
  isHiddenBooking,
  listBookingsAfter,
  listBookingsByKids,
  readBookingKnowledge,
  type ExportedBooking,
} from './queries/bookings-of-rows.ts';
import { bookingFields, combineBooking } from './rules/booking-fields.ts';
import { toBookingValues, toBookingValuesLike } from './rules/booking-values.ts';
import { decideBooking } from './rules/decide-booking.ts';
import { readHiddenIdentities } from '../queries/hidden-identities.ts';
import { answerDrafts, answerInTurn, answerNow, decideEach } from '../rules/answers.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import { exportPageSize, exportPages } from '../rules/export-pages.ts';
import { defineKind } from '../define-kind.ts';
import type { ImportTarget, KeyedRow, UndoableRow, UndoneRow } from '../import-kind.ts';
import { listChangeErrors, notFound } from '../rules/parse-fields.ts';

/**
 * Bookings that are not over have to be possible by the rules of bookings, at the time when the bookings were made;
 * bookings that are over are history. Prices are charged by postings, which are imported before the bookings.
 */
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
    const { decisionOf, drafts } = decideEach(
      rows.filter((row) => storedOf(row) === undefined),
      ({ values }) => decideBooking(values, knowledge, target.now),
    );
    const refusals = await readBookingRefusals(db, target, drafts);
    return (row) => {
      const given = row.values;
      const stored = storedOf(row);
      if (stored !== undefined) {
        const values = toBookingValuesLike(stored, given, knowledge);
        const revision = String(stored.event_id);
        return { current: { values, revision }, errors: listChangeErrors(given, values), claims: [] };
      }
      const decision = decisionOf(row);
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
    const { decisionOf, drafts } = decideEach(created, ({ values }) => decideBooking(values, knowledge, actor.now));
    const countEvents = ({ cancelled }: BookingDraft): number => (cancelled === undefined ? 1 : 2);
    const events = drafts.reduce((sum, draft) => sum + countEvents(draft), 0);
    const [ids] = await takeLocks(db, [bookingsLock(bank, { bookings: drafts.length, events })]);
    await storeBookings(db, bank, drafts, { ids, ledger: undefined, now: actor.now });
    let { nextEventId } = ids;
    const madeOf = answerNow(drafts, (draft) => {
      const objectKid = formatEventKid(knowledge.bankKid, nextEventId);
      nextEventId += countEvents(draft);
      return { draft, objectKid, latestEventId: nextEventId - 1 };
    });
    await recordBookings(db, actor, target, drafts.map(madeOf));
    return answerDrafts(decisionOf, (draft) => {
      const { objectKid, latestEventId } = madeOf(draft);
      return { objectKid, revision: String(latestEventId) };
    });
  },
  identity: {
    fields: ['resident', 'posting'],
    timeField: 'from',
    listHidden: async (db, target, kids) => {
      const [isHidden, stored] = await Promise.all([
        readHiddenIdentities(db, target),
        listBookingsByKids(db, target, kids),
      ]);
      return [...stored].flatMap(([kid, row]) => (isHiddenBooking(row, isHidden) ? kid : []));
    },
  },
  undo: (db, actor, target, rows) => answerInTurn(rows, (row) => cancelBooking(db, actor, target, row)),
  // Oldest id first.
  exportRows: async function* exportRows(db, target) {
    const { bank, now } = target;
    const bankKid = bankKidOf(target);
    const isHidden = await readHiddenIdentities(db, target);
    yield* exportPages(
      (last?: ExportedBooking) =>
        listBookingsAfter(db, bank, { after: last?.booking_id ?? 0, limit: exportPageSize, now }),
      (row) => ({
        objectKid: formatEventKid(bankKid, row.first_event_id),
        values: toBookingValues(row, bankKid, isHiddenBooking(row, isHidden)),
      }),
    );
  },
});

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

type MadeBooking = { readonly draft: BookingDraft; readonly objectKid: string; readonly latestEventId: number };

/** Devices are told of what is not over. */
async function recordBookings(
  db: LockableDb,
  actor: AuditContext,
  { bank }: ImportTarget,
  made: readonly MadeBooking[],
): Promise<void> {
  const ahead = made.filter(({ draft: { endAt, cancelled } }) => cancelled === undefined && endAt > actor.now);
  const records = ahead.map(({ draft: { locationId, unitId }, latestEventId: subjectId }) => {
    return { subjectKind: 'booking', subjectId, locationId, unitId } as const;
  });
  await queueSyncs(db, bank, records, actor.now);
  const audits = made.map(({ draft: { startAt, endAt, cancelled }, objectKid: object }) => {
    const state = cancelled === undefined ? 'Booked' : 'Cancelled';
    const after = { state, from: formatUtc(startAt), to: formatUtc(endAt) };
    return { object, bankId: bank.bankId, before: null, after };
  });
  await appendAudits(db, actor, audits);
}

/** Takes an imported booking back: as far as ExecuteBankBookingCommand would cancel it. */
async function cancelBooking(
  db: LockableDb,
  actor: AuditContext,
  { tenant, bank }: ImportTarget,
  { objectKid }: UndoableRow,
): Promise<UndoneRow> {
  const eventId = Number(parseKid(objectKid, tenant.name, ['event'])?.eventId);
  const row = await findBookingByEvent(db, bank, eventId);
  if (row === undefined) return { errors: [notFound('booking')] };
  const unit = { ...requireLocationOf(bank, row.location_id), unitId: row.unit_id };
  const booking = { bank, unit, row };
  const conditions = await readConditionsOfWrite(db, booking, { now: actor.now, tenant });
  const [code] = listRefusalCodes('Cancel', conditions, actor.now);
  if (code !== undefined) {
    const { message, details } = createRefusalProblem(code);
    return { errors: [{ field: 'kid', code, text: details.detail ?? message }] };
  }
  const [{ nextEventId }] = await takeLocks(db, [bookingsLock(bank, { bookings: 0, events: 1 })]);
  const ledger = await findLedgerHead(db, bank);
  const times = { now: actor.now, currentTime: actor.readClock() };
  const recordedAt = ledger === undefined ? actor.now : decideRecordingTime(latestTimeOf(ledger), times);
  await changeBooking(db, { actor, tenant }, booking, { command: 'Cancel', eventId: nextEventId, recordedAt });
  return { revision: String(nextEventId) };
}
