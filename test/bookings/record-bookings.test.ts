// The write path of bookings: what it stores, in what order it numbers, and what it refuses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteDb } from '../../src/database/db.ts';
import { DuplicateError } from '../../src/database/errors.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { ledgerTopic } from '../../src/features/account/queries/ledger-head.ts';
import { recordBookings } from '../../src/features/bookings/record-bookings.ts';
import type { BookingDraft } from '../../src/features/bookings/rules/booking-draft.ts';
import {
  insertBooking,
  cancelledAnHourAgo,
  bookingCharge,
  bookingDraft,
  countSlotsByBooking,
  readBookings,
  readBookingEvents,
  readBankRows,
} from '../support/bookings.ts';
import { dayMs, hourMs, minuteMs, testNow } from '../support/times.ts';
import { insertTestBank } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { readPostings } from '../support/reversal.ts';
import { grantBank } from '../support/granted-banks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBookableBank } from '../support/with-bank.ts';

serviceSuite({ now: testNow, manager: false }, (suite) => {
  const { service } = suite;
  const record = (bank: number, drafts: readonly BookingDraft[]): Promise<number> =>
    service.write('sund', (db) => recordBookings(db, grantBank(bank), drafts, testNow));
  /** Records a posting that charges the default booking; returns its id. */
  const post = (bank: number, change: Partial<PostingDraft>): Promise<number> =>
    service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(bank), [
        {
          recordedAt: testNow - 2 * dayMs,
          locationId: 1,
          unitId: 1,
          residentId: 1001,
          kind: 'Booking',
          currency: 'DKK',
          amountMinor: -800n,
          text: 'Paid before',
          ...change,
        },
      ]),
    );
  const later = (hours: number, change: Parameters<typeof bookingDraft>[0] = {}): BookingDraft =>
    bookingDraft({ startAt: bookingDraft().startAt + hours * hourMs, ...change });

  test('bookings, their events and their charges are numbered in the order given, in one transaction', async () => {
    const bank = await newBookableBank(suite);
    await post(bank, { amountMinor: -800n });
    const first = await record(bank, [
      later(0, { priceMinor: 500n, charge: bookingCharge }),
      later(1, { priceMinor: 600n, cancelled: cancelledAnHourAgo }),
      later(2, { priceMinor: 700n, charge: { text: 'Fee', vatMinor: -140n } }),
      later(3, { priceMinor: 0n, charge: bookingCharge }),
      later(4, { priceMinor: 800n, postingId: 1 }),
    ]);
    assert.equal(first, 1);
    const bookings = await readBookings(service, bank);
    assert.deepEqual(
      bookings.map(({ booking_id, event_id, state }) => [booking_id, event_id, state]),
      [
        [1, 1, 'Booked'],
        [2, 3, 'Cancelled'],
        [3, 4, 'Booked'],
        [4, 5, 'Booked'],
        [5, 6, 'Booked'],
      ],
    );
    const events = await readBookingEvents(service, bank);
    assert.deepEqual(
      events.map(({ booking_id, kind, at, posting_id }) => [booking_id, kind, at, posting_id]),
      [
        [1, 'Booked', testNow - dayMs, 2],
        [2, 'Booked', testNow - dayMs, null],
        [2, 'Cancelled', cancelledAnHourAgo.at, null],
        [3, 'Booked', testNow - dayMs, 3],
        [4, 'Booked', testNow - dayMs, null],
        [5, 'Booked', testNow - dayMs, 1],
      ],
    );
    const postings = await readPostings(service, bank);
    assert.deepEqual(
      postings.map(({ amount_minor, vat_minor, text, recorded_at }) => [amount_minor, vat_minor, text, recorded_at]),
      [
        [-800, null, 'Paid before', testNow - 2 * dayMs],
        [-500, null, 'Reservation fee', testNow - dayMs],
        [-700, -140, 'Fee', testNow - dayMs],
      ],
    );
    assert.deepEqual(await countSlotsByBooking(service, bank), { 1: 12, 3: 12, 4: 12, 5: 12 });
    assert.equal(await insertBooking(service, { startAt: bookingDraft().startAt + dayMs }, bank), 7);
    assert.deepEqual(await verifyBankLedger(service, bank), []);
  });

  test('[bookings.13] a time that is taken is 409 booking-overlap, and nothing of its batch is recorded', async () => {
    const bank = await newBookableBank(suite);
    await insertBooking(service, {}, bank);
    const world = await readBankRows(service, bank);
    for (const overlapping of [later(0), later(0.5), later(-0.5), later(-1, { hours: 3 }), later(11 / 12)])
      await assert.rejects(record(bank, [later(5, { priceMinor: 500n, charge: bookingCharge }), overlapping]), {
        code: 'booking-overlap',
      });
    await assert.rejects(record(bank, [later(5), later(5.5)]), { code: 'booking-overlap' });
    assert.deepEqual(await readBankRows(service, bank), world);
  });

  test('a booking that ended two weeks ago takes no slots, a later one does', async () => {
    const bank = await newBookableBank(suite);
    await record(bank, [
      bookingDraft({ startAt: testNow - 14 * dayMs - hourMs }),
      bookingDraft({ startAt: testNow - 14 * dayMs + 5 * minuteMs - hourMs }),
    ]);
    assert.deepEqual(await countSlotsByBooking(service, bank), { 2: 12 });
  });

  test('the posting that charged a booking must have its bank, resident, place, currency and price', async () => {
    const bank = await newBookableBank(suite);
    const elsewhere = await newBookableBank(suite);
    const id = await post(elsewhere, {});
    const wrong: Partial<PostingDraft>[] = [
      { residentId: 1002 },
      { locationId: 2 },
      { unitId: 2 },
      { currency: 'EUR' },
      { kind: 'Consumption' },
      { amountMinor: -799n },
      { amountMinor: 800n },
      { amountMinor: 0n },
    ];
    const ids = [id + 1000];
    for (const change of wrong) ids.push(await post(bank, change));
    const world = await readBankRows(service, bank);
    for (const postingId of ids)
      await assert.rejects(record(bank, [later(5), later(0, { priceMinor: 800n, postingId })]), RangeError);
    assert.deepEqual(await readBankRows(service, bank), world);
    for (const [at, unitId] of [1, 0].entries()) {
      const postingId = await post(bank, { unitId });
      await record(bank, [later(at, { priceMinor: 800n, postingId })]);
    }
    assert.deepEqual(await verifyBankLedger(service, bank), []);
  });

  test('a posting charges only one booking', async () => {
    const bank = await newBookableBank(suite);
    const postingId = await post(bank, {});
    const charged = (hours: number) => later(hours, { priceMinor: 800n, postingId });
    await assert.rejects(record(bank, [charged(0), charged(1)]), RangeError);
    await record(bank, [charged(0)]);
    const world = await readBankRows(service, bank);
    await assert.rejects(record(bank, [charged(1)]), RangeError);
    assert.deepEqual(await readBankRows(service, bank), world);
    await record(bank, [later(2)]);
    const another = (db: WriteDb): Promise<unknown> =>
      db
        .updateTable('booking_events')
        .set({ posting_id: postingId })
        .where('bank_id', '=', bank)
        .where('posting_id', 'is', null)
        .execute();
    await assert.rejects(service.write('sund', another), DuplicateError);
  });

  test('a new booking deletes old slots of its unit', async () => {
    const bank = await newBookableBank(suite);
    await record(bank, [
      bookingDraft({ startAt: testNow - hourMs }),
      bookingDraft({ startAt: testNow - hourMs, unitId: 2 }),
    ]);
    assert.deepEqual(await countSlotsByBooking(service, bank), { 1: 12, 2: 12 });
    const change = { startAt: testNow + 20 * dayMs };
    await insertBooking(service, change, bank, testNow + 15 * dayMs);
    assert.deepEqual(await countSlotsByBooking(service, bank), { 2: 12, 3: 12 });
  });

  test('[bookings.15] only a charged booking publishes the topic of the ledger', async () => {
    const bank = await newBookableBank(suite);
    const touchedBy = (change: Parameters<typeof bookingDraft>[0]): Promise<string[]> =>
      service.write('sund', async (db) => {
        await recordBookings(db, grantBank(bank), [bookingDraft(change)], testNow);
        return [...db.changedTopics];
      });
    assert.deepEqual(await touchedBy({ priceMinor: 500n }), []);
    assert.deepEqual(await touchedBy({ startAt: testNow + 5 * dayMs, priceMinor: 500n, charge: bookingCharge }), [
      ledgerTopic(bank),
    ]);
  });

  test('an invalid booking is refused, and nothing is stored', async () => {
    const bank = await newBookableBank(suite);
    const world = await readBankRows(service, bank);
    const wrong: Parameters<typeof bookingDraft>[0][] = [
      { startAt: testNow + 1 },
      { endAt: bookingDraft().startAt + 1 },
      { endAt: bookingDraft().startAt },
      { endAt: bookingDraft().startAt + 15 * dayMs },
      { priceMinor: -1n },
      { priceMinor: 2n ** 63n },
      { currency: '' },
      { currency: 'dkk' },
      { charge: bookingCharge, postingId: 1 },
      { charge: bookingCharge, cancelled: cancelledAnHourAgo },
    ];
    for (const change of wrong) await assert.rejects(record(bank, [later(5), bookingDraft(change)]), RangeError);
    assert.deepEqual(await readBankRows(service, bank), world);
    await service.write('sund', (db) => insertTestBank(db, { bankId: 5000 }));
    assert.equal(await record(5000, [bookingDraft()]), 1);
  });
});
