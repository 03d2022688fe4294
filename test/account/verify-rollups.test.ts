// The check of roll-ups finds every kind of difference, and none where there is none.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { grantBank } from '../support/granted-banks.ts';
import { postingDrafts as randomDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank } from '../support/factories.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import {
  verifyBankRollups,
  type RollupVerification,
} from '../../src/features/account/verification/verify-bank-rollups.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBankRows } from '../support/with-bank.ts';
import { hourMs } from '../support/times.ts';

const [now = 0] = exampleInstants;

/** Each plants one difference in bank 1001. */
const plants: Record<string, (db: WriteDb) => Promise<unknown>> = {
  'a posting’s amount': (db) => posting(db, { amount_minor: -101 }),
  'a posting’s amount of the highest bit': (db) => posting(db, { amount_minor: 2n ** 63n - 1n }),
  'a posting’s currency': (db) => posting(db, { currency: 'EUR' }),
  'a posting’s period': (db) => posting(db, { period: 2 }),
  'a posting’s time': (db) => posting(db, { recorded_at: now - hourMs }),
  'a posting’s kind': (db) => posting(db, { kind: 2 }),
  'a posting’s location': (db) => posting(db, { location_id: 2 }),
  'a posting’s unit': (db) => posting(db, { unit_id: 2 }),
  'a posting’s fingerprint': (db) => posting(db, { fingerprint: 1 }),
  'an amount that was changed with all its roll-ups': async (db) => {
    await posting(db, { amount_minor: -101 });
    const lower = { amount_low: sql<number>`amount_low - 1` };
    await db.updateTable('posting_rollups').set(lower).where('bank_id', '=', 1001).execute();
  },
  'a posting that is gone': (db) =>
    db.deleteFrom('postings').where('bank_id', '=', 1001).where('posting_id', '=', 1).execute(),
  'a posting past the ledger': async (db) => {
    const row = await db
      .selectFrom('postings')
      .selectAll()
      .where('bank_id', '=', 1001)
      .where('posting_id', '=', 1)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('postings')
      .values({ ...row, posting_id: 99 })
      .execute();
  },
  'a roll-up that is gone': (db) =>
    db
      .deleteFrom('posting_rollups')
      .where('bank_id', '=', 1001)
      .where('grain', '=', 2)
      .where('location_id', '=', 0)
      .execute(),
  'all roll-ups gone': (db) => db.deleteFrom('posting_rollups').where('bank_id', '=', 1001).execute(),
  'a roll-up too many': async (db) => {
    const row = await db
      .selectFrom('posting_rollups')
      .selectAll()
      .where('bank_id', '=', 1001)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('posting_rollups')
      .values({ ...row, location_id: 77 })
      .execute();
  },
  'a roll-up’s count': (db) => rollup(db, { count: 4711 }),
  'a roll-up’s high half': (db) => rollup(db, { amount_high: 1 }),
  'a roll-up’s low half': (db) => rollup(db, { amount_low: -4711 }),
  'a roll-up’s high fingerprint': (db) => rollup(db, { fingerprint_high: 1 }),
  'a roll-up’s low fingerprint': (db) => rollup(db, { fingerprint_low: 1 }),
  'a roll-up’s bucket': (db) => rollup(db, { bucket: -5 }),
  'a roll-up’s class': (db) => rollup(db, { posting_class: 8 }),
  'a roll-up’s currency': (db) => rollup(db, { currency: 'NOK' }),
};

const posting = (db: WriteDb, change: object) =>
  db.updateTable('postings').set(change).where('bank_id', '=', 1001).where('posting_id', '=', 1).execute();
const rollup = (db: WriteDb, change: object) =>
  db
    .updateTable('posting_rollups')
    .set(change)
    .where('bank_id', '=', 1001)
    .where('grain', '=', 3)
    .where('location_id', '=', 1)
    .where('unit_id', '=', 0)
    .execute();

