// The write path of bookings: what it stores, in what order it numbers, and what it refuses.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WriteDb } from '../../src/database/dialect.ts';
import { DuplicateError } from '../../src/database/errors.ts';
import { recordPostings, type PostingDraft } from '../../src/features/account/ledger.ts';
import { ledgerTopic } from '../../src/features/account/ledger-head.ts';
import { recordBookings } from '../../src/features/bookings/record.ts';
import type { BookingDraft } from '../../src/features/bookings/record-rows.ts';
import {
  book,
  cancelled,
  charge,
  dayMs,
  draft,
  hourMs,
  minuteMs,
  now,
  openBookable,
  slotHolders,
  storedBookings,
  storedEvents,
  worldOf,
} from '../support/bookings.ts';
import { makeBank } from '../support/factories.ts';
import { proofOf } from '../support/ledger-proof.ts';
import { instantOf } from '../support/oracle.ts';
import { storedPostings } from '../support/reversal.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';

onBothEngines((engine) => {
  let service: Service;
  let bankId = 1000;
  before(async () => {
    service = await startService(engine, { clock: () => instantOf(now).epochMilliseconds });
  });
  after(() => service.stop());

  const newBank = async (): Promise<number> => {
    bankId += 1;
    await openBookable(service, { bankId });
    return bankId;
  };
  const record = (bank: number, drafts: readonly BookingDraft[]): Promise<number> =>
    service.write('sund', (db) => recordBookings(db, bank, drafts, now));
  /** A posting that charges what is booked by default; answers its id. */
  const post = (bank: number, change: Partial<PostingDraft>): Promise<number> =>
    service.write('sund', (db) =>
      recordPostings(db, bank, [
        {
          recordedAt: now - 2 * dayMs,
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
  const later = (hours: number, change: Parameters<typeof draft>[0] = {}): BookingDraft =>
    draft({ startAt: draft().startAt + hours * hourMs, ...change });

  test(`bookings, their events and their charges are numbered in the order given, in one transaction (${engine})`, async () => {
    const bank = await newBank();
    await post(bank, { amountMinor: -800n });
    const first = await record(bank, [
      later(0, { priceMinor: 500n, charge }),
      later(1, { priceMinor: 600n, cancelled }),
      later(2, { priceMinor: 700n, charge: { text: 'Fee', vatMinor: -140n } }),
      later(3, { priceMinor: 0n, charge }),
      later(4, { priceMinor: 800n, postingId: 1 }),
    ]);
    assert.equal(first, 1);
    const bookings = await storedBookings(service, bank);
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
    const events = await storedEvents(service, bank);
    assert.deepEqual(
      events.map(({ booking_id, kind, at, posting_id }) => [booking_id, kind, at, posting_id]),
      [
        [1, 'Booked', now - dayMs, 2],
        [2, 'Booked', now - dayMs, null],
        [2, 'Cancelled', cancelled.at, null],
        [3, 'Booked', now - dayMs, 3],
        [4, 'Booked', now - dayMs, null],
        [5, 'Booked', now - dayMs, 1],
      ],
    );
    const postings = await storedPostings(service, bank);
    assert.deepEqual(
      postings.map(({ amount_minor, vat_minor, text, recorded_at }) => [amount_minor, vat_minor, text, recorded_at]),
      [
        [-800, null, 'Paid before', now - 2 * dayMs],
        [-500, null, 'Reservation fee', now - dayMs],
        [-700, -140, 'Fee', now - dayMs],
      ],
    );
    assert.deepEqual(await slotHolders(service, bank), { 1: 12, 3: 12, 4: 12, 5: 12 });
    assert.equal(await book(service, { startAt: draft().startAt + dayMs }, bank), 7);
    assert.deepEqual(await proofOf(service, bank), []);
  });

  test(`[bookings.13] a time that is taken is 409 booking-overlap, and none of those recorded with it is there (${engine})`, async () => {
    const bank = await newBank();
    await book(service, {}, bank);
    const world = await worldOf(service, bank);
    for (const overlapping of [later(0), later(0.5), later(-0.5), later(-1, { hours: 3 }), later(11 / 12)])
      await assert.rejects(record(bank, [later(5, { priceMinor: 500n, charge }), overlapping]), {
        code: 'booking-overlap',
      });
    await assert.rejects(record(bank, [later(5), later(5.5)]), { code: 'booking-overlap' });
    assert.deepEqual(await worldOf(service, bank), world);
  });

  test(`what has been over for two weeks takes no time, what is over since takes it (${engine})`, async () => {
    const bank = await newBank();
    await record(bank, [
      draft({ startAt: now - 14 * dayMs - hourMs }),
      draft({ startAt: now - 14 * dayMs + 5 * minuteMs - hourMs }),
    ]);
    assert.deepEqual(await slotHolders(service, bank), { 2: 12 });
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
    const world = await worldOf(service, bank);
    for (const postingId of ids)
      await assert.rejects(record(bank, [later(5), later(0, { priceMinor: 800n, postingId })]), RangeError);
    assert.deepEqual(await worldOf(service, bank), world);
    for (const [at, unitId] of [1, 0].entries()) {
      const postingId = await post(bank, { unitId });
      await record(bank, [later(at, { priceMinor: 800n, postingId })]);
    }
    assert.deepEqual(await proofOf(service, bank), []);
  });

  test(`a posting charges one booking, whoever says otherwise (${engine})`, async () => {
    const bank = await newBank();
    const postingId = await post(bank, {});
    const charged = (hours: number) => later(hours, { priceMinor: 800n, postingId });
    await assert.rejects(record(bank, [charged(0), charged(1)]), RangeError);
    await record(bank, [charged(0)]);
    const world = await worldOf(service, bank);
    await assert.rejects(record(bank, [charged(1)]), RangeError);
    assert.deepEqual(await worldOf(service, bank), world);
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
    await record(bank, [draft({ startAt: now - hourMs }), draft({ startAt: now - hourMs, unitId: 2 })]);
    assert.deepEqual(await slotHolders(service, bank), { 1: 12, 2: 12 });
    const change = { startAt: now + 20 * dayMs };
    await book(service, change, bank, now + 15 * dayMs);
    assert.deepEqual(await slotHolders(service, bank), { 2: 12, 3: 12 });
  });

  test(`[bookings.15] only what moves money tells those who keep accounts in memory (${engine})`, async () => {
    const bank = await newBank();
    const touchedBy = (change: Parameters<typeof draft>[0]): Promise<string[]> =>
      service.write('sund', async (db) => {
        await recordBookings(db, bank, [draft(change)], now);
        return [...db.touched];
      });
    assert.deepEqual(await touchedBy({ priceMinor: 500n }), []);
    assert.deepEqual(await touchedBy({ startAt: now + 5 * dayMs, priceMinor: 500n, charge }), [ledgerTopic(bank)]);
  });

  test(`what is no booking is refused, and nothing is stored (${engine})`, async () => {
    const bank = await newBank();
    const world = await worldOf(service, bank);
    const wrong: Parameters<typeof draft>[0][] = [
      { startAt: now + 1 },
      { endAt: draft().startAt + 1 },
      { endAt: draft().startAt },
      { endAt: draft().startAt + 15 * dayMs },
      { priceMinor: -1n },
      { priceMinor: 2n ** 63n },
      { currency: '' },
      { currency: 'dkk' },
      { charge, postingId: 1 },
      { charge, cancelled },
    ];
    for (const change of wrong) await assert.rejects(record(bank, [later(5), draft(change)]), RangeError);
    assert.deepEqual(await worldOf(service, bank), world);
    await service.write('sund', (db) => makeBank(db, { bankId: 5000 }));
    assert.equal(await record(5000, [draft()]), 1);
  });
});
