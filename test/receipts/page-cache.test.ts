// What is kept of receipts between reads: whatever changes behind a page is in the next answer, and what was kept is
// what would be made anew. A second service on the same storage, which kept nothing, is the judge.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { closePeriodInBoth, postingDraft, createBankWithModel, recordInBoth } from '../support/account-reads.ts';
import { createToken, setTenantSetting } from '../support/factories.ts';
import { instantOf, ms2000Of, type BankModel } from '../support/account-oracle.ts';
import { createStorage, onBothEngines, startService, type TestService, type TestStorage } from '../support/service.ts';
import type { WriteDb } from '../../src/database/db.ts';
import {
  fetchAllReceiptsPages,
  fetchReceiptsPage,
  plainRules,
  fetchRefusal,
  applyReceiptRules,
  userKidOf,
  type ReceiptsPage,
} from './support/receipts.ts';

const start = ms2000Of('2026-06-15T09:30:00Z');
const dayMs = 86_400_000;
let lastBank = 1000;

onBothEngines((engine) => {
  let storage: TestStorage;
  let service: TestService;
  let token: string;
  let book: BankModel;
  let now = start;
  before(async () => {
    storage = await createStorage(engine);
    service = await startOn(storage);
    ({ token } = await createToken(service, { livesMs: 900 * dayMs }));
  });
  beforeEach(async () => {
    now = start;
    book = await createBankWithModel(service, { bankId: ++lastBank });
    const days = Array.from({ length: 60 }, (_, at) => postingDraft(start - at * (dayMs / 2) - 1, { vatMinor: -1n }));
    await recordInBoth(service, book, days);
  });
  after(async () => {
    await service.stop();
    await storage.release();
  });

  const startOn = (shared: TestStorage): Promise<TestService> =>
    startService(engine, { clock: () => instantOf(now).epochMilliseconds, storage: shared });
  const page = (userId?: number): Promise<ReceiptsPage> => fetchReceiptsPage(service, token, userKidOf(book, userId));
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

  test(`a page that is asked for again is the same, and pages of residents and languages are kept apart (${engine})`, async () => {
    await recordInBoth(service, book, [postingDraft(start, { userId: 1002, text: 'Of another' })]);
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
      const { json } = await service.call('GET', path, { token, headers: each });
      names.push(json.items[0].lines[0].unitName);
    }
    assert.deepEqual(names, ['Washer 1', 'Vaskemaskine 1', 'Washer 1', 'Vaskemaskine 1']);
  });

  test(`whatever changes behind a kept page is in the very next one (${engine})`, async () => {
    const changes: [what: string, () => Promise<unknown>, seen: (page: ReceiptsPage) => unknown, wanted: unknown][] = [
      ['a location’s name', () => rename('locations', 'Cellar'), ({ items }) => items[0]?.locationName, 'Cellar'],
      ['a unit’s name', () => rename('units', 'Number 9'), ({ items }) => items[0]?.lines[0]?.unitName, 'Number 9'],
      [
        'a posting',
        () => recordInBoth(service, book, [postingDraft(start, { text: 'The newest' })]),
        ({ items }) => items[0]?.lines[0]?.texts,
        ['The newest'],
      ],
      [
        'an older posting, in the balances',
        () => recordInBoth(service, book, [postingDraft(start - 30 * dayMs, { amountMinor: -1_000_000n })]),
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
      ['a closed period', () => closePeriodInBoth(service, book, start), ({ items }) => items[0]?.provisional, false],
      ['a retention of a day', () => retain(1), ({ items }) => items.length < 5, true],
      [
        'another day',
        async () => {
          now += 30 * dayMs;
        },
        ({ items }) => items.length,
        0,
      ],
      ['a longer retention', () => retain(20_000), ({ items }) => items.length, 20],
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

  test(`postings of others leave a kept page as it is, and each of one’s own is counted once (${engine})`, async () => {
    const sums: bigint[] = [];
    for (let round = 0; round < 4; round += 1) {
      const earlier = await page();
      await recordInBoth(service, book, [postingDraft(start, { userId: 1002 }), postingDraft(start, { userId: 1003 })]);
      assert.deepEqual(await page(), earlier);
      await recordInBoth(service, book, [postingDraft(start + round, { amountMinor: -7n })]);
      await page(1002);
      sums.push((await page()).items[0]?.balanceAfterMinor ?? 0n);
      assert.deepEqual(await page(), await anew());
    }
    assert.deepEqual(
      sums.slice(1).map((sum, at) => sum - (sums[at] ?? 0n)),
      [-7n, -7n, -7n],
    );
  });

  test(`a kept page is not shown to whom the resident is not shown, nor after the resident is gone (${engine})`, async () => {
    await page();
    const { token: stranger } = await createToken(service, { livesMs: dayMs, grants: [] });
    assert.match(await fetchRefusal(service, stranger, userKidOf(book)), /^40[34] /);
    await write((db) =>
      db.updateTable('residents').set({ deleted_at: now }).where('bank_id', '=', book.bankId).execute(),
    );
    assert.equal(await fetchRefusal(service, token, userKidOf(book)), '404 not-found');
  });

  test(`pages that follow a kept one belong to it (${engine})`, async () => {
    await page();
    const pages = await fetchAllReceiptsPages(service, token, userKidOf(book));
    assert.deepEqual(pages[0], await page());
    const kids = pages.flatMap(({ items }) => items.flatMap(({ lines }) => lines.map(({ kid }) => kid)));
    assert.deepEqual([kids.length, new Set(kids).size], [60, 60]);
  });

  /** The first page as a service answers it that has kept nothing of it. */
  async function anew(): Promise<ReceiptsPage> {
    const judge = await startOn(storage);
    try {
      return await fetchReceiptsPage(judge, token, userKidOf(book));
    } finally {
      await judge.stop();
    }
  }
});