serviceSuite({ manager: false }, (suite) => {
  const { service } = suite;
  before(async () => {
    await service.write('sund', async (db) => {
      for (const bankId of [1001, 1002]) {
        await insertTestBank(db, { bankId });
        await lockAndAppendPostings(db, grantBank(bankId), [postingDraft(now), postingDraft(now - 1)]);
      }
      await lockAndAppendPostings(db, grantBank(1002), [postingDraft(now), postingDraft(now - 1)]);
    });
  });

  const verdictOf = (bankId: number, chunkRows?: number): Promise<RollupVerification> =>
    service.read('sund', (db) => verifyBankRollups(db, grantBank(bankId), chunkRows));

  /** Plants a difference, returns the result for both banks, and undoes the difference. */
  async function planted(plant: (db: WriteDb) => Promise<unknown>): Promise<RollupVerification[]> {
    const verdicts: RollupVerification[] = [];
    const writing = service.write('sund', async (db) => {
      await plant(db);
      verdicts.push(await verifyBankRollups(db, grantBank(1001)), await verifyBankRollups(db, grantBank(1002)));
      throw new Error('taken back');
    });
    await assert.rejects(writing, /taken back/);
    return verdicts;
  }

  for (const [name, plant] of Object.entries(plants)) {
    test(`the proof finds ${name}`, async () => {
      const [verdict, untouched] = await planted(plant);
      assert.notEqual(verdict?.differences.length, 0);
      for (const { stored, computed } of verdict?.differences ?? []) assert.notEqual(stored, computed);
      assert.deepEqual(untouched?.differences, []);
    });
  }

  test('a difference says where it is, what is stored and what is expected', async () => {
    const [gone] = await planted((db) =>
      db
        .deleteFrom('posting_rollups')
        .where('bank_id', '=', 1001)
        .where('grain', '=', 4)
        .where('location_id', '=', 0)
        .execute(),
    );
    assert.deepEqual(
      gone?.differences.map(({ key, stored }) => [key, stored]),
      [['1001/0/0/4/1/0/DKK', undefined]],
    );
    assert.match(gone?.differences[0]?.computed ?? '', /^2\/0\/-200\//);
    const [extra] = await planted((db) => rollup(db, { currency: 'NOK' }));
    assert.equal(extra?.differences.length, 2);
    const [count] = await planted((db) => rollup(db, { count: 3 }));
    assert.match(count?.differences[0]?.stored ?? '', /^3\/0\/-200\//);
    assert.match(count?.differences[0]?.computed ?? '', /^2\/0\/-200\//);
  });

  test('the proof counts the rows that it read', async () => {
    const { postingCount, rollupCount, differences } = await verdictOf(1001);
    const countOf = (table: 'posting_rollups' | 'resident_rollups') =>
      service.read('sund', async (db) => {
        const all = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
        return (await all.where('bank_id', '=', 1001).executeTakeFirstOrThrow()).count;
      });
    const stored = (await countOf('posting_rollups')) + (await countOf('resident_rollups'));
    assert.deepEqual(
      { postings: postingCount, rollups: rollupCount, differences },
      { postings: 2, rollups: stored, differences: [] },
    );
  });

  test('no difference is found after any interleaving of postings and closings of several writers', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: randomDrafts(now, { minLength: 1, maxLength: 30 }) },
      { weight: 1, arbitrary: fc.constant('close' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const bankId = await newBankRows(suite);
        await Promise.all(
          steps.map((each) =>
            service.write('sund', (db) =>
              each === 'close'
                ? lockAndClosePeriod(db, grantBank(bankId), now, now)
                : lockAndAppendPostings(db, grantBank(bankId), each),
            ),
          ),
        );
        const verdict = await verdictOf(bankId);
        const { differences, postingCount } = verdict;
        assert.deepEqual(differences, []);
        assert.deepEqual(await verdictOf(bankId, 7), verdict, 'however many postings are read at a time');
        assert.equal(
          postingCount,
          steps.reduce((sum, each) => sum + (each === 'close' ? 0 : each.length), 0),
        );
      }),
      ledgerRuns(3),
    );
  });
});
