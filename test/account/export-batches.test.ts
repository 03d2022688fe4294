// The batches of an export of any size: joined they are the selection, each row once and in order.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countPostings,
  listFirstPostings,
  listPostingsAfter,
  unpackExportPosting,
  type PackedExportPosting,
} from '../../src/features/account/queries/export-batches.ts';
import { readResidentIdentities, type ResidentIdentities } from '../../src/features/residents/queries/identities.ts';
import {
  listPostingPage,
  type ListedPostingRow,
  type PostingRow,
} from '../../src/features/account/queries/posting-page.ts';
import type { ResolvedSelection } from '../../src/features/account/queries/selected-postings.ts';
import { closePeriodInBoth, recordInBoth } from '../support/account-reads.ts';
import { postingDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { grantBank } from '../support/granted-banks.ts';
import type { TestService } from '../support/service.ts';
import { ms2000Of, type BankModel } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBank } from '../support/with-bank.ts';

const kinds: fc.Arbitrary<ResolvedSelection['kinds']> = fc.record({
  kind: fc.constantFrom('all', 'all', 'debit', 'credit'),
  includeZero: fc.boolean(),
  includeBookings: fc.boolean(),
  includeMonthly: fc.boolean(),
});
const places: fc.Arbitrary<ResolvedSelection['place']> = fc.oneof(
  fc.constant({ level: 'bank' as const }),
  fc.constantFrom([1], [1, 3], [0, 2]).map((locationIds) => ({ level: 'location' as const, locationIds })),
  fc.constant({ level: 'unit' as const, locationId: 1, unitId: 1 }),
);
const everything = { from: ms2000Of('0000-01-01T00:00:00Z'), to: ms2000Of('9999-12-31T23:59:59.999Z') + 1 };

serviceSuite({ manager: false }, (suite) => {
  const { service } = suite;

  const read = <T>(
    work: Parameters<ReturnType<TestService['dependencies']['databases']['forTenant']>['read']>[1],
  ): Promise<T> => service.read('sund', work) as Promise<T>;

  async function inBatches(resolved: ResolvedSelection, below: number, limit: number): Promise<PostingRow[]> {
    const residents = await read<ResidentIdentities>((db) =>
      readResidentIdentities(db, resolved.bank, resolved.residentFilter?.residentId),
    );
    let rows = await read<PackedExportPosting[]>((db) => listFirstPostings(db, resolved, limit));
    const all: PostingRow[] = [];
    while (rows.length > 0) {
      all.push(...rows.map((row) => unpackExportPosting(row, { nextPostingId: below, residents })));
      const last = all.at(-1) as PostingRow;
      rows = await read((db) => listPostingsAfter(db, resolved, { after: last, nextPostingId: below, limit }));
    }
    return all;
  }

  test('[account.55] batches of any size are the whole selection, in the account’s order', async () => {
    const worlds = fc.constantFrom(...exampleInstants).chain((now) =>
      fc.record({
        some: fc.array(postingDrafts(now, { minLength: 40, maxLength: 70 }), { minLength: 2, maxLength: 2 }),
        selections: fc.array(
          fc.record({
            place: places,
            kinds,
            time: fc.constantFrom<ResolvedSelection['time']>(
              { interval: everything },
              { storedPeriod: 1 },
              { storedPeriod: 2 },
            ),
            residentFilter: fc.constantFrom(undefined, { residentId: 1001, recordedFrom: everything.from, now }),
          }),
          { minLength: 8, maxLength: 8 },
        ),
        limit: fc.integer({ min: 1, max: 9 }),
        crowd: fc.integer({ min: 2, max: 40 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(worlds, async ({ some: [first = [], second = []], selections, limit, crowd }) => {
        const book: BankModel = await newBank(suite);
        // Many postings at one instant, in a few places.
        const crowded = first.map((each, at) =>
          at < crowd ? { ...each, recordedAt: first[0]?.recordedAt ?? 0 } : each,
        );
        await recordInBoth(service, book, crowded);
        await closePeriodInBoth(service, book, 1);
        await recordInBoth(service, book, second);
        for (const selection of selections) {
          const resolved = { bank: grantBank(book.bankId), ...selection } as ResolvedSelection;
          const page = await read<ListedPostingRow[]>((db) =>
            listPostingPage(db, resolved, { offset: 0, limit: 1000 }),
          );
          // An export does not say what can be reversed.
          const whole = page.map(({ is_refunded: _isRefunded, ...row }): PostingRow => row);
          const batched = await inBatches(resolved, book.rows.length + 1, limit);
          assert.deepEqual(batched, whole);
          assert.equal(await read((db) => countPostings(db, resolved)), whole.length);
          const below = Math.floor(book.rows.length / 2);
          const earlier = await inBatches(resolved, below, limit);
          const beyondFirst = new Set(earlier.slice(limit).map(({ posting_id }) => posting_id));
          for (const id of beyondFirst) assert.ok(id < below);
        }
      }),
      ledgerRuns(3),
    );
  });
});
