// Values are read as they were stored, the same on both engines: integers over the whole signed 64-bit range, text of
// every kind and length, null and booleans.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '../../src/database/db.ts';
import type { Tables } from '../../src/database/tables.ts';
import { onBothEngines } from '../support/service.ts';
import { openTestDatabase, longDeadline, type TestDatabase } from '../support/test-database.ts';
import { codePoint } from '../support/code-point.ts';

const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;
const safe = BigInt(Number.MAX_SAFE_INTEGER);
const edges = [
  least,
  least + 1n,
  -safe - 2n,
  -safe - 1n,
  -safe,
  -1n,
  0n,
  1n,
  safe,
  safe + 1n,
  safe + 2n,
  greatest - 1n,
];
const int64s = fc.oneof(fc.bigInt({ min: least, max: greatest }), fc.constantFrom(...edges, greatest));

/** A number while it is exact, a bigint beyond. */
const asRead = (value: bigint): number | bigint => (value >= -safe && value <= safe ? Number(value) : value);

onBothEngines((engine) => {
  let scratch: TestDatabase;
  before(async () => {
    scratch = await openTestDatabase(engine);
  });
  after(() => scratch.close());

  /** Stores the amounts as postings and reads them back, in order. */
  async function throughPostings(amounts: readonly (number | bigint)[]): Promise<unknown[]> {
    await scratch.database.write(longDeadline, async (db) => {
      await db.deleteFrom('postings').execute();
      for (const [at, amount] of amounts.entries())
        await db.insertInto('postings').values(posting(at, amount)).execute();
    });
    const rows = await scratch.database.read(longDeadline, (db) =>
      db.selectFrom('postings').select(['amount_minor', 'vat_minor']).orderBy('posting_id').execute(),
    );
    for (const { vat_minor } of rows) assert.equal(vat_minor, null);
    return rows.map(({ amount_minor }) => amount_minor);
  }

  test('every 64-bit integer is read as it was written, as a number while that is exact', async () => {
    assert.deepEqual(await throughPostings([...edges, greatest]), [...edges, greatest].map(asRead));
    const property = fc.asyncProperty(fc.array(int64s, { minLength: 1, maxLength: 20 }), async (values) => {
      assert.deepEqual(await throughPostings(values), values.map(asRead));
      assert.deepEqual(await throughPostings(values.map(asRead)), values.map(asRead));
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test('a 64-bit integer compares, sorts and adds up as one', async () => {
    await throughPostings([greatest, least, safe + 1n, -3]);
    const found = await scratch.database.read(longDeadline, (db) =>
      db
        .selectFrom('postings')
        .select(['amount_minor', sql<number>`amount_minor - ${1}`.as('less')])
        .where('amount_minor', '>', safe)
        .orderBy('amount_minor', 'desc')
        .execute(),
    );
    assert.deepEqual(found, [
      { amount_minor: greatest, less: greatest - 1n },
      { amount_minor: safe + 1n, less: Number(safe) },
    ]);
    const sums = await scratch.database.read(longDeadline, (db) =>
      db
        .selectFrom('postings')
        .select(({ fn }) => [fn.sum('amount_minor').as('sum'), fn.countAll().as('count')])
        .where('amount_minor', '<>', greatest)
        .where('amount_minor', '<>', least)
        .execute(),
    );
    assert.deepEqual(sums, [{ sum: Number(safe - 2n), count: 2 }]);
  });

  test('a value beyond 64 bits is refused, and so is a sum', async () => {
    for (const amount of [greatest + 1n, least - 1n, 2 ** 64]) await assert.rejects(throughPostings([amount]));
    await throughPostings([greatest]);
    const overflow = scratch.database.write(longDeadline, (db) =>
      db
        .updateTable('postings')
        .set({ amount_minor: sql`amount_minor + 1` })
        .execute(),
    );
    await assert.rejects(overflow);
    const [row] = await scratch.database.read(longDeadline, (db) =>
      db.selectFrom('postings').select('amount_minor').execute(),
    );
    assert.equal(row?.amount_minor, greatest);
  });

  if (engine === 'sqlite')
    test('a write that answers an integer beyond 2^53 is still done once', async () => {
      const [first] = await scratch.database.write(longDeadline, async (db) => {
        await sql`insert into health (id, beats) values (7, ${safe * 2n})`.execute(db);
        const { rows } = await sql`update health set beats = beats + 1 where id = 7 returning beats`.execute(db);
        return rows;
      });
      assert.deepEqual(first, { beats: safe * 2n + 1n });
    });

  test('null stays null, and a boolean is 0 or 1', async () => {
    const [row] = await scratch.database.read(longDeadline, async (db) => {
      const { rows } = await sql`select ${null} as none, ${true} as yes, ${false} as no, ${''} as empty`.execute(db);
      return rows;
    });
    assert.deepEqual(row, { none: null, yes: 1, no: 0, empty: '' });
  });

  /** Stores the text, reads it back, and finds the row by the text. */
  async function throughText(value: string): Promise<string | null | undefined> {
    const key = { manager_id: 1, key: 'k' };
    await scratch.database.write(longDeadline, async (db) => {
      await db.deleteFrom('idempotency_records').execute();
      const row = { ...key, request_hash: 'h', created_at: 1, status: 200, body: value, language: null };
      await db.insertInto('idempotency_records').values(row).execute();
    });
    const found = await scratch.database.read(longDeadline, (db) =>
      db.selectFrom('idempotency_records').select('body').where('body', '=', value).executeTakeFirst(),
    );
    return found?.body;
  }

  test('any text is read as it was written, and finds its row', async () => {
    const hard = [
      '',
      'Ærø',
      '日本語',
      '👩‍👩‍👧 🇩🇰 𝒳',
      'e\u0301 is not é',
      `'"\`\\%_;--`,
      '\\0\n\r\t\u001a',
      '\u0000 within \u0000',
      '\ufeff',
    ];
    for (const text of hard) assert.equal(await throughText(text), text);
    const texts = fc.string({ unit: codePoint, maxLength: 200 }).filter((text) => text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(texts, async (text) => assert.equal(await throughText(text), text)),
      { numRuns: 40 },
    );
  });

  test('long text is stored completely, also with four-byte characters', async () => {
    for (const text of ['x'.repeat(65_535), 'ø'.repeat(65_536), '🧺'.repeat(70_000)])
      assert.equal(await throughText(text), text);
  });

  test('text is compared by its code points: case, accents and Unicode forms count', async () => {
    await scratch.database.write(longDeadline, async (db) => {
      await db.deleteFrom('tenant_settings').execute();
      for (const name of ['a', 'A', 'å', 'Å', 'A\u030a', 'z', '🧺', 'ﬁ', 'fi']) await setting(db, name);
    });
    const names = await scratch.database.read(longDeadline, (db) =>
      db.selectFrom('tenant_settings').select('name').orderBy('name').execute(),
    );
    assert.deepEqual(
      names.map(({ name }) => name),
      ['A', 'A\u030a', 'a', 'fi', 'z', 'Å', 'å', 'ﬁ', '🧺'],
    );
  });
});

const setting = (db: Db, name: string): Promise<unknown> =>
  db.insertInto('tenant_settings').values({ name, value: name }).execute();

function posting(at: number, amount: number | bigint): Tables['postings'] {
  return {
    bank_id: 1,
    posting_id: at + 1,
    recorded_at: 1,
    location_id: 0,
    unit_id: 0,
    user_id: 0,
    kind: 1,
    payment_kind: 0,
    currency: 'DKK',
    amount_minor: amount,
    vat_minor: null,
    period: 1,
    document_id: null,
    text: '',
    internal_tag: null,
    payment_reference: null,
    reversal_of: null,
    fingerprint: 0,
    chain: '',
  };
}
