// Tenants whose database cannot be used: what the operator and the clients see, and that all other tenants are served
// meanwhile. A tenant is served again as soon as its database works.

import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { waitUntil } from '../support/async.ts';
import { noMariaDb, startMariaDb, type MariaDb } from '../support/mariadb-server.ts';
import { runPortal, startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { createStorage, type TestStorage } from '../support/service.ts';
import { formatRawRequest, sendRaw, type RawReply } from './support/raw-http.ts';

const tenants = ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'];

type FailedTenant = { readonly path: string; readonly message: string };

function createClient(child: () => ServeProcess) {
  const get = (path: string, host = '10.0.0.1'): Promise<RawReply> =>
    sendRaw(child().port, formatRawRequest(`GET ${path} HTTP/1.1`, [`Host: ${host}`]));
  return {
    get,
    /** The status of a login, which reads the tenant's database: 401 if the database works. */
    login: (tenant: string, userName = 'nobody'): Promise<RawReply> => {
      const body = JSON.stringify({ userName, password: 'no password' });
      const headers = [
        `Host: api.${tenant}.localhost`,
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ];
      return sendRaw(child().port, formatRawRequest('POST /api/v1/session/login HTTP/1.1', headers, body));
    },
    readyz: async (query = ''): Promise<{ status: number; json: RawReply['json']; ms: number }> => {
      const from = performance.now();
      const { status, json } = await get(`/readyz${query}`);
      return { status, json, ms: performance.now() - from };
    },
  };
}

/** The log lines about failing tenants, as the operator reads them. */
const loggedFailures = (child: ServeProcess): Map<string, Record<string, unknown>> =>
  new Map(
    child
      .lines()
      .map((line): Record<string, unknown> => JSON.parse(line))
      .filter(({ msg }) => msg === 'the tenant cannot be served')
      .map((line) => [String(line['tenant']), line]),
  );

describe('a SQLite file', () => {
  let storage: TestStorage;
  let directory: string;
  let child: ServeProcess;
  const { readyz, login } = createClient(() => child);
  const fileOf = (tenant: string): string => join(directory, `${tenant}.sqlite`);

  /** How each tenant's file is broken, and the words that name the fault. */
  const broken: Readonly<
    Record<string, { readonly check: string; readonly text: RegExp; doDamage(file: string): void }>
  > = {
    sund: {
      check: 'integrity',
      text: /damaged.*Restore it from a backup.*verify ledger/,
      doDamage: (file) => writeFileSync(file, 'this is no database'.repeat(1000)),
    },
    fjord: {
      check: 'integrity',
      text: /cut short.*Restore it from a backup/,
      doDamage: (file) => truncateSync(file, statSync(file).size / 2),
    },
    malar: { check: 'migrations', text: /does not exist.*Run `migrate`/, doDamage: (file) => rmSync(file) },
    linden: {
      check: 'migrations',
      text: /lacks the migrations from 0001-places on.*Run `migrate`/,
      doDamage: (file) => writeFileSync(file, ''),
    },
    thames: {
      check: 'migrations',
      text: /newer version.*9999-later.*Run that version/,
      doDamage: (file) => runSql(file, "insert into kysely_migration values ('9999-later', '2026-01-01')"),
    },
  };

  before(async () => {
    storage = await createStorage('sqlite');
    directory = storage.storageUrl.slice('sqlite:'.length);
    assert.equal((await runPortal(['migrate'], { PORTAL_STORAGE: storage.storageUrl })).code, 0);
    for (const tenant of Object.keys(broken)) {
      copyFileSync(fileOf(tenant), `${fileOf(tenant)}.backup`);
      broken[tenant]?.doDamage(fileOf(tenant));
    }
    child = await startServeProcess({ PORTAL_STORAGE: storage.storageUrl });
  });
  after(async () => {
    await child.kill();
    await storage.release();
  });

  test('the service starts, and names each tenant that it cannot serve with its file, the check and the remedy', async () => {
    await waitUntil('all were checked', () => loggedFailures(child).size >= Object.keys(broken).length);
    const failures = loggedFailures(child);
    assert.deepEqual([...failures.keys()].toSorted(), Object.keys(broken).toSorted());
    for (const [tenant, { check, text }] of Object.entries(broken)) {
      const line = failures.get(tenant) ?? {};
      assert.deepEqual(
        [line['check'], line['storage'], line['location']],
        [check, `${tenant}.sqlite`, `file ${fileOf(tenant)}`],
      );
      assert.match(`${String(line['problem'])} ${String(line['remedy'])}`, text);
    }
  });

  test('/readyz names the same tenants and faults, without a path', async () => {
    let { status, json } = await readyz();
    // On a busy machine other tenants sometimes do not answer in time at first.
    await waitUntil('only these fail', async () => {
      ({ status, json } = await readyz());
      return json.errors.length === Object.keys(broken).length;
    });
    assert.deepEqual([status, json.code], [503, 'not-ready']);
    assert.deepEqual(json.detail.split(', ').toSorted(), ['integrity', 'migrations']);
    assert.deepEqual(json.errors.map(({ path }: FailedTenant) => path).toSorted(), Object.keys(broken).toSorted());
    for (const { path, message } of json.errors as FailedTenant[]) {
      assert.ok(message.startsWith(`${broken[path]?.check}: ${path}.sqlite: `), message);
      assert.match(message, broken[path]?.text ?? /never/);
    }
    assert.ok(!JSON.stringify(json).includes(directory));
  });

  test('/readyz for any tenant tells a load balancer that some tenants can be served', async () => {
    const { status, json } = await readyz('?tenants=any');
    assert.deepEqual([status, json], [200, { status: 'degraded' }]);
  });

  test('its clients get 503 storage-unavailable, those of all other tenants are served', async () => {
    for (const tenant of tenants) {
      const { status, json, headers } = await login(tenant);
      // A newer schema has everything that this version needs.
      if (tenant === 'island' || tenant === 'thames') assert.equal(status, 401, tenant);
      else {
        assert.deepEqual([status, json.code], [503, 'storage-unavailable'], tenant);
        assert.ok(Number(headers['retry-after']) >= 1);
      }
    }
  });

  test('the commands also name the broken tenants, and work for the others', async () => {
    const { code, stdout, stderr } = await runPortal(['migrate'], { PORTAL_STORAGE: storage.storageUrl });
    assert.equal(code, 1);
    assert.match(stdout, /^malar: 0001-places, .*\nlinden: 0001-places, .*\nisland: up to date\n$/);
    assert.match(stderr, /^error: [^\n]+\n$/);
    for (const tenant of ['sund', 'fjord', 'thames'])
      assert.match(stderr, new RegExp(`tenant ${tenant}, file ${fileOf(tenant)}: ${broken[tenant]?.check}: `));
    for (const command of [['verify'], ['verify', 'ledger'], ['demo'], ['settle', '--bank', '1001']]) {
      const argv = [...command, '--tenant', 'sund'];
      const refused = await runPortal(argv, { PORTAL_STORAGE: storage.storageUrl });
      assert.equal(refused.code, 1, argv.join(' '));
      assert.match(refused.stderr, /^error: tenant sund, file [^\n]*: integrity: [^\n]+\n$/);
    }
  });

  test('a repaired file is served without a restart', async () => {
    for (const tenant of Object.keys(broken)) {
      for (const side of ['-wal', '-shm']) rmSync(fileOf(tenant) + side, { force: true });
      renameSync(`${fileOf(tenant)}.backup`, fileOf(tenant));
      await waitUntil(`${tenant} is served`, async () => (await login(tenant)).status === 401);
    }
    await waitUntil('the service is ready', async () => (await readyz()).status === 200);
  });

  test('a file whose write lock another process holds is named within two seconds', async () => {
    const other = new DatabaseSync(fileOf('linden'));
    other.exec('begin immediate');
    try {
      await waitUntil('it is noticed', async () => {
        const { status, json, ms } = await readyz();
        return ms < 2000 && status === 503 && /^database: linden.sqlite: it answers reads/.test(json.errors[0].message);
      });
      // A wrong password is counted, so that a login that cannot store anything tells nothing of the password.
      assert.equal((await login('linden')).status, 503);
    } finally {
      other.exec('rollback');
      other.close();
    }
  });
});

function runSql(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

describe('a schema on MariaDB', { skip: noMariaDb }, () => {
  let server: MariaDb;
  let child: ServeProcess;
  const { readyz, login } = createClient(() => child);
  const loginsAtOnce = (tenant: string): Promise<RawReply[]> =>
    Promise.all(Array.from({ length: 6 }, (_, at) => login(tenant, `nobody${at}`)));
  const user = 'limited';
  const admin = async (...statements: string[]): Promise<void> => {
    const connection = await createConnection({ uri: server.url('') });
    for (const statement of statements) await connection.query<RowDataPacket[]>(statement);
    await connection.end();
  };
  const rights = (tenant: string): string => `\`broken_${tenant}\`.* `;

  before(async () => {
    const started = await startMariaDb();
    assert.ok(started !== undefined);
    server = started;
    assert.equal((await runPortal(['migrate'], { PORTAL_STORAGE: server.url('broken_') })).code, 0);
    await admin(
      `create user '${user}'@'127.0.0.1' identified by 'secret-word'`,
      ...tenants.map((tenant) => `grant all on ${rights(tenant)} to '${user}'@'127.0.0.1'`),
      `revoke all on ${rights('sund')} from '${user}'@'127.0.0.1'`,
      `revoke insert, update, delete on ${rights('fjord')} from '${user}'@'127.0.0.1'`,
      'drop database broken_malar',
    );
    const storage = `mysql://${user}:secret-word@127.0.0.1:${server.port}/broken_`;
    child = await startServeProcess({ PORTAL_STORAGE: storage });
  });
  after(async () => {
    await child?.kill();
    await server?.stop();
  });

  test('that is missing, or that the user has no rights on, is named with the check and the remedy', async () => {
    let messages = new Map<string, string>();
    // On a busy machine other tenants sometimes do not answer in time at first.
    await waitUntil('only these fail', async () => {
      const { status, json } = await readyz();
      assert.equal(status, 503);
      messages = new Map((json.errors as FailedTenant[]).map(({ path, message }) => [path, message]));
      return [...messages.keys()].toSorted().join() === 'fjord,malar,sund';
    });
    assert.match(messages.get('sund') ?? '', /^permissions: broken_sund: .*refuses the user.*grant/);
    assert.match(messages.get('fjord') ?? '', /^permissions: broken_fjord: .*grant/);
    assert.match(messages.get('malar') ?? '', /^(migrations|permissions): broken_malar: /);
    await waitUntil('it is in the log', () => loggedFailures(child).size === 3);
    const line = loggedFailures(child).get('sund');
    assert.equal(line?.['location'], `schema broken_sund at 127.0.0.1:${server.port}`);
    assert.ok(!child.lines().join('').includes('secret-word'));
  });

  test('is refused only to its own clients', async () => {
    // The user may only read the third one. A wrong password is counted there, so that the login tells nothing of it.
    for (const tenant of ['sund', 'malar', 'fjord']) {
      const { status, json } = await login(tenant);
      assert.deepEqual([status, json.code], [503, 'storage-unavailable'], tenant);
    }
    for (const tenant of ['linden', 'thames', 'island']) assert.equal((await login(tenant)).status, 401, tenant);
    // Several connections are opened without the right to write.
    for (const { status } of await loginsAtOnce('fjord')) assert.equal(status, 503);
    assert.equal((await readyz('?tenants=any')).status, 200);
  });

  test('is served as soon as its rights are back', async () => {
    await admin(
      `grant all on ${rights('sund')} to '${user}'@'127.0.0.1'`,
      `grant all on ${rights('fjord')} to '${user}'@'127.0.0.1'`,
    );
    assert.equal((await runPortal(['migrate'], { PORTAL_STORAGE: server.url('broken_') })).code, 0);
    await waitUntil('the service is ready', async () => (await readyz()).status === 200);
    for (const tenant of tenants)
      for (const { status } of await loginsAtOnce(tenant)) assert.equal(status, 401, tenant);
  });

  test('on a server that hangs is named within two seconds, and served when the server goes on', async () => {
    process.kill(server.pid, 'SIGSTOP');
    try {
      await waitUntil('it is noticed', async () => {
        const { status, json, ms } = await readyz();
        return ms < 2000 && status === 503 && json.detail === 'connection' && json.errors.length === tenants.length;
      });
      const { json } = await readyz('?tenants=any');
      assert.match(
        json.errors[0].message,
        /^connection: broken_\w+: the server does not answer in time\. Look at the server/,
      );
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await waitUntil('the service is ready', async () => (await readyz()).status === 200, 20_000);
    for (const tenant of tenants) assert.equal((await login(tenant)).status, 401, tenant);
  });
});
