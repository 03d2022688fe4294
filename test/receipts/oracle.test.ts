// Every receipt against the oracle: random ledgers of many periods, banks of every configuration, both engines. All
// pages are followed, and what they hold comes to what the account says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { fetchAccount, closePeriodInBoth, recordInBoth } from '../support/account-reads.ts';
import { postingDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { createToken } from '../support/factories.ts';
import { openPeriodNumber, type BankModel } from '../support/account-oracle.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { expectedReceipts, type ExpectedReceipt, type ReceiptRules } from './support/receipts-oracle.ts';
import { fetchAllReceiptsPages, applyReceiptRules, userKidOf, type ReceiptsPage } from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBank } from '../support/with-bank.ts';
import { dayMs } from '../support/times.ts';

const zones = ['Europe/Copenhagen', 'Europe/London', 'Atlantic/Reykjavik', 'America/St_Johns', 'Pacific/Apia'];
const resident = 1001;

type World = { now: number; batches: PostingDraft[][]; rules: ReceiptRules; retentionDays: number };

/** The same again and again, in the latest periods. */
const crowd = (batch: PostingDraft[]): PostingDraft[] => batch.flatMap((draft) => [draft, draft, draft]);

const rate = fc.constantFrom(null, 0, 1, 333, 2500, 10_000, 10_001);
const everyRules: fc.Arbitrary<ReceiptRules> = fc.record({
  bank: fc.constantFrom('cash', 'rent'),
  vatBasisPoints: rate,
  discountBasisPoints: rate,
  zones: fc
    .tuple(fc.constantFrom(...zones), fc.constantFrom(...zones), fc.constantFrom(...zones))
    .map(([one, two, three]) => ({ 0: 'Europe/Copenhagen', 1: one, 2: two, 3: three })),
  surveillanceDays: fc.constantFrom(0, 1, 90, 20_000, 20_000),
  managerDays: fc.constantFrom(null, null, 0, 30, 500, 20_000),
});

const smallAmounts = [-100n, 100n, -200n, 200n];

/** Mostly of one resident, and half of it in a few hours, so that lines share receipts and documents cancel out. */
const own =
  (now: number) =>
  (batch: PostingDraft[]): PostingDraft[] =>
    batch.map((draft, at) => {
      if (at % 5 === 4) return draft;
      if (at % 2 === 0) return { ...draft, residentId: resident };
      const any = Math.abs(draft.recordedAt);
      const recordedAt = now - (any % 3) * 3_700_000;
      const kind = any % 7 < 4 ? 'Consumption' : draft.kind;
      return { ...draft, kind, residentId: resident, recordedAt, amountMinor: smallAmounts[any % 4] ?? 0n };
    });

const worlds: fc.Arbitrary<World> = fc.constantFrom(...exampleInstants).chain((now) =>
  fc.record({
    now: fc.constant(now),
    batches: fc
      .array(postingDrafts(now, { minLength: 0, maxLength: 16 }), { minLength: 26, maxLength: 28 })
      .map((batches) => batches.map((batch, at) => own(now)(at > 23 ? [...batch, ...crowd(batch)] : batch))),
    rules: everyRules,
    retentionDays: fc.constantFrom(0, 1, 90, 400, 20_000),
  }),
);

const washers = [1, 2, 3].map((id) => ({ id, name: `Washer ${id}`, deleted: id === 3 }));
const locations = [1, 2, 3].map((id) => ({ id, name: `Location ${id}`, deleted: id === 3, units: washers }));
const hundredYearsMs = 100 * 366 * dayMs;

