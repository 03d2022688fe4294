// The stored hash chain: every row's link can be recomputed from the rows, no matter how and by which process they were
// written; and a database from before the chain gets the same links.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { openDatabases } from '../../src/database/databases.ts';
import type { Db, WriteDb } from '../../src/database/db.ts';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { rollBackFrom } from '../database/support/older-schema.ts';
import { startMigrator } from '../database/support/migrator.ts';
import { grantBank } from '../support/granted-banks.ts';
import { storageAddressOf, connectDirectly, type DirectConnection } from '../support/test-database.ts';
import { postingDrafts as randomDrafts, exampleInstants, ledgerRuns } from '../support/account-arbitraries.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank } from '../support/factories.ts';
import { verifyBankLedger } from '../support/ledger-checks.ts';
import { createStorage, startService, type TestService, type TestStorage } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBankRows } from '../support/with-bank.ts';
import { codePoint } from '../support/code-point.ts';
import { hashedIntegerColumns, hashedTextColumns } from '../support/ledger-columns.ts';

const [now = 0] = exampleInstants;

type Row = Record<string, string | number | bigint | null>;

/** Rows as they are stored, with their columns as the database names them. */
const rowsOf = async (db: Db, table: 'postings' | 'settlement_periods', bankId: number): Promise<Row[]> => {
  const order = table === 'postings' ? 'posting_id' : 'period';
  const query = sql<Row>`select * from ${sql.table(table)} where bank_id = ${bankId} order by ${sql.ref(order)}`;
  return (await query.execute(db)).rows;
};

const counted = (value: string | null): string => (value === null ? '' : `${Buffer.from(value).length}:${value}`);
const sha256 = (...parts: unknown[]): string => createHash('sha256').update(parts.join('|')).digest('base64url');

/** Recomputes every link from closings and postings in the order in which they were recorded. */
function linksOf(postings: readonly Row[], closings: readonly Row[]): string[] {
  const events = [
    ...postings.map((row) => ({ row, place: Number(row['period']) })),
    ...closings.map((row) => ({ row, place: Number(row['period']) + 0.5 })),
  ].toSorted((a, b) => a.place - b.place);
  let link = '';
  return events.map(({ row }) => {
    link =
      'posting_id' in row
        ? sha256(
            'posting.1',
            counted(link),
            ...hashedIntegerColumns.map((column) => row[column] ?? ''),
            ...hashedTextColumns.map((column) => counted(row[column] as string | null)),
          )
        : sha256(
            'closing.1',
            counted(link),
            ...['bank_id', 'period', 'from_at', 'through_at', 'closed_at'].map((c) => row[c]),
          );
    return link;
  });
}

const storedLinks = (postings: readonly Row[], closings: readonly Row[]): string[] =>
  [
    ...postings.map((row) => ({ link: String(row['chain']), place: Number(row['period']) })),
    ...closings.map((row) => ({ link: String(row['chain']), place: Number(row['period']) + 0.5 })),
  ]
    .toSorted((a, b) => a.place - b.place)
    .map(({ link }) => link);

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    ' trailing  ',
    '\0',
    'a\0b',
    '\uD800',
    'x\uDC00|',
    '\r\n',
    '🧺'.repeat(60),
    'é',
    'e\u0301',
    'ÅÅ',
  ),
);
/** Postings whose texts have every kind of character. */
const spelledOddly = randomDrafts(now, { minLength: 1, maxLength: 40 }).chain((drafts) =>
  fc
    .array(fc.tuple(anyText, fc.option(anyText, { nil: null })), { minLength: drafts.length, maxLength: drafts.length })
    .map((texts) =>
      drafts.map((each, at): PostingDraft => ({
        ...each,
        text: texts[at]?.[0] ?? '',
        paymentReference: texts[at]?.[1] ?? null,
      })),
    ),
);
const step = fc.oneof({ weight: 4, arbitrary: spelledOddly }, { weight: 1, arbitrary: fc.constant('close' as const) });

