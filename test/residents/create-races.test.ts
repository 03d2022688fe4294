// Residents who are created at the same time, by two replicas of the service.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReplay } from '../support/idempotent-operations.ts';
import { runInParallel } from '../support/replicas.ts';
import { createUser } from '../support/resident-calls.ts';
import { createBankOfResidents, readHistory } from '../support/resident-rows.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

serviceSuite({ now: testNow, replicas: 2 }, ({ service, manager, nextBankId, replicaFor }) => {
  async function createBank() {
    const bankId = nextBankId();
    await createBankOfResidents(service, bankId, []);
    return { bankId, token: manager.token };
  }

  test('[residents.25] twenty residents who are created at once have the next twenty ids, no two the same', async () => {
    const options = await createBank();
    const replies = await runInParallel(20, (at) => createUser(replicaFor(at), { name: `Resident ${at}` }, options));
    const ids = replies.map(({ status, json, text }) => {
      assert.equal(status, 201, text);
      return Number(json.user.kid.split('-R')[1]);
    });
    assert.deepEqual(
      ids.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, at) => 1001 + at),
    );
    for (const [at, { json }] of replies.entries()) assert.equal(json.user.name, `Resident ${at}`);
  });

  test('[residents.14] of ten residents created at once with one email address, exactly one is created', async () => {
    const options = await createBank();
    const replies = await runInParallel(10, (at) => {
      const email = at % 3 === 0 ? 'ADA@example.org' : 'ada@example.org';
      return createUser(replicaFor(at), { email }, options);
    });
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ json }) => json.code === 'user-exists').length, 9);
  });

  test('[general.47] with an Idempotency-Key a resident is created once, and the answer with its Location is replayed', async () => {
    const options = await createBank();
    const send = (at: number, name = 'Ada', key = 'one') =>
      createUser(replicaFor(at), { name }, { ...options, headers: { 'idempotency-key': `${key}-${options.bankId}` } });
    const replies = await runInParallel(4, (at) => send(at));
    const done = replies.filter(({ status }) => status === 201);
    assert.ok(done.length > 0 && replies.every(({ status }) => status === 201 || status === 409));
    const again = await send(1);
    assert.ok(isReplay(again));
    assert.equal(done.filter((reply) => !isReplay(reply)).length, 1);
    for (const reply of [...done, again]) {
      assert.deepEqual([reply.status, reply.json.user.kid], [201, `sund-B${options.bankId}-R1001`]);
      assert.equal(reply.headers.location, `/api/v1/banks/sund-B${options.bankId}/users/${reply.json.user.kid}`);
    }
    assert.deepEqual([(await send(0, 'Bo')).json.code], ['idempotency-mismatch']);
    assert.equal((await send(0, 'Bo', 'two')).json.user.kid, `sund-B${options.bankId}-R1002`);
    assert.equal((await readHistory(service, options.bankId)).length, 2);
  });
});
