// The check of settlements that `verify ledger` runs: sound where nothing was touched, and it names what was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { WriteDb } from '../../src/database/db.ts';
import type { LedgerDifference } from '../../src/features/account/verification/ledger-check.ts';
import { runLedgerChecks } from '../../src/features/account/verification/run-ledger-checks.ts';
import { settlementCheck } from '../../src/features/settlements/commands/settlement-check.ts';
import { closePeriodInBoth, postingDraft, recordInBoth } from '../support/account-reads.ts';
import type { BankModel } from '../support/account-oracle.ts';
import { grantBank } from '../support/granted-banks.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBank } from '../support/with-bank.ts';

serviceSuite({ manager: false }, (suite) => {
  const { service } = suite;

  async function settledBook(): Promise<BankModel> {
    const book = await newBank(suite);
    const rows = Array.from({ length: 60 }, (_, at) =>
      postingDraft(at, {
        locationId: at % 3,
        unitId: 0,
        currency: at % 5 === 0 ? '' : 'DKK',
        amountMinor: at % 2 === 0 ? 2n ** 63n - 1n : BigInt(-at),
      }),
    );
    for (let period = 0; period < 3; period += 1) {
      await recordInBoth(service, book, rows.slice(period * 20, period * 20 + 20));
      if (period < 2) await closePeriodInBoth(service, book, period);
    }
    return book;
  }

  async function check(
    book: BankModel,
    batchSize?: number,
  ): Promise<{ damages: LedgerDifference[]; settlements: number | undefined }> {
    const options = { batchSize, maxListedPerKind: Number.POSITIVE_INFINITY };
    const { counts, differences } = await service.read('sund', (db) =>
      runLedgerChecks(db, grantBank(book.bankId), [settlementCheck], options),
    );
    return { damages: differences.flatMap(({ listed }) => listed), settlements: counts['settlements'] };
  }

  const damaged = async (book: BankModel, damage: (db: WriteDb) => Promise<unknown>): Promise<string[]> => {
    await service.write('sund', damage);
    const { damages } = await check(book);
    assert.ok(damages.every(({ kind, stored, computed }) => kind === 'settlement' && stored !== computed));
    return damages.map(({ key }) => key);
  };

  test('[settlements.04, settlements.05] unchanged settlements are sound, in batches of any size', async () => {
    const book = await settledBook();
    for (const batchSize of [undefined, 1, 7])
      assert.deepEqual(await check(book, batchSize), { damages: [], settlements: 3 });
    const empty = await newBank(suite);
    assert.deepEqual(await check(empty), { damages: [], settlements: 0 });
  });

  test('[settlements.04, settlements.05] a changed amount, posting or sum is named by period, location and currency', async () => {
    const of = ({ bankId }: BankModel) => sql`bank_id = ${bankId}`;
    let book = await settledBook();
    assert.deepEqual(
      await damaged(book, (db) =>
        sql`update postings set amount_minor = amount_minor - 1 where ${of(book)} and posting_id = 24`.execute(db),
      ),
      ['period 2 in DKK', 'period 2, location 2 in DKK'],
    );
    book = await settledBook();
    assert.deepEqual(
      await damaged(book, (db) => sql`delete from postings where ${of(book)} and posting_id = 1`.execute(db)),
      ['period 1'],
    );
    book = await settledBook();
    assert.deepEqual(
      await damaged(book, (db) =>
        sql`update postings set period = 1 where ${of(book)} and posting_id = 42`.execute(db),
      ),
      ['period 1 in DKK', 'period 3 in DKK', 'period 1, location 2 in DKK', 'period 3, location 2 in DKK'],
    );
    book = await settledBook();
    assert.deepEqual(
      await damaged(book, (db) =>
        sql`delete from posting_rollups where ${of(book)} and grain = 4 and bucket = 2 and location_id = 1`.execute(db),
      ),
      ['period 2, location 1 in DKK', 'period 2, location 1'],
    );
    book = await settledBook();
    assert.deepEqual(
      await damaged(book, (db) =>
        sql`update posting_rollups set bucket = 9 where ${of(book)} and grain = 4 and bucket = 2 and location_id = 0 and currency = ''`.execute(
          db,
        ),
      ),
      ['period 9', 'period 2'],
    );
  });
});