serviceSuite({ now: exampleInstants[0] ?? 0, manager: false }, (suite) => {
  const { service, clock } = suite;

  async function build({ batches, retentionDays, rules }: World): Promise<BankModel> {
    const residents = new Map([[resident, { name: 'Demo Resident 1001', expiredAt: null }]]);
    const openedAt = clock.now - hundredYearsMs;
    const book = await newBank(suite, {
      locations,
      residents,
      openedAt,
      retentionDays,
    });
    await applyReceiptRules(service, book, rules);
    for (const [at, batch] of batches.entries()) {
      if (at > 0) await closePeriodInBoth(service, book, clock.now - (batches.length - at) * 13 * dayMs);
      if (batch.length > 0) await recordInBoth(service, book, batch);
    }
    return book;
  }

  test('[receipts.03, receipts.04, receipts.05, receipts.06, receipts.08, receipts.11, receipts.13, receipts.16, receipts.22, receipts.23, receipts.30, receipts.31] all pages together are the oracle’s receipts, every posting once', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        ({ now: clock.now } = world);
        const book = await build(world);
        const grants = [{ bankId: book.bankId, locationId: 0 }];
        const { managerDays: retentionDays } = world.rules;
        const { token } = await createToken(service, { grants, retentionDays, livesMs: hundredYearsMs });
        const pages = await fetchAllReceiptsPages(service, token, userKidOf(book));
        const expected = expectedReceipts(book, resident, world.rules, clock.now);
        assertPaged(pages, expected.length);
        const items = pages.flatMap((page) => page.items);
        assert.deepEqual(items.map(withoutKey), expected);
        assertOnce(items);
        if (isRetainedAsAccount(world)) await assertAccounted(book, token, items);
      }),
      ledgerRuns(12),
    );
  });

  const withoutKey = (item: ReceiptsPage['items'][number]): ExpectedReceipt => {
    const { key: _, ...receipt } = item;
    return receipt;
  };

  function assertPaged(pages: readonly ReceiptsPage[], count: number): void {
    assert.equal(new Set(pages.map(({ revision }) => revision)).size, 1);
    const sizes = pages.map(({ items }) => items.length);
    assert.deepEqual(
      sizes,
      Array.from({ length: Math.max(1, Math.ceil(count / 20)) }, (_, at) => Math.min(20, count - at * 20)),
    );
    const next = pages.map(({ nextOffset }) => nextOffset);
    assert.deepEqual(
      next,
      pages.map((_, at) => (at + 1 < pages.length ? (at + 1) * 20 : null)),
    );
    assert.ok(pages.every(({ periodCount }) => periodCount === 24));
  }

  function assertOnce(items: readonly (ExpectedReceipt & { key: string })[]): void {
    assert.equal(new Set(items.map(({ key }) => key)).size, items.length);
    const kids = items.flatMap(({ lines }) => lines.flatMap(({ kid }) => kid ?? []));
    assert.equal(new Set(kids).size, kids.length);
    for (const { lines, totalMinor } of items)
      assert.equal(
        lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
        totalMinor,
      );
  }

  /** Whether receipts reach back as far as the account names residents. */
  const isRetainedAsAccount = ({ rules: { managerDays, surveillanceDays }, retentionDays }: World): boolean =>
    (managerDays ?? 0) > 0 || surveillanceDays >= retentionDays;

  /** What is not calculated comes to what the account says of the resident, by period and currency. */
  async function assertAccounted(book: BankModel, token: string, items: readonly ExpectedReceipt[]): Promise<void> {
    const stored = items.filter(({ lines }) => lines.every(({ calculated }) => !calculated));
    const open = openPeriodNumber(book);
    for (const period of [0, open - 1, open - 2, open - 24, open - 25]) {
      const question = { Period: period, user: resident, IncludeMonthly: false };
      const { totals } = await fetchAccount(service, token, book, question);
      const here = Map.groupBy(
        stored.filter((receipt) => receipt.period === period),
        ({ currency }) => currency,
      );
      for (const { currency, amountMinor } of totals) {
        const sum = (here.get(currency) ?? []).reduce((total, receipt) => total + receipt.totalMinor, 0n);
        assert.equal(sum, period === open - 25 ? 0n : -amountMinor, `period ${period}, ${currency}`);
        here.delete(currency);
      }
      assert.equal(here.size, 0);
    }
  }
});
