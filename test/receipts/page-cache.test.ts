// The cache of receipts: every change is in the next answer, and a cached page equals a newly computed one. Another
// application on the same storage, without cached pages, computes the expected answers.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { createToken, setTenantSetting } from '../support/factories.ts';
import { startOperations } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { receiptsRoutes } from '../../src/features/receipts/routes.ts';
import {
  fetchAllReceiptsPages,
  fetchReceiptsPage,
  plainRules,
  fetchRefusal,
  applyReceiptRules,
  userKidOf,
  type ReceiptsPage,
} from './support/receipts.ts';

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const book = withBank(suite);
  beforeEach(async () => {
    const days = Array.from({ length: 60 }, (_, at) => postingDraft(testNow - at * (dayMs / 2) - 1, { vatMinor: -1n }));
    await recordInBoth(service, book, days);
  });

  const page = (residentId?: number): Promise<ReceiptsPage> =>
    fetchReceiptsPage(service, manager.token, userKidOf(book, residentId));
  const write = (work: (db: WriteDb) => Promise<unknown>): Promise<unknown> => service.write('sund', work);
  /** As those change them who change a place: together with the version. */
  const rename = (table: 'locations' | 'units', name: string): Promise<unknown> =>
    write(async (db) => {
      await db.updateTable(table).set({ name }).where('bank_id', '=', book.bankId).execute();
      await turn(db);
    });
  const turn = (db: WriteDb): Promise<unknown> =>
    db
      .updateTable('banks')
      .set((eb) => ({ places_version: eb('places_version', '+', 1) }))
      .where('bank_id', '=', book.bankId)
      .execute();
  const retain = (days: number): Promise<unknown> =>
    write((db) => setTenantSetting(db, 'accountingRetentionDays', String(days)));

  test('a repeated page is the same, and residents and languages have separate pages', async () => {
    await recordInBoth(service, book, [postingDraft(testNow, { residentId: 1002, text: 'Of another' })]);
    const first = await page();
    const other = await page(1002);
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(await page(), first);
      assert.deepEqual(await page(1002), other);
    }
    assert.equal(other.items.length, 1);
    const headers = { 'accept-language': 'da' };
    const path = `/api/v1/users/${userKidOf(book)}/receipts`;
    const names = [];
    for (const each of [{}, headers, {}, headers]) {
      const { json } = await service.call('GET', path, { token: manager.token, headers: each });
      names.push(json.items[0].lines[0].unitName);
    }
    assert.deepEqual(names, ['Washer 1', 'Vaskemaskine 1', 'Washer 1', 'Vaskemaskine 1']);
  });

  test('every change of the data of a cached page is in the next answer', async () => {
    const changes: [what: string, () => Promise<unknown>, seen: (page: ReceiptsPage) => unknown, wanted: unknown][] = [
      ['a location’s name', () => rename('locations', 'Cellar'), ({ items }) => items[0]?.locationName, 'Cellar'],
      ['a unit’s name', () => rename('units', 'Number 9'), ({ items }) => items[0]?.lines[0]?.unitName, 'Number 9'],
      [
        'a posting',
        () => recordInBoth(service, book, [postingDraft(testNow, { text: 'The newest' })]),
        ({ items }) => items[0]?.lines[0]?.texts,
        ['The newest'],
      ],
      [
        'an older posting, in the balances',
        () => recordInBoth(service, book, [postingDraft(testNow - 30 * dayMs, { amountMinor: -1_000_000n })]),
        ({ items }) => (items[0]?.balanceAfterMinor ?? 0n) < -1_000_000n,
        true,
      ],
      [
        'a rate',
        () => applyReceiptRules(service, book, { ...plainRules, vatBasisPoints: 2500 }),
        ({ items }) => items[0]?.vatMinor !== null,
        true,
      ],
      [
        'a bank type',
        () => applyReceiptRules(service, book, { ...plainRules, vatBasisPoints: 2500, bank: 'rent' }),
        ({ items }) => items[0]?.vatMinor,
        null,
      ],
      [
        'a discount',
        () => applyReceiptRules(service, book, { ...plainRules, discountBasisPoints: 500 }),
        ({ items }) => items.some(({ kind }) => kind === 'Discount'),
        true,
      ],
      [
        'a zone',
        () =>
          applyReceiptRules(service, book, { ...plainRules, zones: { ...plainRules.zones, 1: 'America/New_York' } }),
        ({ items }) => items[0]?.lines[0]?.occurredAt.slice(-6),
        '-04:00',
      ],
      ['a closed period', () => closePeriodInBoth(service, book, testNow), ({ items }) => items[0]?.provisional, false],
      ['a retention of a day', () => retain(1), ({ items }) => items.length < 5, true],
      [
        'another day',
        async () => {
          clock.now += 30 * dayMs;
        },
        ({ items }) => items.length,
        0,
      ],
      ['a longer retention', () => retain(20_000), ({ items }) => items.length, 20],
      [
        'a retention of surveillance',
        () => applyReceiptRules(service, book, { ...plainRules, surveillanceDays: 3 }),
        ({ items }) => items.length,
        0,
      ],
    ];
    await page();
    for (const [what, change, seen, wanted] of changes) {
      assert.notDeepEqual(seen(await page()), wanted, what);
      await change();
      const answered = await page();
      assert.deepEqual(seen(answered), wanted, what);
      assert.deepEqual(answered, await anew(), what);
    }
  });

  test('postings of other residents do not change a cached page, and each of the resident’s own is counted once', async () => {
    const sums: bigint[] = [];
    for (let round = 0; round < 4; round += 1) {
      const earlier = await page();
      await recordInBoth(service, book, [
        postingDraft(testNow, { residentId: 1002 }),
        postingDraft(testNow, { residentId: 1003 }),
      ]);
      assert.deepEqual(await page(), earlier);
      await recordInBoth(service, book, [postingDraft(testNow + round, { amountMinor: -7n })]);
      await page(1002);
      sums.push((await page()).items[0]?.balanceAfterMinor ?? 0n);
      assert.deepEqual(await page(), await anew());
    }
    assert.deepEqual(
      sums.slice(1).map((sum, at) => sum - (sums[at] ?? 0n)),
      [-7n, -7n, -7n],
    );
  });

  test('a cached page is not shown to a manager who cannot see the resident, nor after the resident is deleted', async () => {
    await page();
    const { token: stranger } = await createToken(service, { livesMs: dayMs, grants: [] });
    assert.match(await fetchRefusal(service, stranger, userKidOf(book)), /^40[34] /);
    await write((db) =>
      db.updateTable('residents').set({ deleted_at: clock.now }).where('bank_id', '=', book.bankId).execute(),
    );
    assert.equal(await fetchRefusal(service, manager.token, userKidOf(book)), '404 not-found');
  });

  test('the pages after a cached first page match it', async () => {
    await page();
    const pages = await fetchAllReceiptsPages(service, manager.token, userKidOf(book));
    assert.deepEqual(pages[0], await page());
    const kids = pages.flatMap(({ items }) => items.flatMap(({ lines }) => lines.map(({ kid }) => kid)));
    assert.deepEqual([kids.length, new Set(kids).size], [60, 60]);
  });

  /** The first page as an application answers it that has kept nothing of it. */
  async function anew(): Promise<ReceiptsPage> {
    const judge = await startOperations(service, receiptsRoutes());
    try {
      return await fetchReceiptsPage(judge, manager.token, userKidOf(book));
    } finally {
      await judge.stop();
    }
  }
});
