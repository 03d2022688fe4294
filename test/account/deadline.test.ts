// Account reads whose storage is too slow, fails, or cannot compare texts: they are answered in time, and their queries
// stop. The slow ones take the ten seconds of their deadline, so they run side by side.

import assert from 'node:assert/strict';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  accountPath,
  fetchAccountAndRevision,
  postingDraft,
  createBankWithModel,
  recordInBoth,
  revisionPath,
} from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { instantOf, type BankModel } from '../support/account-oracle.ts';
import { startService, type Engine, type TestService } from '../support/service.ts';
import { noMariaDb } from '../support/mariadb-server.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { testNow } from '../support/times.ts';

type Opened = { service: TestService; token: string; book: BankModel };

async function open(engine: Engine): Promise<Opened> {
  const service = await startService(engine, { clock: () => instantOf(testNow).epochMilliseconds });
  const { token } = await createToken(service);
  const book = await createBankWithModel(service);
  await recordInBoth(service, book, [postingDraft(testNow), postingDraft(testNow - 1, { currency: 'EUR' })]);
  return { service, token, book };
}

/** Sends a request; returns its answer and duration. */
async function timed({ service, token }: Opened, path: string): Promise<HttpReply & { ms: number }> {
  const startedAt = performance.now();
  const reply = await service.call('GET', path, { token });
  return { ...reply, ms: performance.now() - startedAt };
}

function assertTimedOut({ status, json, headers, ms }: HttpReply & { ms: number }, code: string): void {
  assert.deepEqual([status, json.code], [503, code]);
  assert.ok(ms > 9_800 && ms < 14_000, `after ${ms} ms`);
  assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
}

async function eventually(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const until = performance.now() + 5000;
  while (!(await isSo())) {
    assert.ok(performance.now() < until, what);
    await pause(20);
  }
}

const reads = (book: BankModel): [path: string, code: string][] => [
  [accountPath(book, 'Period=0'), 'periods-timeout'],
  [accountPath(book, 'From=2026-06-15'), 'storage-timeout'],
  [revisionPath(book, `Period=0&UserKid=${book.bankKid}-R1001`), 'periods-timeout'],
  [revisionPath(book, `UserKid=${book.bankKid}-R1001`), 'storage-timeout'],
];

/** Replaces the postings by a view that never ends. */
const makeEndless = (numbers: string): string[] => [
  'alter table postings rename to real_postings',
  `create view postings as
    select p.bank_id, endless.i as posting_id, p.recorded_at, p.location_id, p.unit_id, p.user_id, p.kind,
      p.payment_kind, p.currency, p.amount_minor, p.vat_minor, p.period, p.document_id, p.text, p.internal_tag,
      p.payment_reference, p.reversal_of, p.fingerprint
    from ${numbers} as endless join real_postings p on p.posting_id = 1`,
];
const makeReal = ['drop view postings', 'alter table real_postings rename to postings'];

async function works({ service, token, book }: Opened): Promise<void> {
  const { status, json, text } = await fetchAccountAndRevision(service, token, book, 'From=2026-06-15');
  assert.deepEqual([status, json.totalCount], [200, 2], text);
}

type Served = Opened & { admin: Connection; schema: string };

async function openServed(): Promise<Served> {
  const opened = await open('mariadb');
  const { storage } = opened.service.dependencies.config;
  assert.ok(storage.engine === 'mysql');
  const { nodes, user, password, prefix } = storage;
  const schema = `${prefix}sund`;
  return { ...opened, schema, admin: await createConnection({ ...nodes[0], user, password, database: schema }) };
}

async function close({ admin, service }: Served): Promise<void> {
  await admin.end();
  await service.stop();
}

/** The ids of the connections on which the service runs a statement now. */
async function running({ admin, schema }: Served): Promise<number[]> {
  const [rows] = await admin.query<RowDataPacket[]>(
    "select id from information_schema.processlist where db = ? and command = 'Query' and id <> connection_id()",
    [schema],
  );
  return rows.map(({ id }) => Number(id));
}

