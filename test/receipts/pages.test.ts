// Pages of receipts: how many, whole, in which order, and what a revision promises.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { setTenantSetting } from '../support/factories.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import {
  fetchAllReceiptsPages,
  fetchReceiptsPage,
  plainRules,
  receiptsPath,
  fetchRefusal,
  applyReceiptRules,
  userKidOf,
  type ReceiptsPage,
} from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, hourMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

/** A receipt a day, of so many lines each. */
const days = (count: number, lines: number): PostingDraft[] =>
  Array.from({ length: count * lines }, (_, at) =>
    postingDraft(testNow - Math.floor(at / lines) * dayMs - (at % lines)),
  );

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const book = withBank(suite);

  const page = (query = ''): Promise<ReceiptsPage> => fetchReceiptsPage(service, manager.token, userKidOf(book), query);
  const refusal = (query: string): Promise<string> => fetchRefusal(service, manager.token, userKidOf(book), query);

  test('[receipts.04, receipts.05] a page has twenty complete receipts with any number of lines', async () => {
    await recordInBoth(service, book, days(41, 30));
    const pages = await fetchAllReceiptsPages(service, manager.token, userKidOf(book));
    assert.deepEqual(
      pages.map(({ items, nextOffset }) => [items.length, nextOffset]),
      [
        [20, 20],
        [20, 40],
        [1, null],
      ],
    );
    for (const { lines } of pages.flatMap(({ items }) => items)) assert.equal(lines.length, 30);
    const whole = (await page()).items[0]?.lines.map(({ kid }) => kid);
    assert.deepEqual(
      whole,
      Array.from({ length: 30 }, (_, at) => `${book.bankKid}-X${at + 1}`),
    );
  });

  test('[receipts.05] exactly twenty receipts are one page, and no receipts are one empty page', async () => {
    assert.deepEqual((({ items, nextOffset }) => [items, nextOffset])(await page()), [[], null]);
    await recordInBoth(service, book, days(20, 2));
    assert.deepEqual((({ items, nextOffset }) => [items.length, nextOffset])(await page()), [20, null]);
    await recordInBoth(service, book, [postingDraft(testNow - 20 * dayMs)]);
    assert.deepEqual((({ items, nextOffset }) => [items.length, nextOffset])(await page()), [20, 20]);
  });

  test('[receipts.05, receipts.06] an offset counts receipts, and a page beyond the last one is empty', async () => {
    await recordInBoth(service, book, days(30, 3));
    const { revision, items } = await page();
    const second = await page(`offset=7&revision=${revision}`);
    assert.deepEqual(second.items.slice(0, 13), items.slice(7));
    assert.deepEqual([second.items.length, second.nextOffset], [20, 27]);
    for (const offset of [30, 31, 2_147_483_647]) {
      const beyond = await page(`offset=${offset}&revision=${revision}`);
      assert.deepEqual([beyond.items, beyond.nextOffset, beyond.revision], [[], null, revision]);
    }
    assert.deepEqual(await page(`revision=${revision}`), await page(), 'the first page may be checked, too');
    assert.deepEqual(await page(`Offset=7&REVISION=${revision}`), second);
  });

  test('[receipts.25] an invalid offset or revision, and an offset without a revision, are 400 invalid-page', async () => {
    const { revision } = await page();
    const bad = [
      'offset=-1',
      'offset=x',
      'offset=1.5',
      'offset=',
      'offset=01',
      `offset=2147483648&revision=${revision}`,
      'offset=20',
      'revision=',
      'revision=x',
      `revision=${revision}x`,
      `revision=${revision.slice(1)}`,
      `revision=${revision.slice(1)}%20`,
      'offset=0&offset=0',
      `revision=${revision}&revision=${revision}`,
      'limit=5',
    ];
    for (const query of bad) assert.equal(await refusal(query), '400 invalid-page', query);
  });

  test('receipts are newest first: by local day, then by the newest line; those of a settlement follow those that it settles', async () => {
    const at = testNow - 3 * dayMs;
    await recordInBoth(service, book, [
      postingDraft(at, { kind: 'Payment', amountMinor: 5n }),
      postingDraft(at, { kind: 'Discount', amountMinor: 5n }),
      postingDraft(at, { kind: 'TransferToRent', amountMinor: 5n }),
      postingDraft(at),
      postingDraft(at, { currency: 'EUR' }),
      postingDraft(at, { currency: '' }),
      postingDraft(at, { locationId: 2 }),
      postingDraft(at, { locationId: 0, unitId: 0 }),
      postingDraft(at - 5, { kind: 'Payment', currency: 'EUR', amountMinor: 5n }),
      postingDraft(at + 5, { kind: 'Payment', currency: 'EUR', amountMinor: 5n }),
      postingDraft(at - 10, { kind: 'Booking', currency: 'SEK' }),
    ]);
    const { items } = await page();
    assert.deepEqual(
      items.map(({ kind, locationKid, currency }) => `${kind} ${locationKid?.slice(-2) ?? '-'} ${currency ?? '-'}`),
      [
        'Payment L1 EUR',
        'Purchase - DKK',
        'TransferToRent L1 DKK',
        'Discount L1 DKK',
        'Payment L1 DKK',
        'Purchase L1 -',
        'Purchase L1 DKK',
        'Purchase L1 EUR',
        'Purchase L2 DKK',
        'Purchase L1 SEK',
      ],
    );
    assert.equal(items[0]?.lines.length, 2);
  });

  test('[receipts.06, receipts.07] a posting between two pages makes the second a 409, and paging works again from the start', async () => {
    await recordInBoth(service, book, days(25, 2));
    const { revision } = await page();
    await recordInBoth(service, book, [postingDraft(testNow - 24 * dayMs)]);
    assert.equal(await refusal(`offset=20&revision=${revision}`), '409 receipts-changed');
    assert.equal(await refusal(`offset=0&revision=${revision}`), '409 receipts-changed');
    const pages = await fetchAllReceiptsPages(service, manager.token, userKidOf(book));
    assert.equal(pages.flatMap(({ items }) => items.flatMap(({ lines }) => lines)).length, 51);
  });

  test('[receipts.07] the revision changes exactly when the shown receipts change', async () => {
    await recordInBoth(service, book, days(25, 2));
    await closePeriodInBoth(service, book, testNow - 10 * dayMs);
    await recordInBoth(service, book, [
      postingDraft(testNow - 1),
      postingDraft(testNow - 389 * dayMs, { currency: 'EUR' }),
    ]);
    const changes: [what: string, changes: boolean, () => Promise<unknown>][] = [
      [
        'a posting of another resident',
        false,
        () => recordInBoth(service, book, [postingDraft(testNow, { residentId: 1002 })]),
      ],
      ['a posting of the resident', true, () => recordInBoth(service, book, [postingDraft(testNow)])],
      [
        'one that shows only in balances: its identity has expired',
        true,
        () => recordInBoth(service, book, [postingDraft(testNow - 500 * dayMs)]),
      ],
      [
        'one that shows nowhere: expired, in a currency of its own',
        false,
        () => recordInBoth(service, book, [postingDraft(testNow - 500 * dayMs, { currency: 'SEK' })]),
      ],
      ['a tax rate', true, () => applyReceiptRules(service, book, { ...plainRules, vatBasisPoints: 2500 })],
      ['a discount', true, () => applyReceiptRules(service, book, { ...plainRules, discountBasisPoints: 500 })],
      ['a bank that moves to the rent', true, () => applyReceiptRules(service, book, { ...plainRules, bank: 'rent' })],
      [
        'another zone',
        true,
        () => applyReceiptRules(service, book, { ...plainRules, zones: { ...plainRules.zones, 1: 'Europe/London' } }),
      ],
      ['a closed period', true, () => closePeriodInBoth(service, book, testNow)],
      [
        'an hour later',
        false,
        async () => {
          clock.now += hourMs;
        },
      ],
      [
        'ten days later, when all is still kept',
        false,
        async () => {
          clock.now += 10 * dayMs;
        },
      ],
      [
        'the day after, when the oldest posting is nobody’s',
        true,
        async () => {
          clock.now += 2 * dayMs;
        },
      ],
      [
        'a longer retention',
        true,
        () => service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '450')),
      ],
      [
        'a still longer one, which shows no more',
        false,
        () => service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '460')),
      ],
    ];
    let last = await page();
    for (const [what, isChange, change] of changes) {
      await change();
      const next = await page();
      assert.equal(next.revision !== last.revision, isChange, what);
      if (!isChange) assert.deepEqual(next, last, what);
      assert.equal(
        await service
          .call('GET', receiptsPath(userKidOf(book), `revision=${last.revision}`), manager)
          .then((r) => r.status),
        isChange ? 409 : 200,
        what,
      );
      last = next;
    }
  });

  test('a revision of one resident is not valid for another, even if both have no receipts', async () => {
    const { revision } = await page();
    assert.equal(
      await fetchRefusal(service, manager.token, userKidOf(book, 1002), `revision=${revision}`),
      '409 receipts-changed',
    );
  });

  test('[receipts.11] a key stays when its period is closed, and no two receipts share one', async () => {
    await recordInBoth(service, book, days(15, 2));
    const open = await page();
    await closePeriodInBoth(service, book, testNow);
    await recordInBoth(service, book, [postingDraft(testNow + 1)]);
    const [added, ...rest] = (await page()).items;
    assert.deepEqual([added?.period, added?.provisional], [0, true]);
    assert.deepEqual(
      rest.map(({ key }) => key),
      open.items.map(({ key }) => key),
    );
    assert.ok(rest.every(({ period, provisional }) => period === 1 && !provisional));
  });

  test('unit names and ETag depend on the manager’s language, the revision does not, and the answer is not to be stored', async () => {
    await recordInBoth(service, book, [postingDraft(testNow - 1)]);
    const path = receiptsPath(userKidOf(book));
    const english = await service.call('GET', path, manager);
    const danish = await service.call('GET', path, { token: manager.token, headers: { 'accept-language': 'da' } });
    assert.deepEqual(
      [english, danish].map(({ json, headers }) => [json.items[0].lines[0].unitName, headers['content-language']]),
      [
        ['Washer 1', 'en'],
        ['Vaskemaskine 1', 'da'],
      ],
    );
    assert.equal(danish.json.revision, english.json.revision);
    for (const { headers } of [english, danish]) assert.equal(headers['cache-control'], 'no-store');
    assert.notEqual(danish.headers.etag, english.headers.etag);
    const again = { token: manager.token, headers: { 'if-none-match': String(english.headers.etag) } };
    assert.equal((await service.call('GET', path, again)).status, 304);
    await recordInBoth(service, book, [postingDraft(testNow)]);
    assert.equal((await service.call('GET', path, again)).status, 200);
  });
});
