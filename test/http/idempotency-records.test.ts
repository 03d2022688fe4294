// The records of Idempotency-Keys: there is one exactly if the write was committed, with its answer, for 24 hours.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { insertTestSession } from '../support/operation-authorization.ts';
import { createToken } from '../support/factories.ts';
import { isReplay, idempotencySuite, type CreateThingOptions } from '../support/idempotent-operations.ts';
import { dayMs, minuteMs } from '../support/times.ts';
import { StorageError } from '../../src/database/errors.ts';
import { Problem } from '../../src/lib/problem.ts';

const credentialStamp = 'stamp';

idempotencySuite((things) => {
  const { service, clock } = things;
  let token: string;
  let managerId: number;
  let lastKey = 0;
  beforeEach(async () => {
    ({ token, managerId } = await createToken(service, { credentialStamp, livesMs: 10 * dayMs }));
  });

  const newKey = (): string => `key-${++lastKey}`;
  const create = (key: string, options: Partial<CreateThingOptions> = {}) => things.create(key, { token, ...options });
  const once = (error: Error): (() => Promise<void>) => {
    let thrown = false;
    return async () => {
      if (thrown) return;
      thrown = true;
      throw error;
    };
  };
  const refusals: Record<string, readonly [Error, number]> = {
    'a refusal': [new Problem('not-found'), 404],
    'a failure of storage': [new StorageError('unavailable'), 503],
    'a defect': [new Error('a defect'), 500],
  };

  for (const [name, [error, status]] of Object.entries(refusals)) {
    test(`a write that ends in ${name} leaves no record: the key can be used again`, async () => {
      for (const step of ['beforeWrite', 'requireObject', 'insideWrite'] as const) {
        const key = newKey();
        things.steps[step] = once(error);
        assert.equal((await create(key)).status, status, step);
        const { keys, things: written } = await things.countStored();
        assert.ok(!keys.includes(key), step);
        assert.equal(written, ['beforeWrite', 'requireObject', 'insideWrite'].indexOf(step));
        const again = await create(key);
        assert.deepEqual([again.status, isReplay(again)], [201, false], step);
        assert.ok(isReplay(await create(key)));
      }
    });
  }

  test('a request refused by the guard or for its input leaves no record', async () => {
    const key = newKey();
    const powerless = await createToken(service, { tabs: [] });
    assert.equal((await create(key, { token: powerless.token })).status, 403);
    assert.equal((await create(key, { token: 'unknown' })).status, 401);
    assert.equal((await create(key, { body: { value: 'one' } })).status, 400);
    assert.ok(!(await things.countStored()).keys.includes(key));
    const first = await create(key);
    assert.deepEqual([first.status, isReplay(first)], [201, false]);
  });

  test('an answer is not replayed to a manager who has lost the right to the operation', async () => {
    const key = newKey();
    await create(key);
    await service.write('sund', (db) => db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).execute());
    const later = await insertTestSession(service, managerId, { credentialStamp });
    const reply = await create(key, { token: later });
    assert.deepEqual([reply.status, isReplay(reply)], [403, false]);
  });

  test('a write that storage rolled back and ran again is recorded once', async () => {
    const key = newKey();
    things.steps.insideWrite = once(new StorageError('rolled-back'));
    const first = await create(key);
    assert.deepEqual([first.status, isReplay(first)], [201, false]);
    assert.equal((await things.countStored()).things, 1);
    assert.equal((await create(key)).text, first.text);
  });

  test('a record lives exactly 24 hours, and the next record then deletes it', async () => {
    const key = newKey();
    const start = clock.now;
    const first = await create(key);
    clock.now = start + dayMs - 1;
    const last = await create(key, {});
    assert.deepEqual([last.text, isReplay(last)], [first.text, true]);
    clock.now = start + dayMs;
    const anew = await create(key, { body: { value: 2 } });
    assert.deepEqual([anew.status, isReplay(anew), anew.json.value], [201, false, 2]);
    assert.deepEqual(
      (await things.countStored()).keys.filter((each) => each === key),
      [key],
    );
    clock.now += dayMs;
    await create(newKey());
    // Only this test waits for the deletion.
    const until = performance.now() + 5000;
    while ((await things.countStored()).keys.includes(key))
      assert.ok(performance.now() < until, 'the old record stays');
  });

  test('a record without an answer, as earlier versions could leave it, is 409 for a minute and then storage-outcome-unknown', async () => {
    const key = newKey();
    const start = clock.now;
    await create(key);
    await service.write('sund', (db) =>
      db.updateTable('idempotency_records').set({ status: null, body: null }).where('key', '=', key).execute(),
    );
    for (const [age, status, code, retryAfter] of [
      [0, 409, 'idempotency-in-progress', '60'],
      [17_500, 409, 'idempotency-in-progress', '43'],
      [minuteMs - 1, 409, 'idempotency-in-progress', '1'],
      // To be read back, not retried.
      [minuteMs, 503, 'storage-outcome-unknown', undefined],
      [dayMs - 1, 503, 'storage-outcome-unknown', undefined],
    ] as const) {
      clock.now = start + age;
      const reply = await create(key);
      assert.deepEqual([reply.status, reply.json.code, isReplay(reply)], [status, code, false]);
      assert.equal(reply.headers['retry-after'], retryAfter);
    }
    assert.equal(things.runs, 1);
  });

  test('a commit with an unknown outcome is reported as such and never run again; a retry with its key gets its answer', async () => {
    const key = newKey();
    things.steps.afterCommit = once(new StorageError('outcome-unknown'));
    const first = await create(key);
    assert.deepEqual([first.status, first.json.code], [503, 'storage-outcome-unknown']);
    const again = await create(key);
    assert.deepEqual([again.status, isReplay(again), again.json.run], [201, true, 1]);
    assert.equal((await things.countStored()).things, 1);
  });

  test('the answer is committed together with the write', async () => {
    const key = newKey();
    const seen: unknown[] = [];
    things.steps.afterCommit = async () => {
      const record = await service.read('sund', (db) =>
        db.selectFrom('idempotency_records').select(['status', 'body']).where('key', '=', key).executeTakeFirst(),
      );
      seen.push(record);
    };
    const { text } = await create(key);
    assert.deepEqual(seen, [{ status: 201, body: text }]);
  });

  test('an answer is not replayed while the object is not visible, and is replayed again when it is', async () => {
    const key = newKey();
    const first = await create(key);
    things.steps.requireObject = () => Promise.reject(new Problem('not-found'));
    const hidden = await create(key);
    assert.deepEqual([hidden.status, hidden.json.code, isReplay(hidden)], [404, 'not-found', false]);
    things.steps.requireObject = async () => {};
    const again = await create(key);
    assert.deepEqual([again.text, isReplay(again)], [first.text, true]);
    assert.equal(things.runs, 1);
  });

  test("production and beta share a manager's records, as they share the database", async () => {
    const key = newKey();
    const beta = await insertTestSession(service, managerId, { credentialStamp, environment: 'beta' });
    const first = await create(key);
    const replay = await create(key, { token: beta, host: 'beta.api.sund.localhost' });
    assert.deepEqual([replay.text, isReplay(replay)], [first.text, true]);
    assert.equal(things.runs, 1);
  });
});