serviceSuite({ replicas: 2, manager: false }, (suite) => {
  const { engine, service, replicaFor } = suite;
  const other = replicaFor(1);

  const stored = (bankId: number): Promise<[postings: Row[], closings: Row[]]> =>
    service.read('sund', async (db) => [
      await rowsOf(db, 'postings', bankId),
      await rowsOf(db, 'settlement_periods', bankId),
    ]);
  const take = (writer: TestService, bankId: number, each: readonly PostingDraft[] | 'close'): Promise<number> =>
    writer.write('sund', (db) =>
      each === 'close'
        ? lockAndClosePeriod(db, grantBank(bankId), now, now)
        : lockAndAppendPostings(db, grantBank(bankId), each),
    );

  test('every link can be recomputed from the rows, in whatever order several processes wrote them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const bankId = await newBankRows(suite);
        for (const each of steps.slice(0, 3)) await take(service, bankId, each);
        await Promise.all(steps.slice(3).map((each, at) => take(at % 2 === 0 ? service : other, bankId, each)));
        const rows = await stored(bankId);
        const links = linksOf(...rows);
        assert.ok(links.length > 0);
        assert.equal(new Set(links).size, links.length);
        assert.deepEqual(storedLinks(...rows), links);
        assert.deepEqual(await verifyBankLedger(service, bankId), []);
      }),
      ledgerRuns(5),
    );
  });

  test('a link covers every column of its row', async () => {
    const bankId = await newBankRows(suite);
    await take(service, bankId, [postingDraft(now)]);
    await take(service, bankId, 'close');
    const [[posting], [closing]] = await stored(bankId);
    assert.deepEqual(
      Object.keys(posting ?? {}).toSorted(),
      [...hashedIntegerColumns, ...hashedTextColumns, 'chain'].toSorted(),
    );
    assert.deepEqual(
      Object.keys(closing ?? {}).toSorted(),
      ['bank_id', 'period', 'from_at', 'through_at', 'closed_at', 'chain'].toSorted(),
    );
  });

  test('a closed period’s link follows its last posting, or the closing before it', async () => {
    const bankId = await newBankRows(suite);
    for (const each of [
      'close',
      [postingDraft(now), postingDraft(now)],
      'close',
      'close',
      [postingDraft(now)],
    ] as const)
      await take(service, bankId, each);
    const [postings, closings] = await stored(bankId);
    assert.deepEqual(storedLinks(postings, closings), linksOf(postings, closings));
    assert.deepEqual(
      [postings.map(({ period }) => period), closings.map(({ period }) => period)],
      [
        [2, 2, 4],
        [1, 2, 3],
      ],
    );
  });

  test('nothing is appended to a ledger whose last posting or last closing is missing', async () => {
    const gone: [expected: RegExp, harm: (db: WriteDb, bankId: number) => Promise<unknown>][] = [
      [
        /its last posting 2 is missing/,
        (db, bankId) => db.deleteFrom('postings').where('bank_id', '=', bankId).where('posting_id', '=', 2).execute(),
      ],
      [
        /the closing of period 1 is missing/,
        (db, bankId) => db.deleteFrom('settlement_periods').where('bank_id', '=', bankId).execute(),
      ],
    ];
    for (const [expected, harm] of gone) {
      const bankId = await newBankRows(suite);
      await take(service, bankId, [postingDraft(now), postingDraft(now)]);
      await take(service, bankId, 'close');
      await service.write('sund', (db) => harm(db, bankId));
      await assert.rejects(take(service, bankId, [postingDraft(now)]), expected);
      await assert.rejects(take(service, bankId, 'close'), expected);
    }
  });

  /** Takes a database with three banks back to the schema before the chain, and returns its links. */
  async function olderDatabase(): Promise<{ place: TestStorage; outsider: DirectConnection; known: [Row[], Row[]][] }> {
    const place = await createStorage(engine);
    const made = await startService(engine, { storage: place });
    const known: [Row[], Row[]][] = [];
    for (const [bankId, sizes] of [
      [1, [1200, 0, 3, 1]],
      [2, [0, 2500]],
      [3, []],
    ] as const) {
      await made.write('sund', (db) => insertTestBank(db, { bankId }));
      for (const size of sizes) {
        const some = Array.from({ length: size }, (_, at) => postingDraft(now + at, { text: `Wash ${at} – ø|` }));
        if (size > 0) await take(made, bankId, some);
        await take(made, bankId, 'close');
      }
      known.push(
        await made.dependencies.databases
          .forTenant('sund')
          .read({ deadlineMs: 30_000 }, async (db) => [
            await rowsOf(db, 'postings', bankId),
            await rowsOf(db, 'settlement_periods', bankId),
          ]),
      );
    }
    await made.stop();
    const outsider = await connectDirectly(storageAddressOf(place));
    await rollBackFrom(outsider, '0006-ledger-integrity');
    return { place, outsider, known };
  }

  async function assertSealed(place: TestStorage, known: [Row[], Row[]][]): Promise<void> {
    const later = await startService(engine, { storage: place });
    for (const [at, rows] of known.entries()) {
      const bankId = at + 1;
      const held = await later.dependencies.databases
        .forTenant('sund')
        .read({ deadlineMs: 30_000 }, async (db) => [
          await rowsOf(db, 'postings', bankId),
          await rowsOf(db, 'settlement_periods', bankId),
        ]);
      assert.deepEqual(held, rows);
      assert.deepEqual(await verifyBankLedger(later, bankId), []);
      await take(later, bankId, [postingDraft(now)]);
      assert.deepEqual(await verifyBankLedger(later, bankId), [], 'and the chain goes on');
    }
    await later.stop();
  }

  test('postings and closings from before the chain get the links that they would have had', async () => {
    const { place, outsider, known } = await olderDatabase();
    const databases = openDatabases(storageAddressOf(place));
    await databases.migrate('sund');
    if (engine === 'mariadb') {
      // As if the migration had been killed half way: some rows have links, some do not, and the migration is not
      // recorded.
      await outsider.run(`update postings set chain = '' where bank_id = 2 and posting_id > 1100`);
      await outsider.run(`update settlement_periods set chain = '' where bank_id = 2`);
      await outsider.run(`delete from kysely_migration where name = '0006-ledger-integrity' or name > '0006'`);
      await databases.migrate('sund');
    }
    await databases.close();
    await outsider.close();
    await assertSealed(place, known);
    await place.release();
  });

  test('a migration that was killed while it computed links is finished by the next run', async () => {
    const { place, outsider, known } = await olderDatabase();
    await outsider.close();
    const migrator = await startMigrator(storageAddressOf(place), 'sund');
    migrator.start();
    await new Promise((resolve) => setTimeout(resolve, engine === 'sqlite' ? 25 : 60));
    migrator.kill();
    await migrator.ran;
    await assertSealed(place, known);
    await place.release();
  });
});