describe('account reads of a storage in trouble', { concurrency: true }, () => {
  describe('sqlite', () => {
    let opened: Opened;
    let file: DatabaseSync;
    before(async () => {
      opened = await open('sqlite');
      file = openSqliteFile(opened.service);
    });
    after(async () => {
      file.close();
      await opened.service.stop();
    });

    /** Whether the log can be reset: no reader holds an older snapshot of the file. */
    function isFree(): boolean {
      file.exec('update health set beats = beats + 1');
      return file.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
    }

    test('[account.01, account.41, account.42] a read that takes too long is answered 503 after ten seconds and ends (sqlite)', async () => {
      const endless = '(with recursive n(i) as (select 1 union all select i + 1 from n) select i from n)';
      file.exec(makeEndless(endless).join(';'));
      const [byPeriod] = reads(opened.book);
      const replied = timed(opened, byPeriod?.[0] ?? '');
      await pause(500);
      file.exec('pragma busy_timeout = 0');
      assert.equal(isFree(), false, 'it is reading');
      assertTimedOut(await replied, 'periods-timeout');
      await eventually(isFree, 'nobody reads any more');
      file.exec(['pragma busy_timeout = 5000', ...makeReal].join(';'));
      await works(opened);
    });
  });

  describe('mariadb at work', { skip: noMariaDb }, () => {
    let served: Served;
    before(async () => {
      served = await openServed();
    });
    after(() => close(served));

    test('[account.42] a query that never ends is stopped in the server after ten seconds (mariadb)', async () => {
      const { admin, book } = served;
      // The residents that a page joins: it names an index of the postings, which no view of them has.
      await admin.query('alter table residents rename to real_residents');
      await admin.query(`create view residents as
        select r.* from real_residents r
        join (select seq * 48271 % 2147483647 as i from seq_1_to_100000000000) as endless on endless.i < 0`);
      const replied = timed(served, accountPath(book, 'From=2026-06-15'));
      await eventually(async () => (await running(served)).length === 1, 'it is reading');
      assertTimedOut(await replied, 'storage-timeout');
      await eventually(async () => (await running(served)).length === 0, 'nothing runs in the server any more');
      await admin.query('drop view residents');
      await admin.query('alter table real_residents rename to residents');
      await works(served);
    });
  });

  describe('mariadb', { skip: noMariaDb, concurrency: 1 }, () => {
    let served: Served;
    before(async () => {
      served = await openServed();
    });
    after(() => close(served));

    test('[account.42] texts that storage cannot compare are 503 storage-text-comparison, after one try (mariadb)', async () => {
      const { admin, service, book, token } = served;
      const collate = async (table: string, collation: string): Promise<void> => {
        await admin.query(`alter table ${table} modify currency varchar(3) collate ${collation} not null`);
      };
      // The first list of a tenant also reads the key of its cursors.
      await works(served);
      await collate('postings', 'utf8mb4_danish_ci');
      await collate('posting_rollups', 'utf8mb4_swedish_ci');
      await service.call('GET', '/api/v1/session/me', { token });
      const tries = mock.method(service.dependencies.databases.forTenant('sund'), 'read');
      // For a location, whole days are read from roll-ups and their edges from postings.
      const query = `From=2026-06-14&LocationKid=${book.bankKid}-L1`;
      for (const path of [accountPath(book, query), revisionPath(book, query)]) {
        const { status, json, text } = await timed(served, path);
        assert.deepEqual([status, json.code], [503, 'storage-text-comparison'], text);
        assert.doesNotMatch(text, /utf8mb4|danish|union|select/i);
      }
      assert.equal(tries.mock.callCount(), 2);
      tries.mock.restore();
      for (const table of ['postings', 'posting_rollups']) await collate(table, 'utf8mb4_bin');
      await works(served);
    });

    test('[account.42] a connection that breaks during a read is 503 storage-timeout at once (mariadb)', async () => {
      const { admin, book } = served;
      await admin.query('lock tables postings write, posting_rollups write');
      const reading = timed(served, accountPath(book, 'From=2026-06-15'));
      await eventually(async () => (await running(served)).length > 0, 'it is reading');
      for (const id of await running(served)) await admin.query(`kill connection ${id}`);
      const { status, json, ms } = await reading;
      assert.deepEqual([status, json.code], [503, 'storage-timeout']);
      assert.ok(ms < 5000, `after ${ms} ms`);
      await admin.query('unlock tables');
      await works(served);
    });

    test('[account.01, account.41, account.42] reads that take too long are answered 503 after ten seconds and end in the server (mariadb)', async () => {
      const { admin, book } = served;
      await admin.query('lock tables postings write, posting_rollups write');
      const replies = Promise.all(
        reads(book).map(async ([path, code]) => ({ code, reply: await timed(served, path) })),
      );
      await eventually(async () => (await running(served)).length === 4, 'they are reading');
      for (const { code, reply } of await replies) assertTimedOut(reply, code);
      await eventually(async () => (await running(served)).length === 0, 'nothing runs in the server any more');
      await admin.query('unlock tables');
      await works(served);
    });
  });
});
