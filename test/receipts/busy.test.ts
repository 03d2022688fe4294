// Receipts on slow or failing storage: two reads run at a time, a third waits a second for a slot, each takes at most
// twelve seconds, and unreachable storage is reported. The slow tests take these twelve seconds, so they run
// concurrently.

import assert from 'node:assert/strict';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { renameSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { noMariaDb } from '../support/mariadb-server.ts';
import { postingDraft, createBankWithModel, recordInBoth } from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { instantOf } from '../support/account-oracle.ts';
import { startService, type Engine, type TestService } from '../support/service.ts';
import { receiptsPath } from './support/receipts.ts';
import { openSqliteFile, sqliteFileOf } from '../support/sqlite-file.ts';
import { testNow } from '../support/times.ts';

const kid = (residentId: number): string => `sund-B1001-R${residentId}`;

type Opened = { readonly service: TestService; readonly token: string };
type Timed = HttpReply & { readonly ms: number };

async function open(engine: Engine): Promise<Opened> {
  const service = await startService(engine, { clock: () => instantOf(testNow).epochMilliseconds });
  const { token } = await createToken(service);
  const book = await createBankWithModel(service);
  await recordInBoth(service, book, [postingDraft(testNow), postingDraft(testNow, { residentId: 1002 })]);
  return { service, token };
}

async function read({ service, token }: Opened, residentId = 1001): Promise<Timed> {
  const startedAt = performance.now();
  const reply = await service.call('GET', receiptsPath(kid(residentId)), { token });
  return { ...reply, ms: performance.now() - startedAt };
}

/** While two reads hang, further ones are refused after a second; the two are answered at their deadline, and then everything works again. */
async function assertTwoAtATime(opened: Opened, hang: () => Promise<void>, mend: () => Promise<void>): Promise<void> {
  // Of another resident: those whose pages are kept are not read again.
  assert.equal((await read(opened, 1003)).status, 200);
  await hang();
  const hanging = [read(opened), read(opened, 1002)];
  await pause(500);
  for (const { status, json, headers, ms } of await Promise.all([1, 2, 3].map(() => read(opened, 1003)))) {
    assert.deepEqual([status, json.code], [503, 'storage-busy']);
    assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.ok(ms >= 1000 && ms < 6000, `after ${ms} ms`);
  }
  for (const { status, json, headers, ms } of await Promise.all(hanging)) {
    assert.deepEqual([status, json.code], [503, 'storage-timeout']);
    assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.ok(ms > 11_800 && ms < 16_000, `after ${ms} ms`);
  }
  await mend();
  const replies = await Promise.all([read(opened), read(opened, 1002)]);
  assert.deepEqual(
    replies.map(({ status, json }) => [status, json.items?.length]),
    [
      [200, 1],
      [200, 1],
    ],
  );
}

/** Replaces the postings by a view that never ends. */
const makeEndless = [
  'alter table postings rename to real_postings',
  `create view postings as
    select p.bank_id, endless.i as posting_id, p.recorded_at, p.location_id, p.unit_id, p.user_id, p.kind,
      p.payment_kind, p.currency, p.amount_minor, p.period, p.document_id, p.text, p.fingerprint
    from (with recursive n(i) as (select 1 union all select i + 1 from n) select i from n) endless
    join real_postings p on p.posting_id in (1, 2)`,
];
const makeReal = ['drop view postings', 'alter table real_postings rename to postings'];

describe('receipts on slow or failing storage', { concurrency: true }, () => {
  describe('sqlite at work', () => {
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

    test('[receipts.28, receipts.29] two reads at once, a third is storage-busy after a second; after twelve seconds storage-timeout (sqlite)', async () => {
      const run = async (statements: readonly string[]): Promise<void> => file.exec(statements.join(';'));
      await assertTwoAtATime(
        opened,
        () => run(makeEndless),
        () => run(makeReal),
      );
    });
  });

  describe('sqlite', () => {
    let opened: Opened;
    before(async () => {
      opened = await open('sqlite');
    });
    after(() => opened.service.stop());

    test('[receipts.29] storage that cannot be reached is 503 storage-unavailable, until it can be (sqlite)', async () => {
      const at = sqliteFileOf(opened.service);
      assert.equal((await read(opened)).status, 200);
      renameSync(at, `${at}.away`);
      // A reader looks for its file every second.
      await pause(1100);
      const { status, json, headers } = await read(opened);
      assert.deepEqual([status, json.code], [503, 'storage-unavailable']);
      assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
      renameSync(`${at}.away`, at);
      assert.equal((await read(opened)).status, 200);
    });
  });

  describe('mariadb', { skip: noMariaDb, concurrency: 1 }, () => {
    let opened: Opened;
    let admin: Connection;
    let schema: string;
    before(async () => {
      opened = await open('mariadb');
      const { storage } = opened.service.dependencies.config;
      assert.ok(storage.engine === 'mysql');
      const { nodes, user, password, prefix } = storage;
      schema = `${prefix}sund`;
      admin = await createConnection({ ...nodes[0], user, password, database: schema });
    });
    after(async () => {
      await admin.end();
      await opened.service.stop();
    });

    const run = async (statement: string): Promise<void> => void (await admin.query(statement));

    test('[receipts.28, receipts.29] two reads at once, a third is storage-busy after a second; after twelve seconds storage-timeout (mariadb)', async () => {
      await assertTwoAtATime(
        opened,
        () => run('lock tables postings write, resident_rollups write'),
        () => run('unlock tables'),
      );
    });

    test('[receipts.29] a connection that breaks during a read is 503 storage-unavailable, and the next read is answered (mariadb)', async () => {
      await run('lock tables postings write, resident_rollups write');
      const reading = read(opened);
      let ids: number[] = [];
      while (ids.length === 0) {
        await pause(20);
        const [rows] = await admin.query<RowDataPacket[]>(
          "select id from information_schema.processlist where db = ? and command = 'Query' and id <> connection_id()",
          [schema],
        );
        ids = rows.map(({ id }) => Number(id));
      }
      for (const id of ids) await run(`kill connection ${id}`);
      const { status, json } = await reading;
      assert.deepEqual([status, json.code], [503, 'storage-unavailable']);
      await run('unlock tables');
      assert.equal((await read(opened)).status, 200);
    });
  });
});
