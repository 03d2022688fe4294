// Documents on slow or failing storage: two searches and two renderings run at a time, a third waits a second for a
// slot, and each takes at most twelve seconds. The slow tests take these twelve seconds, so they run concurrently.

import assert from 'node:assert/strict';
import { createConnection, type Connection } from 'mysql2/promise';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import type { HttpReply } from '../support/call.ts';
import { createToken, insertTestBank } from '../support/factories.ts';
import { noMariaDb } from '../support/mariadb-server.ts';
import { startService, type Engine, type TestService } from '../support/service.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { hourMs, testNow } from '../support/times.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formatPaths,
  report,
  samplesOf,
  searchPath,
  summarize,
  unitAt,
} from './support/reports.ts';

const unit = unitAt(1001, 1, 1);
const kid = documentKidOf(unit, 1);
const search = searchPath(1001);
const table = documentPath(kid);

type Opened = { readonly service: TestService; readonly tokens: readonly string[] };
type Timed = HttpReply & { readonly ms: number };

async function open(engine: Engine): Promise<Opened> {
  const service = await startService(engine, { clock: () => fromMs2000(testNow) });
  await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1] } }));
  await report(service, unit, {
    cycles: cyclesAt(1, [testNow - 2 * hourMs, testNow - hourMs]),
    samples: samplesOf('Power', [[testNow - 2 * hourMs, '1']]),
    syncedThrough: testNow,
  });
  return { service, tokens: [(await createToken(service)).token, (await createToken(service)).token] };
}

async function read({ service, tokens }: Opened, path: string): Promise<Timed> {
  const startedAt = performance.now();
  const reply = await service.call('GET', path, { token: tokens[0] });
  return { ...reply, ms: performance.now() - startedAt };
}

type Trouble = { readonly hang: () => Promise<void>; readonly mend: () => Promise<void> };

/** While two hang, further ones are refused after a second; the two are answered at their deadline, and then everything works again. */
async function assertTwoAtATime(opened: Opened, paths: readonly string[], { hang, mend }: Trouble): Promise<void> {
  const [path = ''] = paths;
  assert.equal((await read(opened, path)).status, 200);
  await hang();
  const hanging = [read(opened, path), read(opened, path)];
  await pause(700);
  for (const { status, json, headers, ms } of await Promise.all(paths.map((each) => read(opened, each)))) {
    assert.deepEqual([status, json.code], [503, 'document-busy']);
    assert.equal(headers['retry-after'], '1');
    assert.ok(ms >= 950 && ms < 8000, `after ${ms} ms`);
  }
  for (const { status, json, headers, ms } of await Promise.all(hanging)) {
    assert.deepEqual([status, json.code], [503, 'storage-timeout']);
    assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/);
    assert.ok(ms > 11_800 && ms < 17_000, `after ${ms} ms`);
  }
  await mend();
  assert.deepEqual(
    (await Promise.all([read(opened, path), read(opened, path)])).map(({ status }) => status),
    [200, 200],
  );
}

/** A view instead of a table: reading it takes minutes, and can be stopped at each of its rows. */
const slowView = (table_: string, columns: string): Record<'hang' | 'mend', readonly string[]> => ({
  hang: [
    `alter table ${table_} rename to real_${table_}`,
    `create view ${table_} as select ${columns}
      from (with recursive n(i) as (select 0 union all select i + 1 from n limit 45000) select i from n) many`,
  ],
  mend: [`drop view ${table_}`, `alter table real_${table_} rename to ${table_}`],
});

/** A whole number of 1024 milliseconds, within the document and the search. */
const from = Math.ceil((testNow - 2 * hourMs) / 1024) * 1024;
const slowSamples = slowView(
  'state_samples',
  `1 as series_id, ${from} + many.i % 2000 * 1024 as at,
    (with recursive m(j) as (select many.i union all select j + 1 from m limit 20000) select max(j) from m) as value`,
);
// All Cycles are of one document, so that each is compared with all of them.
const slowCycles = slowView(
  'document_cycles',
  `1001 as bank_id, 1 as location_id, 1 as unit_id, ${from} + many.i % 2000 * 1024 as at, 1 as document_id,
    null as value`,
);

const subjects = [
  [
    '[documents.25, documents.26] two searches at once, a third is document-busy after a second; after twelve seconds storage-timeout',
    [search, search],
    slowCycles,
    'document_cycles',
  ],
  [
    '[documents.57, documents.58, documents.59] two renderings at once, a third is document-busy after a second; after twelve seconds storage-timeout',
    formatPaths.filter((format) => format !== 'graph.svg').map((format) => documentPath(kid, format)),
    slowSamples,
    'state_samples',
  ],
] as const;

describe('documents on slow or failing storage', { concurrency: true }, () => {
  for (const [title, paths, statements] of subjects)
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

      test(`${title} (sqlite)`, () =>
        assertTwoAtATime(opened, paths, {
          hang: async () => file.exec(statements.hang.join(';')),
          mend: async () => file.exec(statements.mend.join(';')),
        }));
    });

  for (const [title, paths, , locked] of subjects)
    describe('mariadb', { skip: noMariaDb }, () => {
      let opened: Opened;
      let admin: Connection;
      before(async () => {
        opened = await open('mariadb');
        const { storage } = opened.service.dependencies.config;
        assert.ok(storage.engine === 'mysql');
        const { nodes, user, password, prefix } = storage;
        admin = await createConnection({ ...nodes[0], user, password, database: `${prefix}sund` });
      });
      after(async () => {
        await admin.end();
        await opened.service.stop();
      });

      test(`${title} (mariadb)`, () =>
        assertTwoAtATime(opened, paths, {
          hang: async () => void (await admin.query(`lock tables ${locked} write`)),
          mend: async () => void (await admin.query('unlock tables')),
        }));
    });

  describe('requests that need no slot', { skip: noMariaDb }, () => {
    let opened: Opened;
    let admin: Connection;
    before(async () => {
      opened = await open('mariadb');
      const { storage } = opened.service.dependencies.config;
      assert.ok(storage.engine === 'mysql');
      const { nodes, user, password, prefix } = storage;
      admin = await createConnection({ ...nodes[0], user, password, database: `${prefix}sund` });
    });
    after(async () => {
      await admin.end();
      await opened.service.stop();
    });

    test('[documents.26, documents.58] searches and renderings have separate slots, and a cached graph needs none', async () => {
      const graph = documentPath(kid, 'graph.svg');
      assert.equal((await read(opened, graph)).status, 200);
      await admin.query('lock tables state_samples write');
      const hanging = [read(opened, table), read(opened, table)];
      await pause(700);
      assert.equal((await read(opened, search)).status, 200);
      assert.equal((await read(opened, graph)).status, 200);
      assert.equal(summarize(await read(opened, documentPath(kid, 'graph.svg', 'width=600'))), '503 document-busy');
      // A waiting request gets the slot that becomes free.
      const waiting = read(opened, table);
      await pause(200);
      await admin.query('unlock tables');
      for (const { status } of await Promise.all([...hanging, waiting])) assert.equal(status, 200);
    });
  });
});
