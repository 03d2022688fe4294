// Codes and keys are answered once: no log line, no live log and no table has them afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { waitUntil } from '../support/async.ts';
import { createCaller } from '../support/call.ts';
import { createComputer, createComputerKey, enrol, renewCode, renewKey } from '../support/computers.ts';
import { insertTestBank } from '../support/factories.ts';
import { startServeProcess } from '../support/portal-process.ts';
import { serviceSuite } from '../support/service-suite.ts';

serviceSuite({}, ({ engine, service, storage, manager }) => {
  const readTables = () =>
    service.read('sund', async (db) => {
      const { rows } =
        engine === 'sqlite'
          ? await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(db)
          : await sql<{
              name: string;
            }>`select table_name as name from information_schema.tables where table_schema = database()`.execute(db);
      const tables: unknown[] = [];
      for (const { name } of rows) tables.push((await sql`select * from ${sql.table(name)}`.execute(db)).rows);
      return JSON.stringify(tables, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    });

  test('[computers.01] no code and no key is in the log, the live log or the database, whatever request has it', async (t) => {
    await service.write('sund', (db) => insertTestBank(db));
    const child = await startServeProcess({ PORTAL_STORAGE: storage.storageUrl, PORTAL_LOG_LEVEL: 'trace' });
    t.after(() => child.kill());
    const call = createCaller(child.port, []);
    const created = await createComputer({ call }, manager);
    const renewed = await renewCode({ call }, created.json.computer.kid, manager);
    const codes: string[] = [created.json.enrolmentCode, renewed.json.enrolmentCode];
    const enrolled = await enrol({ call }, codes[1]);
    const rotated = await renewKey({ call }, enrolled.json.key);
    assert.deepEqual([created.status, renewed.status, enrolled.status, rotated.status], [201, 200, 200, 200]);
    const keys: string[] = [enrolled.json.key, rotated.json.key, createComputerKey()];
    for (const secret of [...codes, ...keys]) {
      assert.notEqual((await enrol({ call }, secret)).status, 200);
      for (const path of ['/equipment/v1/key', `/equipment/v1/key/${secret}`, `/equipment/v1/enrol?code=${secret}`])
        for (const body of [undefined, { code: secret, serial: 'SN-1', software: secret }])
          await call('POST', path, { headers: { 'x-request-id': 'canary', 'user-agent': 'canary' }, body });
      await call('GET', `/equipment/v1/${secret}`, { token: `${secret}x` });
    }
    const liveLogs = await call('GET', '/api/v1/diagnostics/live-logs', manager);
    assert.equal(liveLogs.status, 200, liveLogs.text);
    // Lines are written in the order of the requests.
    await waitUntil('the log has the last request', () => child.lines().some((line) => line.includes('live-logs')));
    assert.ok(child.lines().some((line) => line.includes('/equipment/v1/enrol')));
    const written = {
      log: child.lines().join('\n'),
      errors: child.stderr(),
      live: liveLogs.text,
      tables: await readTables(),
    };
    for (const [where, text] of Object.entries(written))
      for (const secret of [...codes, ...keys]) assert.ok(!text.includes(secret), `${where} has a secret`);
  });
});
