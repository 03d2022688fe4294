// Amounts are signed and exact over 64 bits, and so are their sums beyond that.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountPath,
  fetchAndCompare,
  postingDraft,
  formatAccountQuery,
  recordInBoth,
} from '../support/account-reads.ts';
import { type AccountQuery } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

const wide = { coverage: 'all', retentionDays: null } as const;
const today: AccountQuery = { From: '2026-06-15', Through: '2026-06-15' };
const most = 2n ** 63n - 1n;

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const book = withBank(suite);

  const compared = (question: AccountQuery = {}) =>
    fetchAndCompare(service, manager.token, book, { ...today, ...question }, wide, testNow);
  const textOf = async (): Promise<string> =>
    (await service.call('GET', accountPath(book, formatAccountQuery(book, today)), manager)).text;

  test('[account.27, general.38] amounts are signed and exact to the last digit over the whole 64-bit range', async () => {
    const amounts = [most, -most - 1n, most - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 53n - 1n, 1n, 0n, -1n];
    await recordInBoth(
      service,
      book,
      amounts.map((amountMinor, at) =>
        postingDraft(testNow - at, { amountMinor, vatMinor: -1n - amountMinor, documentId: 3 + at }),
      ),
    );
    const { items } = await compared();
    assert.deepEqual(
      items.map(({ amountMinor }) => amountMinor),
      amounts,
    );
    const text = await textOf();
    const digits = (name: string): string[] =>
      [...text.matchAll(new RegExp(`"${name}":(-?[0-9]+)[,}]`, 'g'))].map(([, found = '']) => found);
    // In the order of the body: first the total, then the rows, then their groups of one.
    assert.deepEqual(digits('amountMinor').slice(1), [...amounts, ...amounts].map(String));
    assert.deepEqual(
      digits('vatMinor'),
      amounts.map((amount) => String(-1n - amount)),
    );
  });

  test('[account.46, general.38] totals are exact where they pass 64 bits, debits never above zero and credits never below', async () => {
    await recordInBoth(service, book, [
      ...Array.from({ length: 300 }, (_, at) => postingDraft(testNow - at, { amountMinor: -most - 1n })),
      ...Array.from({ length: 200 }, (_, at) => postingDraft(testNow - at, { amountMinor: most, currency: 'EUR' })),
      postingDraft(testNow, { amountMinor: 0n, currency: 'SEK' }),
      postingDraft(testNow, { amountMinor: 5n, currency: '' }),
      postingDraft(testNow, { amountMinor: 7n }),
    ]);
    const { totals } = await compared();
    const debit = (-most - 1n) * 300n;
    assert.deepEqual(totals, [
      { currency: 'DKK', count: 301, debitMinor: debit, creditMinor: 7n, amountMinor: debit + 7n },
      { currency: 'EUR', count: 200, debitMinor: 0n, creditMinor: most * 200n, amountMinor: most * 200n },
      { currency: 'SEK', count: 1, debitMinor: 0n, creditMinor: 0n, amountMinor: 0n },
      { currency: null, count: 1, debitMinor: 0n, creditMinor: 5n, amountMinor: 5n },
    ]);
    assert.match(await textOf(), /"debitMinor":-2767011611056432742400,/);
    assert.equal((await compared({ Offset: 400, Limit: 200 })).items.length, 103);
  });

  test('[account.26] totals cover the whole filtered selection, by currency, the same on every page, and nothing before the selection', async () => {
    const yesterday = testNow - dayMs;
    await recordInBoth(service, book, [
      postingDraft(yesterday, { amountMinor: 1_000_000n }),
      ...Array.from({ length: 20 }, (_, at) =>
        postingDraft(testNow - at, { amountMinor: -10n, locationId: 1 + (at % 2) }),
      ),
      postingDraft(testNow, { amountMinor: 70n, kind: 'Payment' }),
      postingDraft(testNow, { amountMinor: 5n, currency: 'EUR', kind: 'Booking' }),
    ]);
    const dkk = { currency: 'DKK', count: 21, debitMinor: -200n, creditMinor: 70n, amountMinor: -130n };
    const eur = { currency: 'EUR', count: 1, debitMinor: 0n, creditMinor: 5n, amountMinor: 5n };
    for (const page of [{}, { Limit: 1 }, { Offset: 21, Limit: 1 }, { Offset: 500 }]) {
      assert.deepEqual((await compared(page)).totals, [dkk, eur]);
      assert.deepEqual((await compared({ ...page, IncludeBookings: false })).totals, [dkk]);
      const debits = { ...dkk, count: 20, creditMinor: 0n, amountMinor: -200n };
      assert.deepEqual((await compared({ ...page, Kind: 'debit' })).totals, [debits]);
      const half = { ...debits, count: 10, debitMinor: -100n, amountMinor: -100n };
      assert.deepEqual((await compared({ ...page, location: 2 })).totals, [half]);
    }
  });
});
