// What replicas of the service share, and what each has for itself: the rows of the table in docs/operating.md, "Several
// processes", that no other test looks at.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { insertTestManager } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { insertTestInstaller } from '../support/installers.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const installers = '/api/v1/installers?limit=5';
const name = '/api/v1/session/me/profile/Name';

serviceSuite({ now: testNow, replicas: 2 }, ({ service: here, replicaFor, manager, issueToken, onStop }) => {
  const there = replicaFor(1);
  before(async () => {
    await here.write('sund', async (db) => {
      await insertTestManager(db, { userName: 'anna', passwordHash: plainPasswordHash('right') });
      const rows = Array.from({ length: 12 }, (_, at) => ({ installerId: 2001 + at, name: `Installer ${at}` }));
      await insertTestInstaller(db, ...rows);
    });
  });

  test('[replicas.05] a login at one replica counts at the other at once', async () => {
    const withPlainPasswords = await startInstance(here, { passwordHasher: plainPasswords });
    onStop(withPlainPasswords.stop);
    const body = { userName: 'anna', password: 'right' };
    const { json } = await withPlainPasswords.call('POST', '/api/v1/session/login', { body });
    const { status, json: me } = await there.call('GET', '/api/v1/session/me', { token: json.accessToken });
    assert.deepEqual([status, me], [200, json.manager]);
  });

  test('[replicas.05] the cursor of one replica leads on at the other, and all rows are there once', async () => {
    const seen: string[] = [];
    let path: string | undefined = installers;
    for (let at = 0; path !== undefined; at += 1) {
      const { status, json } = await replicaFor(at).call('GET', path, manager);
      assert.equal(status, 200, path);
      seen.push(...json.items.map(({ kid }: { kid: string }) => kid));
      path = json.nextCursor === null ? undefined : `${installers}&cursor=${json.nextCursor}`;
    }
    assert.equal(seen.length, 12);
    assert.equal(new Set(seen).size, 12);
  });

  test('[replicas.05] a repeated request gets the stored answer of the other replica, and a revision is used once', async () => {
    const token = await issueToken();
    const { json: profile } = await here.call('GET', '/api/v1/session/me/profile', { token });
    const body = { value: 'Another name', expectedRevision: profile.revision };
    const options = { token, body, headers: { 'idempotency-key': 'one-of-two' } };
    const first = await here.call('POST', name, options);
    const again = await there.call('POST', name, options);
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await there.call('POST', name, { token, body })).status, 409);
  });

  test('[replicas.10] each replica allows an address the whole limit', async () => {
    const limit = 5;
    for (const replica of [here, there]) {
      const { config } = replica.dependencies;
      const rateLimit = { addressPerMinute: limit, principalPerMinute: 1000 };
      const limited = await startInstance(replica, { config: { ...config, rateLimit } });
      onStop(limited.stop);
      const statuses: number[] = [];
      for (let at = 0; at <= limit; at += 1) statuses.push((await limited.call('GET', '/docs')).status);
      assert.deepEqual(statuses, [...Array.from({ length: limit }, () => 200), 429]);
    }
  });

  test('[replicas.10] each replica allows an address all of its connections', async () => {
    const perAddress = 3;
    const sockets: Socket[] = [];
    for (const replica of [here, there]) {
      const { config } = replica.dependencies;
      const limited = await startInstance(replica, { config: { ...config, connections: { total: 100, perAddress } } });
      onStop(limited.stop);
      const { port } = limited.app.server.address() as AddressInfo;
      for (let at = 0; at < perAddress; at += 1) {
        const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.7' });
        sockets.push(socket);
        await once(socket, 'connect');
      }
    }
    for (const socket of sockets) {
      const answer = once(socket, 'data');
      socket.write('GET /livez HTTP/1.1\r\nHost: api.sund.localhost\r\n\r\n');
      assert.match(String((await answer)[0]), /^HTTP\/1\.1 200 /);
    }
    for (const socket of sockets) socket.destroy();
  });
});

/** Each row of the table, and the test that looks at it with two processes. */
const tests: Readonly<Record<string, readonly [file: string, name: string]>> = {
  'sessions, keys of services and computers': ['http/replicas', 'a login at one replica counts at the other at once'],
  'rights and sessions that were read': [
    'sessions/withdrawn-access',
    'a session ends everywhere within sixty seconds of',
  ],
  'revisions, locks, ledger, outbox, ids': ['account/ledger', 'ids of writers in two processes are unique'],
  'answers for an `Idempotency-Key`': [
    'http/replicas',
    'a repeated request gets the stored answer of the other replica',
  ],
  'cursors and their key': ['http/replicas', 'the cursor of one replica leads on at the other'],
  'snapshots of the tenant status': ['tenant-status/replicas', 'a cursor leads on at every replica'],
  'wrong passwords, wrong enrolment codes': ['computers/enrol', 'wrong codes count once over two replicas'],
  'requests of a manager, service or computer': [
    'http/shared-rate-limits',
    'two processes let through the limit together',
  ],
  'requests of an address': ['http/replicas', 'each replica allows an address the whole limit'],
  'wrong keys of services': ['services/key-use', 'any number of wrong keys does not block a right one'],
  'connections, downloads, uploads and password checks under way': [
    'http/replicas',
    'each replica allows an address all of its connections',
  ],
  'imports that are carried out, and clean up after them': [
    'imports/run-import',
    'a process that is killed leaves the rest to another one',
  ],
  "reads of an account's revision": [
    'account/revision-cache',
    'only the revision can miss writes of the other instance',
  ],
  'computers that wait for a change': ['desired-state/waiting', 'a change of another process ends the wait'],
  'rendered images and graphs': ['images/caching', 'two processes can share the folder of rendered images'],
  'live logs': ['diagnostics/live-logs', 'each process has events of its own'],
  'measurements of the machine': ['hosting/machine-monitor', 'processes of one machine see each other'],
  'mails without a mail server': ['mail/outbox', 'two processes can share an outbox'],
};

test('each row of the table of several processes has a test', () => {
  const root = join(import.meta.dirname, '../..');
  const text = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  const [, table = ''] = /^\| what \| where \| with several processes \|\n\| --- .*\n((?:\|.*\n)+)/m.exec(text) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split(' | ')[0]?.slice('| '.length));
  assert.deepEqual(rows, Object.keys(tests));
  for (const [row, [file, testName]] of Object.entries(tests)) {
    const source = readFileSync(join(root, 'test', `${file}.test.ts`), 'utf8');
    assert.match(source, new RegExp(`\\btest\\(\\s*['\`"](?:\\[[^\\]]*\\] )?${testName}`), row);
  }
});
