// Appending to the ledger: what is stored, what is refused, and that concurrent writers never mix.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { postingDrafts as randomDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { findLedgerDifferences } from '../support/ledger-checks.ts';
import type { TestService } from '../support/service.ts';
import type { Db } from '../../src/database/db.ts';
import { DuplicateError } from '../../src/database/errors.ts';
import { takeLocks } from '../../src/database/locks.ts';
import { ledgerLock } from '../../src/features/account/queries/ledger-head.ts';
import {
  appendPostings,
  lockAndClosePeriod,
  lockAndAppendPostings,
} from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { computeClosingLink } from '../../src/features/account/rules/hash-chain.ts';
import { serviceSuite } from '../support/service-suite.ts';

const [now = 0] = exampleInstants;

serviceSuite({ tenants: ['sund', 'fjord'], replicas: 2, manager: false }, ({ service, replicaFor, nextBankId }) => {
  const other = replicaFor(1);

  const read = <T>(work: (db: Db) => Promise<T>, tenant = 'sund'): Promise<T> => service.read(tenant, work);
  async function newBank(...tenants: string[]): Promise<number> {
    const bankId = nextBankId();
    for (const tenant of tenants) await service.write(tenant, (db) => insertTestBank(db, { bankId }));
    return bankId;
  }
  const record = (bankId: number, drafts: readonly PostingDraft[], tenant = 'sund'): Promise<number> =>
    service.write(tenant, (db) => lockAndAppendPostings(db, grantBank(bankId, tenant), drafts));

  /** Everything that a ledger holds, in a fixed order. */
  const contents = (bankId: number, tenant = 'sund') =>
    read(async (db) => {
      const of = (table: 'postings' | 'posting_rollups' | 'resident_rollups' | 'ledgers' | 'settlement_periods') =>
        db
          .selectFrom(table as 'postings')
          .selectAll()
          .where('bank_id', '=', bankId)
          .execute();
      const [postings, rollups, residents, [head], periods] = await Promise.all([
        of('postings'),
        of('posting_rollups'),
        of('resident_rollups'),
        of('ledgers'),
        of('settlement_periods'),
      ]);
      const ordered = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row, bigints)).toSorted();
      return {
        postings: ordered(postings),
        rollups: [...ordered(rollups), ...ordered(residents)],
        head,
        periods: ordered(periods),
      };
    }, tenant);
  const bigints = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
  const sound = async (bankId: number): Promise<void> =>
    assert.deepEqual(await read((db) => findLedgerDifferences(db, bankId)), []);

  test('postings recorded one by one, in batches or all at once produce the same ledger and the same roll-ups', async () => {
    await fc.assert(
      fc.asyncProperty(randomDrafts(now, { minLength: 1, maxLength: 60 }), fc.nat({ max: 60 }), async (drafts, cut) => {
        const bankId = await newBank('sund', 'fjord');
        assert.equal(await record(bankId, drafts), 1);
        for (const [at, each] of drafts.slice(0, cut).entries())
          assert.equal(await record(bankId, [each], 'fjord'), at + 1);
        if (cut < drafts.length) await record(bankId, drafts.slice(cut), 'fjord');
        const [bulk, single] = [await contents(bankId), await contents(bankId, 'fjord')];
        assert.ok(bulk.rollups.length > 0);
        assert.deepEqual(single.postings, bulk.postings);
        assert.deepEqual(single.rollups, bulk.rollups);
        await sound(bankId);
      }),
      ledgerRuns(4),
    );
  });

  test('closing a period touches no posting and no roll-up, and numbers what comes after', async () => {
    const bankId = await newBank('sund');
    await record(bankId, [postingDraft(now), postingDraft(now + 1)]);
    const open = await contents(bankId);
    assert.equal(await service.write('sund', (db) => lockAndClosePeriod(db, grantBank(bankId), now + 2, now + 3)), 1);
    const closed = await contents(bankId);
    assert.deepEqual([closed.postings, closed.rollups], [open.postings, open.rollups]);
    const closing = { bank_id: bankId, period: 1, from_at: 0, through_at: now + 2, closed_at: now + 3 };
    const { chain } = JSON.parse(closed.postings.at(-1) ?? '') as { chain: string };
    assert.deepEqual(
      closed.periods.map((each) => JSON.parse(each)),
      [{ ...closing, chain: computeClosingLink(chain, closing) }],
    );
    await record(bankId, [postingDraft(now)]);
    const periods = await read((db) =>
      db.selectFrom('postings').select('period').where('bank_id', '=', bankId).orderBy('posting_id').execute(),
    );
    assert.deepEqual(
      periods.map(({ period }) => period),
      [1, 1, 2],
    );
  });

  test('ids of writers in two processes are unique and without a gap, and every roll-up is correct afterwards', async () => {
    const [one, two] = [await newBank('sund'), await newBank('sund')];
    const taken = new Map<number, number[]>([
      [one, []],
      [two, []],
    ]);
    const writes = Array.from({ length: 40 }, async (_, at) => {
      const [writer, bankId, size] = [at % 2 === 0 ? service : other, at % 5 === 0 ? two : one, 1 + (at % 4)];
      const first = await writer.write('sund', async (db) => {
        if (at % 10 === 7) await lockAndClosePeriod(db, grantBank(bankId), now, now);
        return lockAndAppendPostings(
          db,
          grantBank(bankId),
          Array.from({ length: size }, () => postingDraft(now + at)),
        );
      });
      taken.get(bankId)?.push(...Array.from({ length: size }, (__, each) => first + each));
    });
    await Promise.all(writes);
    for (const [bankId, ids] of taken) {
      assert.deepEqual(
        ids.toSorted((a, b) => a - b),
        ids.map((__, at) => at + 1),
      );
      const stored = await read((db) =>
        db.selectFrom('postings').select('posting_id').where('bank_id', '=', bankId).orderBy('posting_id').execute(),
      );
      assert.deepEqual(
        stored.map(({ posting_id }) => posting_id),
        ids.map((__, at) => at + 1),
      );
      await sound(bankId);
    }
  });

  test('a posting of a transaction that rolls back leaves nothing, not even its id', async () => {
    const bankId = await newBank('sund');
    await record(bankId, [postingDraft(now)]);
    const known = await contents(bankId);
    const failing = service.write('sund', async (db) => {
      await lockAndAppendPostings(db, grantBank(bankId), [postingDraft(now), postingDraft(now, { currency: 'EUR' })]);
      await lockAndClosePeriod(db, grantBank(bankId), now, now);
      throw new Error('changed its mind');
    });
    await assert.rejects(failing, /changed its mind/);
    assert.deepEqual(await contents(bankId), known);
    assert.equal(await record(bankId, [postingDraft(now)]), 2);
  });

  test('an invalid draft is refused together with its whole batch', async () => {
    const bankId = await newBank('sund');
    const known = await contents(bankId);
    const wrong: Partial<PostingDraft>[] = [
      ...[2n ** 63n, -(2n ** 63n) - 1n, 10n ** 30n].flatMap((much) => [{ amountMinor: much }, { vatMinor: much }]),
      ...['dkk', 'DKKR', 'DK', 'D1K', '€', ' ', 'DKK\n', 'ÆØÅ'].map((currency) => ({ currency })),
      ...[0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 252_455_616_000_000, -63_113_904_000_001].map(
        (recordedAt) => ({ recordedAt }),
      ),
      ...(['locationId', 'unitId', 'residentId', 'documentId', 'internalTag', 'reversalOf'] as const).flatMap((id) => [
        { [id]: 1.5 },
        { [id]: 2 ** 53 },
      ]),
      { text: 'x'.repeat(501) },
      { paymentReference: 'x'.repeat(129) },
    ];
    for (const change of wrong) {
      const batch = [postingDraft(now), postingDraft(now, change), postingDraft(now)];
      await assert.rejects(record(bankId, batch), RangeError, JSON.stringify(change, bigints));
    }
    assert.deepEqual(await contents(bankId), known);
    const right: Partial<PostingDraft>[] = [
      { amountMinor: 2n ** 63n - 1n },
      { amountMinor: -(2n ** 63n), vatMinor: -(2n ** 63n) },
      { currency: '' },
      { recordedAt: 252_455_615_999_999, documentId: Number.MAX_SAFE_INTEGER },
      { recordedAt: -63_113_904_000_000 },
    ];
    assert.equal(
      await record(
        bankId,
        right.map((change) => postingDraft(now, change)),
      ),
      1,
    );
    await sound(bankId);
  });

  test('every reserved id has its posting, and every posting has its id', async () => {
    const bankId = await newBank('sund');
    for (const [ids, count] of [
      [2, 1],
      [1, 2],
      [0, 1],
    ] as const) {
      const some = Array.from({ length: count }, () => postingDraft(now));
      const writing = service.write('sund', async (db) => {
        const [head] = await takeLocks(db, [ledgerLock(grantBank(bankId), { reservedCount: ids, now: undefined })]);
        assert.ok(head !== undefined);
        await appendPostings(db, head, some);
      });
      await assert.rejects(writing, /ids were reserved/);
    }
    assert.equal(await record(bankId, [postingDraft(now)]), 1);
    await sound(bankId);
  });

  test('a bank without a ledger accepts no posting', async () => {
    await assert.rejects(record(999_999, [postingDraft(now)]), /has no ledger/);
  });

  test('a posting is reversed once, whichever of two processes is first', async () => {
    const bankId = await newBank('sund');
    await record(bankId, [postingDraft(now), postingDraft(now)]);
    const reverse = (writer: TestService, id: number): Promise<number> =>
      writer.write('sund', (db) =>
        lockAndAppendPostings(db, grantBank(bankId), [postingDraft(now, { amountMinor: 100n, reversalOf: id })]),
      );
    assert.equal(await reverse(service, 1), 3);
    const known = await contents(bankId);
    await assert.rejects(reverse(other, 1), DuplicateError);
    await assert.rejects(
      record(bankId, [postingDraft(now, { reversalOf: 2 }), postingDraft(now, { reversalOf: 2 })]),
      DuplicateError,
    );
    assert.deepEqual(await contents(bankId), known);
    const race = await Promise.allSettled([service, other, service, other].map((writer) => reverse(writer, 2)));
    const [won, ...lost] = race.toSorted((a, b) => a.status.localeCompare(b.status));
    assert.deepEqual(won, { status: 'fulfilled', value: 4 });
    for (const each of lost) assert.ok(each.status === 'rejected' && each.reason instanceof DuplicateError);
    await sound(bankId);
  });
});
