// A clock that was set back: no write is recorded before an earlier event or before its settlement period; it is
// refused with a reason.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import { postingDraft } from '../support/account-reads.ts';
import { createDeferred } from '../support/async.ts';
import { bookingCharge, createBookableBank, executeCommand, insertBooking, readBankRows } from '../support/bookings.ts';
import type { HttpReply } from '../support/call.ts';
import { grantBank } from '../support/granted-banks.ts';
import { isReplay } from '../support/idempotent-operations.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { readPostings, reverseEntry } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';

type Send = (headers?: Record<string, string>) => Promise<HttpReply>;

serviceSuite({ now: testNow }, ({ service, clock, manager, nextBankId }) => {
  /** The writes that record an event, each in its own bank, which has already recorded an event at the time of the test. */
  const kinds: Readonly<Record<string, (bankId: number) => Promise<Send>>> = {
    ReverseBankAccountEntry: async (bankId) => {
      const drafts = [1, 2].map((internalTag) => postingDraft(testNow - hourMs, { internalTag }));
      const first = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), drafts));
      const reverse = (id: number, headers = {}) =>
        reverseEntry(service, id, { token: manager.token, bankId, headers });
      assert.equal((await reverse(first)).status, 200);
      return (headers) => reverse(first + 1, headers);
    },
    ExecuteBankBookingCommand: async (bankId) => {
      const first = await insertBooking(service, { priceMinor: 500n, charge: bookingCharge }, bankId);
      const second = await insertBooking(service, { unitId: 2, priceMinor: 500n, charge: bookingCharge }, bankId);
      const cancel = (event: number, headers = {}) =>
        executeCommand(service, event, 'Cancel', { token: manager.token, bankId, headers });
      assert.equal((await cancel(first)).status, 200);
      return (headers) => cancel(second, headers);
    },
  };

  async function createBank(): Promise<number> {
    const bankId = nextBankId();
    await createBookableBank(service, { bankId });
    return bankId;
  }

  for (const [operationId, prepare] of Object.entries(kinds)) {
    test(`${operationId} is 503 clock-behind and records nothing while the clock is set back`, async () => {
      const bankId = await createBank();
      const send = await prepare(bankId);
      const rows = await readBankRows(service, bankId);
      const headers = { 'idempotency-key': `${operationId}-${bankId}` };
      for (const setBackMs of [3000, hourMs, 400 * dayMs]) {
        clock.now = testNow - setBackMs;
        const refused = await send(headers);
        assert.deepEqual([refused.status, refused.json.code], [503, 'clock-behind'], refused.text);
        assert.equal(refused.headers['retry-after'], setBackMs === 3000 ? '3' : '60');
        assert.deepEqual(await readBankRows(service, bankId), rows);
      }
      clock.now = testNow;
      const done = await send(headers);
      assert.deepEqual([done.status, isReplay(done)], [200, false], done.text);
      clock.now = testNow - hourMs;
      const again = await send(headers);
      assert.deepEqual([again.text, isReplay(again)], [done.text, true], 'what was recorded is still told');
      assert.deepEqual(await verifyBankLedger(service, bankId), []);
    });

    test(`${operationId} through a replica whose clock is a second behind is recorded at the time of the last event`, async () => {
      const bankId = await createBank();
      const send = await prepare(bankId);
      clock.now = testNow - 1000;
      const { status, text } = await send();
      assert.equal(status, 200, text);
      const { postings, events } = await readTimes(bankId);
      assert.equal(postings.at(-1)?.recorded_at, testNow);
      if (operationId === 'ExecuteBankBookingCommand') assert.equal(events.at(-1)?.at, testNow);
    });

    test(`${operationId} that waited while its settlement period was closed is recorded in the next one`, async () => {
      const bankId = await createBank();
      const send = await prepare(bankId);
      const [closed, finish] = [createDeferred(), createDeferred()];
      // The clock of the closing process is ahead by the tolerated difference between replicas.
      const closedAt = testNow + 1500;
      const closing = service.write('sund', async (db) => {
        await lockAndClosePeriod(db, grantBank(bankId), closedAt, closedAt);
        closed.resolve();
        await finish.promise;
      });
      await closed.promise;
      const sent = send();
      finish.resolve();
      await closing;
      const { status, text } = await sent;
      assert.equal(status, 200, text);
      const { postings, events } = await readTimes(bankId);
      assert.deepEqual([postings.at(-1)?.recorded_at, postings.at(-1)?.period], [closedAt, 2]);
      if (operationId === 'ExecuteBankBookingCommand') assert.equal(events.at(-1)?.at, closedAt);
      assert.deepEqual(await verifyBankLedger(service, bankId), []);
    });
  }

  const readTimes = async (bankId: number) => ({
    postings: await readPostings(service, bankId),
    events: await service.read('sund', (db) =>
      db.selectFrom('booking_events').select('at').where('bank_id', '=', bankId).orderBy('event_id').execute(),
    ),
  });

  test('a period that began later than the clock shows is noticed without any other event', async () => {
    const bankId = await createBank();
    const draft = postingDraft(testNow - hourMs, { internalTag: 1 });
    const id = await service.write('sund', (db) => lockAndAppendPostings(db, grantBank(bankId), [draft]));
    await service.write('sund', (db) => lockAndClosePeriod(db, grantBank(bankId), testNow, testNow));
    clock.now = testNow - 10_000;
    for (const query of ['', '?dryRun=true']) {
      const { status, json } = await reverseEntry(service, id, { token: manager.token, bankId, query });
      assert.deepEqual([status, json.code], [503, 'clock-behind'], query);
    }
    clock.now = testNow + 1;
    const { json } = await reverseEntry(service, id, { token: manager.token, bankId });
    assert.equal(json.recordedAtMs2000, testNow + 1);
  });
});
