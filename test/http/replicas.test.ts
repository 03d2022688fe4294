// What replicas of the service share, and what each has for itself: the rows of the table in docs/operating.md, "Several
// processes", that no other test looks at.

import assert from 'node:assert/strict';
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
});
