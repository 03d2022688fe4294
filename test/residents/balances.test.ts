// Balances of residents: those of the latest receipt in each currency, in banks of every kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import { exampleInstants, ledgerRuns, postingDrafts } from '../support/account-arbitraries.ts';
import { openPeriodNumber } from '../support/account-oracle.ts';
import { parseExactAmounts } from '../support/exact-amounts.ts';
import { usersPath } from '../support/resident-calls.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs } from '../support/times.ts';
import { newBank } from '../support/with-bank.ts';
import { applyReceiptRules, fetchAllReceiptsPages, userKidOf } from '../receipts/support/receipts.ts';

type Listed = {
  readonly items: {
    readonly kid: string;
    readonly balances: { readonly currency: string | null; readonly amountMinor: bigint }[];
    readonly lastActivityUtc: string | null;
  }[];
};

const rate = fc.constantFrom(null, 1, 333, 2500, 10_000);
const hundredYearsMs = 100 * 366 * dayMs;

const worlds = fc.constantFrom(...exampleInstants).chain((now) =>
  fc.record({
    now: fc.constant(now),
    batches: fc.array(postingDrafts(now, { minLength: 0, maxLength: 12 }), { minLength: 3, maxLength: 6 }),
    bank: fc.constantFrom('cash', 'rent'),
    vatBasisPoints: rate,
    discountBasisPoints: rate,
  }),
);

serviceSuite({ now: exampleInstants[0] ?? 0, manager: { retentionDays: 20_000 } }, (suite) => {
  const { service, manager, clock } = suite;

  test('[residents.08] balances are those after the latest receipts, and the last activity is the latest posting', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(worlds, async ({ now, batches, ...rules }) => {
        clock.now = now;
        const zones = {
          0: 'Europe/Copenhagen',
          1: 'Europe/Copenhagen',
          2: 'Europe/Copenhagen',
          3: 'Europe/Copenhagen',
        };
        const book = await newBank(suite, { openedAt: now - hundredYearsMs, retentionDays: 20_000 });
        await applyReceiptRules(service, book, { ...rules, zones, surveillanceDays: 40_000, managerDays: null });
        for (const [at, batch] of batches.entries()) {
          if (at > 0) await closePeriodInBoth(service, book, now - (batches.length - at) * 13 * dayMs);
          // Of the residents alone, each of whom has some of it.
          const own = batch.map((draft, more) => ({
            ...draft,
            recordedAt: Math.min(draft.recordedAt, now - 1000),
            locationId: 1,
            unitId: 1,
            residentId: 1001 + (more % 2),
          }));
          if (own.length > 0) await recordInBoth(service, book, own);
        }
        // Receipts do not show every kind of posting: of each currency the last one is a payment.
        for (const residentId of [1001, 1002]) {
          const currencies = new Set(
            book.rows.filter((row) => row.residentId === residentId).map(({ currency }) => currency),
          );
          for (const currency of currencies)
            await recordInBoth(service, book, [
              postingDraft(now, { residentId, currency, kind: 'Payment', amountMinor: 1n }),
            ]);
        }
        const reply = await service.call('GET', usersPath(book.bankId), manager);
        const { items } = parseExactAmounts(reply.text) as Listed;
        for (const residentId of [1001, 1002, 1003]) {
          const item = items.find(({ kid }) => kid === userKidOf(book, residentId));
          const pages = await fetchAllReceiptsPages(service, manager.token, userKidOf(book, residentId));
          const expected = new Map<string, bigint>();
          for (const { currency, balanceAfterMinor } of pages.flatMap((page) => page.items))
            if (!expected.has(currency ?? '')) expected.set(currency ?? '', balanceAfterMinor);
          if (item?.balances.some(({ currency }) => currency === null) === true) seen.add('unknown');
          const balances = new Map(item?.balances.map(({ currency, amountMinor }) => [currency ?? '', amountMinor]));
          assert.deepEqual(
            [...balances],
            [...expected].toSorted(([one], [other]) => (one < other ? -1 : 1)),
          );
          const times = book.rows.filter((row) => row.residentId === residentId).map(({ recordedAt }) => recordedAt);
          const latest = times.length === 0 ? null : new Date(Math.max(...times) + Date.UTC(2000, 0, 1)).toISOString();
          assert.equal(item?.lastActivityUtc, latest);
          for (const amount of expected.values()) seen.add(amount === 0n ? 'zero' : 'amount');
        }
        if (openPeriodNumber(book) > 1) seen.add(`closed ${rules.bank} ${rules.discountBasisPoints === null}`);
      }),
      ledgerRuns(12),
    );
    for (const each of ['amount', 'unknown']) assert.ok(seen.has(each), each);
  });
});
