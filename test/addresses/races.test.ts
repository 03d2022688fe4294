// Concurrent writes of one address, and events during a lookup: edits, withdrawn rights, unreachable storage, and a
// killed process.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { WriteDb } from '../../src/database/db.ts';
import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { createCaller, type HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { countOutcomes, runInParallel } from '../support/replicas.ts';
import { minuteMs } from '../support/times.ts';
import { callWithoutStorage } from '../support/without-storage.ts';
import {
  addressMonth,
  addressNow,
  addressSuite,
  kidTypes,
  shownState,
  writeBodies,
  writeNames,
} from './support/address-suite.ts';
import { foundCoordinates, foundPlace } from './support/geocoding-provider.ts';

const complete = { address: 'Elm Lane 1', zip: '2100 Byen' };
const automatic = { ...complete, latitude: 11, longitude: 22, coordinate_provenance: 2 };
const newText = { address: 'New Lane 7', zip: '8000 Nyby' };
const unplaced = { latitude: null, longitude: null, autoLatitudeLongitude: 0 };

addressSuite({ replicas: 2 }, (suite) => {
  const { engine, service, replicaFor, provider, manager, newObject, get, update, lookup, stored, store, write } =
    suite;
  const readRevision = async (kid: string): Promise<string> => (await get(kid)).json.revision;

  /** Starts a write, and does something during its lookup. */
  const during = async (start: () => Promise<HttpReply>, work: () => Promise<unknown>): Promise<HttpReply> => {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.answer = async () => {
      asked.resolve();
      await released.promise;
      return [foundPlace];
    };
    const reply = start();
    await Promise.race([asked.promise, reply]);
    provider.answer = () => [foundPlace];
    try {
      await work();
    } finally {
      released.resolve();
    }
    return reply;
  };

  const edits: Readonly<Record<string, (kid: string) => Promise<unknown>>> = {
    'another address': (kid) => update(kid, { ...newText, address: '' }),
    'coordinates by hand': (kid) => suite.setCoordinates(kid, 5, 6),
    'a provenance': (kid) => suite.setProvenance(kid, 13),
    'a write past the service': (kid) => store(kid, { zip: '5000' }),
    'a lookup that ends first': (kid) => lookup(kid),
  };

  for (const [name, edit] of Object.entries(edits))
    test(`[addresses.41] ${name} during a lookup wins: it is Superseded, and its result is dropped`, async () => {
      for (const type of kidTypes)
        for (const start of ['update', 'lookup'] as const) {
          const kid = await newObject(type, automatic);
          const body = start === 'update' ? newText : {};
          let left = {};
          const reply = await during(
            () => write(kid, start, body),
            async () => {
              await edit(kid);
              left = await stored(kid);
            },
          );
          assert.deepEqual([reply.status, reply.json.outcome], [200, 'Superseded'], `${type} ${start}`);
          assert.deepEqual(await stored(kid), left);
          assert.deepEqual(shownState(reply), shownState(await get(kid)));
          assert.equal(reply.json.revision, await readRevision(kid));
        }
    });

  test('[addresses.41] an edit during the search of a city wins', async () => {
    const kid = await newObject('location', { ...automatic, coordinate_provenance: 30 });
    const reply = await during(
      () => update(kid, { ...complete, zip: '2100' }),
      () => suite.setCoordinates(kid, 5, 6),
    );
    assert.deepEqual([reply.json.outcome, reply.json.zip, reply.json.latitude], ['Superseded', '2100', 5]);
  });

  test('[addresses.41] a location that was renamed while its name was looked up gets no address', async () => {
    const kid = await newObject('location', { zip: '2100' });
    const reply = await during(
      () => lookup(kid),
      () => store(kid, { name: 'Renamed' }),
    );
    assert.deepEqual([reply.json.outcome, (await stored(kid)).address], ['Superseded', '']);
  });

  test('nothing is locked during a lookup: the bank’s other objects, and the object itself, can be written', async () => {
    const kid = await newObject('unit', automatic);
    const location = kid.replace('-U1', '');
    await during(
      () => lookup(kid),
      async () => {
        assert.equal((await suite.setCoordinates(location, 1, 2)).status, 200);
        assert.equal((await suite.setProvenance(kid, 20)).status, 200);
      },
    );
  });

  test('[addresses.24] of twenty writes with one revision, through two replicas, exactly one succeeds', async () => {
    for (const operation of ['update', 'coordinates', 'provenance'] as const) {
      const kid = await newObject('location', { latitude: 7, longitude: 7 });
      const expectedRevision = await readRevision(kid);
      const bodies = {
        update: (at: number) => ({ address: `Lane ${at}`, zip: '' }),
        coordinates: (at: number) => ({ latitude: at, longitude: at }),
        provenance: (at: number) => ({ value: 1 + (at % 12) }),
      };
      const replies = await runInParallel(20, (at) => {
        const suffix = operation === 'update' ? '' : `/${operation}`;
        const body = { ...bodies[operation](at), expectedRevision };
        return replicaFor(at).call('PUT', `/api/v1/addresses/${kid}${suffix}`, { token: manager.token, body });
      });
      assert.deepEqual(countOutcomes(replies), { '200': 1, '409 address-conflict': 19 }, operation);
      const winner = replies.find(({ status }) => status === 200);
      assert.equal(winner?.json.revision, await readRevision(kid));
      assert.equal((await stored(kid)).address_revision, 1);
    }
  });

  type Withdrawal = readonly [
    change: (db: WriteDb, managerId: number) => Promise<unknown>,
    status: number,
    code: string,
  ];
  const from =
    (table: 'manager_tabs' | 'manager_grants' | 'sessions') =>
    (db: WriteDb, managerId: number): Promise<unknown> =>
      db.deleteFrom(table).where('manager_id', '=', managerId).execute();
  const withdrawals: Readonly<Record<string, Withdrawal>> = {
    'the Tab': [from('manager_tabs'), 403, 'missing-tab'],
    'the Write permission': [
      (db, id) =>
        db
          .deleteFrom('manager_permissions')
          .where('manager_id', '=', id)
          .where('permission', '=', 'User.Write')
          .execute(),
      403,
      'missing-user-write',
    ],
    'the grant': [from('manager_grants'), 403, 'too-narrow'],
    'the session': [from('sessions'), 401, 'unauthenticated'],
  };

  for (const [name, [change, status, code]] of Object.entries(withdrawals))
    test(`[addresses.23] ${name}, withdrawn during a lookup, stops the second transaction; the address stays`, async () => {
      const kid = await newObject('user', automatic);
      const { token, managerId } = await createToken(service);
      const reply = await during(
        () => write(kid, 'update', newText, { token }),
        () => service.write('sund', (db) => change(db, managerId)),
      );
      assert.deepEqual([reply.status, reply.json.reason ?? reply.json.code], [status, code]);
      assert.deepEqual(shownState(await get(kid)), { ...newText, ...unplaced });
    });

  test('[addresses.22] an object that was deleted during a lookup is 404', async () => {
    const kid = await newObject('location', automatic);
    const reply = await during(
      () => lookup(kid),
      () => store(kid, { deleted_at: 1 } as object),
    );
    assert.equal(reply.status, 404);
    assert.equal((await stored(kid)).latitude, null);
  });

  test('[addresses.23] every write needs the Write permission of the type, and is refused without it', async () => {
    for (const type of kidTypes)
      for (const operation of writeNames) {
        const kid = await newObject(type, automatic);
        const { token } = await createToken(service, {
          permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
        });
        const reply = await write(kid, operation, writeBodies[operation], { token });
        assert.deepEqual([reply.status, reply.json.reason], [403, `missing-${type}-write`]);
        assert.equal((await stored(kid)).address_revision, 0);
      }
    assert.deepEqual(provider.requests, []);
  });

  test('an Idempotency-Key replays the final answer, and is in progress at both replicas while the lookup runs', async () => {
    const kid = await newObject('location');
    const body = { ...complete, expectedRevision: await readRevision(kid) };
    const options = { token: manager.token, headers: { 'idempotency-key': 'lookup-1' }, body };
    const put = (at: number) => replicaFor(at).call('PUT', `/api/v1/addresses/${kid}`, options);
    const first = await during(
      () => put(0),
      async () => {
        // The other replica knows only when the request must have ended.
        for (const [at, retryAfter] of ['1', '60'].entries()) {
          const { json, headers } = await put(at);
          assert.deepEqual([json.code, headers['retry-after']], ['idempotency-in-progress', retryAfter]);
        }
      },
    );
    assert.equal(first.json.outcome, 'Success');
    for (const at of [0, 1]) {
      const again = await put(at);
      assert.deepEqual([again.status, again.headers['idempotency-replayed'], again.json], [200, 'true', first.json]);
    }
    assert.equal(provider.requests.length, 1);
    const { address_revision: revision } = await stored(kid);
    assert.equal(revision, 2);
  });

  test('an Idempotency-Key of a write without a lookup is replayed, too', async () => {
    const kid = await newObject('location');
    const body = { latitude: 1, longitude: 2, expectedRevision: await readRevision(kid) };
    const options = { token: manager.token, headers: { 'idempotency-key': 'by-hand' }, body };
    const put = () => service.call('PUT', `/api/v1/addresses/${kid}/coordinates`, options);
    const [first, again] = [await put(), await put()];
    assert.deepEqual([again.headers['idempotency-replayed'], again.json], ['true', first.json]);
  });

  test('[addresses.25, addresses.56] storage that goes away during a lookup is an unknown outcome, and the address stays', async () => {
    const kid = await newObject('location', automatic);
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    provider.answer = async () => {
      asked.resolve();
      await released.promise;
      return [foundPlace];
    };
    const put = update(kid, newText);
    await asked.promise;
    const reply = await callWithoutStorage(service, () => {
      released.resolve();
      return put;
    });
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-outcome-unknown']);
    assert.equal(reply.headers['retry-after'], undefined);
    const after = await get(kid);
    assert.deepEqual(shownState(after), { ...newText, ...unplaced });
  });

  test('[addresses.25] while storage is away a write is 503 and stores nothing', async () => {
    const kid = await newObject('location', automatic);
    const expectedRevision = await readRevision(kid);
    const reply = await callWithoutStorage(service, () => update(kid, { ...newText, expectedRevision }));
    assert.deepEqual([reply.status, reply.json.code], [503, 'storage-unavailable']);
    assert.equal((await stored(kid)).address, complete.address);
  });

  test('[addresses.30] a process that is killed during a lookup leaves the address without coordinates, in state 0, and its key replays that', async () => {
    const kid = await newObject('location', automatic);
    const cache = mkdtempSync(join(tmpdir(), 'portal-cache-'));
    const script = join(import.meta.dirname, 'support/hanging-service.ts');
    const child = spawn(process.execPath, [script, String(fromMs2000(addressNow))], {
      env: { PATH: process.env['PATH'], PORTAL_STORAGE: suite.storage.storageUrl, PORTAL_CACHE: cache },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      const body = { ...newText, expectedRevision: await readRevision(kid) };
      const options = { token: manager.token, headers: { 'idempotency-key': `killed-${engine}` }, body };
      const put = (call: typeof service.call) => call('PUT', `/api/v1/addresses/${kid}`, options);
      const lost = put(createCaller(Number(line.toString()), [])).catch((error: unknown) => error);
      while ((await stored(kid)).address !== newText.address) await pause(20);
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.ok((await lost) instanceof Error);
      assert.deepEqual(shownState(await get(kid)), { ...newText, ...unplaced });
      assert.equal((await put(service.call)).json.code, 'idempotency-in-progress');
      suite.clock.now += minuteMs;
      const replayed = await put(service.call);
      assert.deepEqual([replayed.status, replayed.headers['idempotency-replayed']], [200, 'true']);
      assert.deepEqual(
        [replayed.json.outcome, shownState(replayed)],
        ['TransientFailure', { ...newText, ...unplaced }],
      );
      const again = await lookup(kid);
      assert.deepEqual(shownState(again), { ...newText, ...foundCoordinates, autoLatitudeLongitude: addressMonth });
    } finally {
      child.kill('SIGKILL');
      rmSync(cache, { recursive: true, force: true });
    }
  });
});
