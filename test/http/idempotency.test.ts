// Idempotency-Key, with test operations: a write runs once for its key, and its response is replayed.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createToken } from '../support/factories.ts';
import { createDeferred } from '../support/async.ts';
import { isReplay, idempotencySuite, type CreateThingOptions } from '../support/idempotent-operations.ts';

idempotencySuite((things) => {
  const { service } = things;
  let token: string;
  let lastKey = 0;
  beforeEach(async () => {
    ({ token } = await createToken(service));
  });

  const newKey = (): string => `key-${++lastKey}`;
  const create = (key: string | undefined, options: Partial<CreateThingOptions> = {}) =>
    things.create(key, { token, ...options });
  const replace = (key: string, path = '/api/v1/test/things/a') =>
    things.call('PUT', path, { token, headers: { 'idempotency-key': key }, body: { value: 1 } });

  test('the same key replays the first answer, byte for byte, and writes nothing', async () => {
    const key = newKey();
    const first = await create(key);
    assert.equal(first.status, 201);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.match(first.text, /"big":9223372036854775807/);
    for (let again = 0; again < 2; again += 1) {
      const replay = await create(key);
      assert.ok(isReplay(replay));
      assert.deepEqual([replay.status, replay.text], [201, first.text]);
      assert.equal(replay.headers['content-type'], first.headers['content-type']);
      assert.notEqual(replay.headers['x-request-id'], first.headers['x-request-id']);
    }
    assert.equal(things.runs, 1);
    assert.equal((await things.countStored()).things, 1);
  });

  test('an answer without a body and a prepared answer are replayed unchanged', async () => {
    const key = newKey();
    const [put, putAgain] = [await replace(key), await replace(key)];
    assert.deepEqual([put.status, put.text, isReplay(put)], [204, '', false]);
    assert.deepEqual([putAgain.status, putAgain.text, isReplay(putAgain)], [204, '', true]);

    const headers = { 'idempotency-key': newKey() };
    const prepare = () => things.call('POST', '/api/v1/test/prepared', { token, headers });
    const [made, madeAgain] = [await prepare(), await prepare()];
    assert.deepEqual([made.text, isReplay(made)], ['{ "run": 2 }', false]);
    assert.deepEqual([madeAgain.text, isReplay(madeAgain)], [made.text, true]);
  });

  test('without a key every request is a new write', async () => {
    const earlier = (await things.countStored()).keys;
    await create(undefined);
    await create(undefined);
    assert.equal(things.runs, 2);
    assert.deepEqual((await things.countStored()).keys, earlier);
  });

  test('a key is 1 to 128 visible ASCII characters, given once; any other is 400 and nothing is written', async () => {
    const wrong = ['', ' ', 'two words', 'tab\there', 'x'.repeat(129), 'nøgle', ['a', 'b']];
    for (const key of wrong) {
      const reply = await create(undefined, { headers: { 'idempotency-key': key } });
      assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-idempotency-key'], JSON.stringify(key));
    }
    assert.equal(things.runs, 0);
    const right = ['!', '~', 'x'.repeat(128), '"quoted"', '%00', "'; drop table managers; --".replaceAll(' ', '_')];
    for (const key of right) {
      assert.equal((await create(key)).status, 201, key);
      assert.ok(isReplay(await create(key)), key);
    }
    assert.equal((await create('X'.repeat(128))).headers['idempotency-replayed'], undefined, 'case matters');
  });

  test('the same key for another body, query, path or method is 422 and does nothing', async () => {
    const key = newKey();
    const query = '?note=x';
    await create(key, { query });
    const others = {
      body: await create(key, { query, body: { value: 2 } }),
      query: await create(key, { query: '?note=y' }),
      'no query': await create(key),
      path: await create(key, { query, name: 'b' }),
    };
    for (const [name, { status, json }] of Object.entries(others)) {
      assert.deepEqual([status, json.code], [422, 'idempotency-mismatch'], name);
    }
    assert.ok(isReplay(await create(key, { query })), 'the first answer is still there');
    const bare = newKey();
    await create(bare);
    assert.equal((await replace(bare)).json.code, 'idempotency-mismatch');
    assert.equal(things.runs, 2);
  });

  test('while the first request still runs the same key is 409 with Retry-After', async () => {
    const key = newKey();
    const [written, finish] = [createDeferred(), createDeferred()];
    things.steps.insideWrite = async () => {
      written.resolve();
      await finish.promise;
    };
    const first = create(key);
    await written.promise;
    const second = await create(key);
    assert.deepEqual(
      [second.status, second.json.code, second.headers['retry-after']],
      [409, 'idempotency-in-progress', '1'],
    );
    const other = await create(key, { body: { value: 9 } });
    assert.equal(other.json.code, 'idempotency-mismatch', 'another request is refused at once');
    finish.resolve();
    assert.equal((await first).status, 201);
    assert.ok(isReplay(await create(key)));
    assert.equal(things.runs, 1);
  });

  test('as soon as a write is committed, its answer is replayed', async () => {
    const key = newKey();
    const [committed, finish] = [createDeferred(), createDeferred()];
    things.steps.afterCommit = async () => {
      committed.resolve();
      await finish.promise;
    };
    const first = create(key);
    await committed.promise;
    const second = await create(key);
    finish.resolve();
    assert.deepEqual([second.status, isReplay(second), second.text], [201, true, (await first).text]);
    assert.equal(things.runs, 1);
  });

  test('a request with the same key in another process waits for the first one and gets its answer', async () => {
    const key = newKey();
    const [written, finish, otherIsIn] = [createDeferred(), createDeferred(), createDeferred()];
    things.steps.insideWrite = async () => {
      written.resolve();
      await finish.promise;
    };
    const first = create(key);
    await written.promise;
    things.steps.beforeWrite = async () => otherIsIn.resolve();
    const second = create(key, { by: things.callOther });
    await otherIsIn.promise;
    finish.resolve();
    const [original, replay] = await Promise.all([first, second]);
    assert.deepEqual([original.status, isReplay(original)], [201, false]);
    assert.deepEqual([replay.status, isReplay(replay), replay.text], [201, true, original.text]);
    assert.equal((await things.countStored()).things, 1);
  });

  test('concurrent replays of one answer all succeed', async () => {
    const key = newKey();
    const { text } = await create(key);
    const replays = await Promise.all(Array.from({ length: 8 }, () => create(key)));
    for (const replay of replays) assert.deepEqual([replay.text, isReplay(replay)], [text, true]);
  });

  test('many requests at once with one key write once', async () => {
    const key = newKey();
    const all = Array.from({ length: 8 }, (_, at) => create(key, at % 2 === 0 ? {} : { by: things.callOther }));
    const replies = await Promise.all(all);
    const originals = replies.filter((reply) => reply.status === 201 && !isReplay(reply));
    assert.equal(originals.length, 1);
    for (const reply of replies) {
      if (reply.status === 201) assert.equal(reply.text, originals[0]?.text);
      else assert.deepEqual([reply.status, reply.json.code], [409, 'idempotency-in-progress']);
    }
    assert.equal((await things.countStored()).things, 1);
    assert.ok(isReplay(await create(key)));
  });

  test('many requests at once with different keys all succeed', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => create(newKey())));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201]);
    assert.equal((await things.countStored()).things, 40);
  });

  test('a key belongs to its manager: the same key of another manager is a different one', async () => {
    const key = newKey();
    const other = await createToken(service);
    const mine = await create(key);
    const theirs = await create(key, { token: other.token, body: { value: 2 } });
    assert.deepEqual([theirs.status, isReplay(theirs), theirs.json.value], [201, false, 2]);
    assert.equal((await create(key)).text, mine.text);
    assert.equal((await create(key, { token: other.token, body: { value: 2 } })).text, theirs.text);
    assert.equal(things.runs, 2);
  });

  test('login and logout accept no key, and ignore one', async () => {
    const headers = { 'idempotency-key': newKey() };
    const { keys } = await things.countStored();
    const logout = () => service.call('POST', '/api/v1/session/logout', { token, headers });
    assert.equal((await logout()).status, 204);
    const again = await logout();
    assert.deepEqual([again.status, isReplay(again)], [401, false]);
    const login = await service.call('POST', '/api/v1/session/login', {
      headers: { 'idempotency-key': '' },
      body: { userName: 'x', password: 'y' },
    });
    assert.equal(login.json.code, 'invalid-credentials');
    assert.deepEqual((await things.countStored()).keys, keys);
  });
});
