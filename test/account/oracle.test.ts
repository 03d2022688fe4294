// Every answer of the account against the oracle: random ledgers, random questions, several readers, both engines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  fetchRevision,
  closePeriodInBoth,
  fetchAndCompare,
  recordInBoth,
  type DocumentKeys,
} from '../support/account-reads.ts';
import {
  postingDrafts,
  exampleInstants,
  accountQueryOf,
  ledgerRuns,
  accountQueryWishes,
  type AccountQueryWish,
} from '../support/account-arbitraries.ts';
import { createToken } from '../support/factories.ts';
import { selectPostings, type BankModel, type AccountQuery, type AccountViewer } from '../support/account-oracle.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBank } from '../support/with-bank.ts';
import { dayMs } from '../support/times.ts';

type World = { now: number; batches: PostingDraft[][]; retentionDays: number; wishes: AccountQueryWish[] };

const worlds: fc.Arbitrary<World> = fc.constantFrom(...exampleInstants).chain((now) =>
  fc.record({
    now: fc.constant(now),
    batches: fc.array(postingDrafts(now, { minLength: 40, maxLength: 120 }), { minLength: 3, maxLength: 4 }),
    retentionDays: fc.constantFrom(0, 1, 90, 400, 20_000),
    wishes: fc.array(accountQueryWishes, { minLength: 12, maxLength: 12 }),
  }),
);

const hundredYearsMs = 100 * 366 * dayMs;
const washers = [1, 2, 3].map((id) => ({ id, name: `Washer ${id}`, deleted: id === 3 }));
const locations = [1, 2, 3].map((id) => ({ id, name: `Location ${id}`, deleted: id === 3, units: washers }));

serviceSuite({ now: exampleInstants[0] ?? 0, manager: false }, (suite) => {
  const { service, clock } = suite;

  async function build({ batches, retentionDays }: World): Promise<BankModel> {
    const residents = new Map([
      [1001, { name: 'Demo Resident 1001', expiredAt: null }],
      [1002, { name: 'Demo Resident 1002', expiredAt: clock.now }],
      [1003, { name: 'Demo Resident 1003', expiredAt: clock.now + 1 }],
      [1004, { name: 'Ørjan Čapek-O’Neill', expiredAt: null }],
    ]);
    const openedAt = clock.now - hundredYearsMs;
    const book = await newBank(suite, {
      locations,
      residents,
      openedAt,
      retentionDays,
    });
    for (const [at, batch] of batches.entries()) {
      if (at > 0) await closePeriodInBoth(service, book, clock.now - (10 - at) * dayMs);
      const reversals = batch.flatMap((each, row) => (row % 17 === 3 ? [reversal(book, each, row)] : []));
      await recordInBoth(service, book, [...batch, ...reversals]);
    }
    return book;
  }

  const reversal = (book: BankModel, { amountMinor, ...each }: PostingDraft, row: number): PostingDraft => ({
    ...each,
    amountMinor: amountMinor === -(2n ** 63n) ? 0n : -amountMinor,
    reversalOf: book.rows.length + row + 1,
  });

  /** What distinguishes revisions: which rows, in which periods, with which amounts. */
  const setOf = (book: BankModel, question: AccountQuery, viewer: AccountViewer): string =>
    selectPostings(book, question, viewer, clock.now)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
      .join();

  test('[account.26, account.28, account.35, account.36] rows, totals, counts, groups, choices, periods and revisions are those of the oracle', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        ({ now: clock.now } = world);
        const book = await build(world);
        const { bankId } = book;
        const viewers: AccountViewer[] = [
          { coverage: 'all', retentionDays: null },
          { coverage: [1, 3], retentionDays: 0 },
          { coverage: 'all', retentionDays: 30 },
        ];
        const keys: DocumentKeys = new Map();
        const sets = new Map<string, string>();
        for (const viewer of viewers) {
          const { coverage, retentionDays } = viewer;
          const grants =
            coverage === 'all' ? [{ bankId, locationId: 0 }] : coverage.map((locationId) => ({ bankId, locationId }));
          const { token } = await createToken(service, { grants, retentionDays, livesMs: hundredYearsMs });
          for (const wish of world.wishes) {
            const question = accountQueryOf(book, wish, coverage);
            const { revision } = await fetchAndCompare(service, token, book, question, viewer, clock.now, keys);
            const { Offset: _offset, Limit: _limit, ...whole } = question;
            assert.equal(await fetchRevision(service, token, book, whole), revision, 'the same for every page');
            const set = setOf(book, question, viewer);
            assert.equal(sets.get(revision) ?? set, set, 'one revision, one set');
            sets.set(revision, set);
          }
        }
      }),
      ledgerRuns(5),
    );
  });
});
