// Concurrent commands from two replicas: a booking changes once, a time belongs to one booking, and a key takes effect
// once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  insertBooking,
  bookingCharge,
  checkCommand,
  bookingDraft,
  executeCommand,
  countSlotsByBooking,
  readBankRows,
  readBookings,
  readBookingEvents,
  recordBooking,
} from '../support/bookings.ts';
import { hourMs, testNow } from '../support/times.ts';
import { Problem } from '../../src/lib/problem.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { readPostings, readDeviceSync } from '../support/reversal.ts';
import { startInstance } from '../support/instances.ts';
import { interfereWithWrites } from '../support/interference.ts';
import { runInParallel, countOutcomes } from '../support/replicas.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { grantBank } from '../support/granted-banks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBookableBank } from '../support/with-bank.ts';

serviceSuite({ now: testNow, replicas: 2 }, (suite) => {
  const { service, replicaFor, manager } = suite;
  /** No slot is taken twice, and every booking has all its slots. */
  async function proveSlots(bank: number): Promise<void> {
    const holders = await countSlotsByBooking(service, bank);
    const booked = (await readBookings(service, bank)).filter(({ state }) => state === 'Booked');
    assert.deepEqual(
      holders,
      Object.fromEntries(booked.map(({ booking_id, start_at, end_at }) => [booking_id, (end_at - start_at) / 300_000])),
    );
  }

  test('[bookings.03, bookings.12] of a hundred attempts to cancel one booking one is 200 and the rest are 409 booking-conflict, with one refund and one record', async () => {
    const bank = await newBookableBank(suite);
    const event = await insertBooking(service, { priceMinor: 700n, charge: bookingCharge }, bank);
    const replies = await runInParallel(100, (at) =>
      executeCommand(replicaFor(at), event, 'Cancel', { ...manager, bankId: bank }),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 1, '409 booking-conflict': 99 });
    for (const { status, json } of replies)
      assert.equal(status === 200 ? json.eventKid : json.currentEventKid, `sund-B${bank}-E${event + 1}`);
    const amounts = (await readPostings(service, bank)).map(({ amount_minor }) => Number(amount_minor));
    assert.deepEqual(amounts, [-700, 700]);
    assert.equal((await readDeviceSync(service, bank)).length, 1);
    assert.deepEqual(
      (await readBookingEvents(service, bank)).map(({ kind }) => kind),
      ['Booked', 'Cancelled'],
    );
    await proveSlots(bank);
    assert.deepEqual(await verifyBankLedger(service, bank), []);
  });

  test('[bookings.13] of a hundred attempts to restore one of two bookings of the same time one is 200; the time is booked once', async () => {
    const bank = await newBookableBank(suite);
    const cancelled = { at: testNow, editorId: null };
    const first = await insertBooking(service, { cancelled, priceMinor: 700n, hours: 3 }, bank);
    const second = await insertBooking(
      service,
      { cancelled, residentId: 1002, hours: 3, startAt: bookingDraft().startAt + 300_000 },
      bank,
    );
    const events = [first, second];
    const replies = await runInParallel(100, (at) =>
      executeCommand(replicaFor(at >> 1), events[at % 2] as number, 'Restore', { ...manager, bankId: bank }),
    );
    const outcomes = [0, 1].map((turn) => countOutcomes(replies.filter((_, at) => at % 2 === turn)));
    const won = outcomes.findIndex((counts) => counts['200'] === 1);
    assert.deepEqual(outcomes[won], { '200': 1, '409 booking-conflict': 49 });
    assert.deepEqual(outcomes[1 - won], { '409 booking-overlap': 50 });
    await proveSlots(bank);
    const { json } = await checkCommand(service, events[1 - won] as number, 'Restore', { ...manager, bankId: bank });
    assert.deepEqual([json.allowed, json.codes[0]?.code], [false, 'overlap']);
  });

  test('[bookings.13] of a hundred concurrent bookings of overlapping times from two replicas, those that succeed do not overlap', async () => {
    const bank = await newBookableBank(suite);
    const made = await runInParallel(100, async (at) => {
      const change = { startAt: bookingDraft().startAt + (at % 10) * 1_800_000, hours: 1 };
      try {
        return await replicaFor(at).write('sund', (db) =>
          recordBooking(db, grantBank(bank), bookingDraft(change), testNow),
        );
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'booking-overlap', String(error));
        return undefined;
      }
    });
    const events = made.filter((event) => event !== undefined).toSorted((a, b) => a - b);
    assert.ok(events.length >= 4 && events.length <= 5, `${events.length} fit`);
    assert.deepEqual(
      events,
      events.map((_, at) => at + 1),
      'a refused one uses up no number',
    );
    await proveSlots(bank);
  });

  test('[bookings.15] commands of many bookings at once are all done, each once, and the ledger is sound', async () => {
    const bank = await newBookableBank(suite);
    const events: number[] = [];
    for (let at = 0; at < 50; at += 1)
      events.push(
        await insertBooking(
          service,
          { startAt: bookingDraft().startAt + at * hourMs, priceMinor: BigInt(at), charge: bookingCharge },
          bank,
        ),
      );
    const replies = await Promise.all(
      events.flatMap((event, at) =>
        [0, 1].map((turn) => executeCommand(replicaFor(at + turn), event, 'Cancel', { ...manager, bankId: bank })),
      ),
    );
    assert.deepEqual(countOutcomes(replies), { '200': 50, '409 booking-conflict': 50 });
    const sum = (await readPostings(service, bank)).reduce((total, row) => total + BigInt(row.amount_minor), 0n);
    assert.equal(sum, 0n);
    assert.deepEqual(await verifyBankLedger(service, bank), []);
    await proveSlots(bank);
  });

  test('[bookings.03, bookings.12] a booking that another writer changes without the locks during a command is not overwritten', async () => {
    const bank = await newBookableBank(suite);
    const event = await insertBooking(service, { priceMinor: 700n, charge: bookingCharge }, bank);
    const moved = event + 500;
    const { databases } = service.dependencies;
    const interfered = interfereWithWrites(databases, /^update .bookings. set/, (db) =>
      db
        .updateTable('bookings')
        .set({ event_id: moved })
        .where('bank_id', '=', bank)
        .where('event_id', '=', event)
        .execute(),
    );
    const instance = await startInstance(service, { databases: interfered.databases });
    const rowsBefore = await readBankRows(service, bank);
    const reply = await executeCommand(instance, event, 'Cancel', { ...manager, bankId: bank });
    await instance.stop();
    assert.deepEqual([reply.status, reply.json.code], [409, 'booking-conflict'], reply.text);
    assert.equal(reply.json.currentEventKid, `sund-B${bank}-E${moved}`);
    assert.equal(interfered.runs(), 2, 'the command ran again, and found the change');
    assert.deepEqual(await readBankRows(service, bank), rowsBefore);
  });

  test('a command runs once for its Idempotency-Key, and a repetition gets the first answer', async () => {
    const bank = await newBookableBank(suite);
    const event = await insertBooking(service, { priceMinor: 700n, charge: bookingCharge }, bank);
    const options = { ...manager, bankId: bank, headers: { 'idempotency-key': 'cancel' } };
    const first = await executeCommand(service, event, 'Cancel', options);
    assert.deepEqual([first.status, isReplay(first)], [200, false]);
    const again = await executeCommand(replicaFor(1), event, 'Cancel', options);
    assert.deepEqual([again.status, again.text, isReplay(again)], [200, first.text, true]);
    assert.equal((await executeCommand(service, event, 'Restore', options)).json.code, 'idempotency-mismatch');
    const without = await executeCommand(service, event, 'Cancel', { ...manager, bankId: bank });
    assert.deepEqual([without.status, without.json.code], [409, 'booking-conflict']);
    assert.equal((await readPostings(service, bank)).length, 2);
  });
});
