// The check of settlements that `verify ledger` runs: sound where nothing was touched, and it names what was.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { WriteDb } from '../../src/database/dialect.ts';
import { runChecks, type Damage } from '../../src/features/account/verify/check.ts';
import { settlementCheck } from '../../src/features/settlements/check.ts';
import { closeBook, draft, openBook, record } from '../support/account.ts';
import type { Book } from '../support/oracle.ts';
import { onBothEngines, startService, type Service } from '../support/service.ts';

onBothEngines((engine) => {
  let service: Service;
  let lastBank = 1000;
  before(async () => {
    service = await startService(engine);
  });
  after(() => service.stop());

  async function settledBook(): Promise<Book> {
    const book = await openBook(service, { bankId: ++lastBank });
    const rows = Array.from({ length: 60 }, (_, at) =>
      draft(at, {
        locationId: at % 3,
        unitId: 0,
        currency: at % 5 === 0 ? '' : 'DKK',
        amountMinor: at % 2 === 0 ? 2n ** 63n - 1n : BigInt(-at),
      }),
    );
    for (let period = 0; period < 3; period += 1) {
      await record(service, book, rows.slice(period * 20, period * 20 + 20));
      if (period < 2) await closeBook(service, book, period);
    }
    return book;
  }

  async function check(
    book: Book,
    batchRows?: number,
  ): Promise<{ damages: Damage[]; settlements: number | undefined }> {
    const damages: Damage[] = [];
    const options = {
      tell: (damage: Damage) => void damages.push(damage),
      ...(batchRows === undefined ? {} : { batchRows }),
    };
    const counts = await service.services.databases
      .of('sund')
      .read({ deadlineMs: 20_000 }, (db) => runChecks(db, book.bankId, [settlementCheck], options));
    return { damages, settlements: counts['settlements'] };
  }

  const damaged = async (book: Book, damage: (db: WriteDb) => Promise<unknown>): Promise<string[]> => {
    await service.write('sund', damage);
    const { damages } = await check(book);
    assert.ok(damages.every(({ kind, stored, computed }) => kind === 'settlement' && stored !== computed));
    return damages.map(({ key }) => key);
  };

  test(`[settlements.04, settlements.05] settlements that nobody touched are sound, in batches of any size (${engine})`, async () => {
    const book = await settledBook();
    for (const batchRows of [undefined, 1, 7])
      assert.deepEqual(await check(book, batchRows), { damages: [], settlements: 3 });
    const empty = await openBook(service, { bankId: ++lastBank });
    assert.deepEqual(await check(empty), { damages: [], settlements: 0 });
  });

  test(`[settlements.04, settlements.05] an amount, a posting or a sum that was touched is named by period, location and currency (${engine})`, async () => {
    const of = ({ bankId }: Book) => sql`bank_id = ${bankId}`;
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
