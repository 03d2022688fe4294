// Settlement periods in account reads: which are offered, which can be requested, and what a closing changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  fetchAccount,
  fetchAccountAndRevision,
  closePeriodInBoth,
  fetchAndCompare,
  postingDraft,
  recordInBoth,
} from '../support/account-reads.ts';
import { createToken } from '../support/factories.ts';
import { type BankModel } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';

const wide = { coverage: 'all', retentionDays: null } as const;
const limitedTo = (...coverage: number[]) => ({ coverage, retentionDays: null });

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;

  const limitedToken = async ({ bankId }: BankModel, ...locations: number[]): Promise<string> =>
    (await createToken(service, { grants: locations.map((locationId) => ({ bankId, locationId })) })).token;
  const newBook = (): Promise<BankModel> => newBank(suite, { openedAt: testNow - 200 * dayMs });
  const closeDay = (book: BankModel): Promise<number> => closePeriodInBoth(service, book, book.openedAt + dayMs);

  test('[account.20, account.47] period 0 and the latest 100 closed ones are offered, newest first, with their bounds', async () => {
    const book = await newBook();
    const offered = async (): Promise<number[]> =>
      (await fetchAndCompare(service, manager.token, book, {}, wide, testNow)).periods.map(({ period }) => period);
    assert.deepEqual(await offered(), [0]);
    for (let closed = 1; closed <= 102; closed += 1) {
      await closeDay(book);
      if (closed === 2) assert.deepEqual(await offered(), [0, 2, 1]);
      if (closed === 100) assert.deepEqual((await offered()).slice(-2), [2, 1]);
    }
    const all = await offered();
    assert.equal(all.length, 101);
    assert.deepEqual([all[0], all[1], all[100]], [0, 102, 3]);
    const { periods } = await fetchAccount(service, manager.token, book, {});
    assert.deepEqual(Object.keys(periods[0] ?? {}), ['period', 'fromUtc', 'throughUtc']);
    // A period begins where the one before it ended, and the open one has no end.
    for (let at = 1; at < periods.length; at += 1) assert.equal(periods[at]?.throughUtc, periods[at - 1]?.fromUtc);
    assert.equal(periods[0]?.throughUtc, null);
  });

  test('[account.21] with limited access a closed period is offered only if it holds a posting within the grant', async () => {
    const book = await newBook();
    const held: number[][] = [[1], [2, 0], [], [1, 2], [0]];
    for (const locations of held) {
      await recordInBoth(
        service,
        book,
        locations.map((locationId) => postingDraft(testNow, { locationId, unitId: 0 })),
      );
      await closeDay(book);
    }
    await recordInBoth(service, book, [postingDraft(testNow, { locationId: 2 })]);
    const offered = async (...locations: number[]): Promise<number[]> => {
      const answer = await fetchAndCompare(
        service,
        await limitedToken(book, ...locations),
        book,
        {},
        limitedTo(...locations),
        testNow,
      );
      return answer.periods.map(({ period }) => period);
    };
    assert.deepEqual(await offered(1), [0, 4, 1]);
    assert.deepEqual(await offered(2), [0, 4, 2]);
    assert.deepEqual(await offered(1, 2), [0, 4, 2, 1]);
    assert.deepEqual(await offered(77), [0]);
    const whole = await fetchAndCompare(service, manager.token, book, {}, wide, testNow);
    assert.deepEqual(
      whole.periods.map(({ period }) => period),
      [0, 5, 4, 3, 2, 1],
    );
  });

  test('[account.07] a Period selects instead of the dates, which are then ignored', async () => {
    const book = await newBook();
    const farAndNear = [testNow - 5000 * dayMs, testNow, testNow + 5000 * dayMs].map((time) => postingDraft(time));
    await recordInBoth(service, book, farAndNear);
    await closeDay(book);
    await recordInBoth(service, book, farAndNear.slice(1));
    for (const dates of [
      {},
      { From: '2026-06-15', Through: '2026-06-15' },
      { From: '2026-06-15', Through: '2001-01-01' },
      { From: '1990-01-01', Through: '2090-01-01' },
    ]) {
      const closed = await fetchAndCompare(service, manager.token, book, { ...dates, Period: 1 }, wide, testNow);
      assert.deepEqual([closed.totalCount, closed.from, closed.through, closed.period], [3, null, null, 1]);
      const open = await fetchAndCompare(service, manager.token, book, { ...dates, Period: 0 }, wide, testNow);
      assert.deepEqual([open.totalCount, open.from, open.through, open.period], [2, null, null, 0]);
    }
    const byDate = await fetchAndCompare(service, manager.token, book, { From: '2026-06-15' }, wide, testNow);
    assert.deepEqual([byDate.totalCount, byDate.from, byDate.period], [2, '2026-06-15', null]);
  });

  test('[account.08] a period that is not offered can be requested: an old one, a future one, the number of the open one', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [
      postingDraft(testNow, { amountMinor: -1n }),
      postingDraft(testNow, { locationId: 2, amountMinor: -2n }),
    ]);
    for (let closed = 1; closed <= 101; closed += 1) await closeDay(book);
    await recordInBoth(service, book, [postingDraft(testNow, { amountMinor: -4n })]);
    const counts = async (
      Period: number,
      reader = manager.token,
      viewer: Parameters<typeof fetchAndCompare>[4] = wide,
    ): Promise<number> => (await fetchAndCompare(service, reader, book, { Period }, viewer, testNow)).totalCount;
    assert.equal(
      (await fetchAccount(service, manager.token, book, {})).periods.some(({ period }) => period === 1),
      false,
    );
    assert.equal(await counts(1), 2);
    assert.equal(await counts(50), 0);
    assert.equal(await counts(102), 0, 'only the open period is 0');
    assert.equal(await counts(0), 1);
    assert.equal(await counts(2_000_000_000), 0);
    // A manager to whom the period is not offered sees the part of it within the grant.
    const limited = await limitedToken(book, 2);
    assert.equal(await counts(1, limited, limitedTo(2)), 1);
    assert.equal(await counts(101, limited, limitedTo(2)), 0);
    assert.equal((await fetchAccountAndRevision(service, manager.token, book, 'Period=1')).status, 200);
  });

  test('[account.28] a posting that is recorded late is ordered by its time, and belongs to the period in which it was recorded', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [
      postingDraft(testNow - 3 * dayMs, { text: 'first' }),
      postingDraft(testNow - dayMs, { text: 'third' }),
    ]);
    await closeDay(book);
    await recordInBoth(service, book, [postingDraft(testNow - 2 * dayMs, { text: 'second, late' })]);
    const { items } = await fetchAndCompare(service, manager.token, book, { From: '2026-06-01' }, wide, testNow);
    assert.deepEqual(
      items.map(({ text, period, recordedAtUtc }) => [text, period, recordedAtUtc]),
      [
        ['third', 1, '2026-06-14T09:30:00.000Z'],
        ['second, late', 0, '2026-06-13T09:30:00.000Z'],
        ['first', 1, '2026-06-12T09:30:00.000Z'],
      ],
    );
    assert.equal((await fetchAndCompare(service, manager.token, book, { Period: 0 }, wide, testNow)).totalCount, 1);
  });

  test('closing gives the open rows their period’s number at once, and offers it', async () => {
    const book = await newBook();
    await recordInBoth(service, book, [postingDraft(testNow)]);
    const open = await fetchAndCompare(service, manager.token, book, {}, wide, testNow);
    assert.deepEqual([open.items[0]?.period, open.periods.length], [0, 1]);
    assert.equal(await closeDay(book), 1);
    const closed = await fetchAndCompare(service, manager.token, book, {}, wide, testNow);
    assert.deepEqual([closed.items[0]?.period, closed.periods.length], [1, 2]);
    assert.equal(closed.items[0]?.documentKey, open.items[0]?.documentKey);
  });
});
