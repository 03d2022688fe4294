// The write path of bookings: what it stores, in what order it numbers, and what it refuses.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
  dayMs,
  bookingDraft,
  hourMs,
  minuteMs,
  bookingTestNow,
  createBookableBank,
  countSlotsByBooking,
  readBookings,
  readBookingEvents,
  readBankRows,
} from '../support/bookings.ts';
import { insertTestBank } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-proof.ts';
import { instantOf } from '../support/account-oracle.ts';
import { readPostings } from '../support/reversal.ts';
import { onBothEngines, startService, type TestService } from '../support/service.ts';
import { grantBank } from '../support/granted-banks.ts';

onBothEngines((engine) => {
  let service: TestService;
  let bankId = 1000;
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(bookingTestNow).epochMilliseconds });
  });
  after(() => service.stop());

  const newBank = async (): Promise<number> => {
    bankId += 1;
    await createBookableBank(service, { bankId });
    return bankId;
  };
  const record = (bank: number, drafts: readonly BookingDraft[]): Promise<number> =>
    service.write('sund', (db) => recordBookings(db, grantBank(bank), drafts, bookingTestNow));
  /** A posting that charges what is booked by default; answers its id. */
  const post = (bank: number, change: Partial<PostingDraft>): Promise<number> =>
    service.write('sund', (db) =>
      lockAndAppendPostings(db, grantBank(bank), [
        {
          recordedAt: bookingTestNow - 2 * dayMs,
          locationId: 1,
          unitId: 1,
          userId: 1001,
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

  test(`bookings, their events and their charges are numbered in the order given, in one transaction (${engine})`, async () => {
    const bank = await newBank();
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
        [1, 'Booked', bookingTestNow - dayMs, 2],
        [2, 'Booked', bookingTestNow - dayMs, null],
        [2, 'Cancelled', cancelledAnHourAgo.at, null],
        [3, 'Booked', bookingTestNow - dayMs, 3],
        [4, 'Booked', bookingTestNow - dayMs, null],
        [5, 'Booked', bookingTestNow - dayMs, 1],
      ],
    );
    const postings = await readPostings(service, bank);
    assert.deepEqual(
      postings.map(({ amount_minor, vat_minor, text, recorded_at }) => [amount_minor, vat_minor, text, recorded_at]),
      [
        [-800, null, 'Paid before', bookingTestNow - 2 * dayMs],
        [-500, null, 'Reservation fee', bookingTestNow - dayMs],
        [-700, -140, 'Fee', bookingTestNow - dayMs],
      ],
    );
    assert.deepEqual(await countSlotsByBooking(service, bank), { 1: 12, 3: 12, 4: 12, 5: 12 });
    assert.equal(await insertBooking(service, { startAt: bookingDraft().startAt + dayMs }, bank), 7);
    assert.deepEqual(await verifyBankLedger(service, bank), []);
  });

  test(`[bookings.13] a time that is taken is 409 booking-overlap, and none of those recorded with it is there (${engine})`, async () => {
    const bank = await newBank();
    await insertBooking(service, {}, bank);
    const world = await readBankRows(service, bank);
    for (const overlapping of [later(0), later(0.5), later(-0.5), later(-1, { hours: 3 }), later(11 / 12)])
      await assert.rejects(record(bank, [later(5, { priceMinor: 500n, charge: bookingCharge }), overlapping]), {
        code: 'booking-overlap',
      });
    await assert.rejects(record(bank, [later(5), later(5.5)]), { code: 'booking-overlap' });
    assert.deepEqual(await readBankRows(service, bank), world);
  });

  test(`what has been over for two weeks takes no time, what is over since takes it (${engine})`, async () => {
    const bank = await newBank();
    await record(bank, [
      bookingDraft({ startAt: bookingTestNow - 14 * dayMs - hourMs }),
      bookingDraft({ startAt: bookingTestNow - 14 * dayMs + 5 * minuteMs - hourMs }),
    ]);
    assert.deepEqual(await countSlotsByBooking(service, bank), { 2: 12 });
  });

  test(`a posting that is said to have charged a booking is of its bank, resident, place and currency, and of its price (${engine})`, async () => {
    const bank = await newBank();
    const elsewhere = await newBank();
    const id = await post(elsewhere, {});
    const wrong: Partial<PostingDraft>[] = [
      { userId: 1002 },
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

  test(`a posting charges one booking, whoever says otherwise (${engine})`, async () => {
    const bank = await newBank();
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

  test(`a booking clears its unit of slots that nobody needs any more (${engine})`, async () => {
    const bank = await newBank();
    await record(bank, [
      bookingDraft({ startAt: bookingTestNow - hourMs }),
      bookingDraft({ startAt: bookingTestNow - hourMs, unitId: 2 }),
    ]);
    assert.deepEqual(await countSlotsByBooking(service, bank), { 1: 12, 2: 12 });
    const change = { startAt: bookingTestNow + 20 * dayMs };
    await insertBooking(service, change, bank, bookingTestNow + 15 * dayMs);
    assert.deepEqual(await countSlotsByBooking(service, bank), { 2: 12, 3: 12 });
  });

  test(`[bookings.15] only what moves money tells those who keep accounts in memory (${engine})`, async () => {
    const bank = await newBank();
    const touchedBy = (change: Parameters<typeof bookingDraft>[0]): Promise<string[]> =>
      service.write('sund', async (db) => {
        await recordBookings(db, grantBank(bank), [bookingDraft(change)], bookingTestNow);
        return [...db.changedTopics];
      });
    assert.deepEqual(await touchedBy({ priceMinor: 500n }), []);
    assert.deepEqual(
      await touchedBy({ startAt: bookingTestNow + 5 * dayMs, priceMinor: 500n, charge: bookingCharge }),
      [ledgerTopic(bank)],
    );
  });

  test(`what is no booking is refused, and nothing is stored (${engine})`, async () => {
    const bank = await newBank();
    const world = await readBankRows(service, bank);
    const wrong: Parameters<typeof bookingDraft>[0][] = [
      { startAt: bookingTestNow + 1 },
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
