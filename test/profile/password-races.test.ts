// Password changes that meet logins and other changes, on two instances of one storage.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestManager } from '../support/factories.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { runInParallel } from '../support/replicas.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { changePassword, getCurrent } from './support/own-profile.ts';

const password = 'violet teapots sing';
const chosen = (at: number): string => `amber kettles hum ${at}`;

serviceSuite({ manager: false }, ({ service, onStop }) => {
  const instances: TestInstance[] = [];
  before(async () => {
    for (let count = 0; count < 2; count += 1) {
      const instance = await startInstance(service, { passwordHasher: plainPasswords });
      onStop(instance.stop);
      instances.push(instance);
    }
  });
  const instanceFor = (at: number): TestInstance => instances[at % 2]!;
  const login = (at: number, userName: string, given: string): Promise<HttpReply> =>
    instanceFor(at).call('POST', '/api/v1/session/login', { body: { userName, password: given } });
  const create = async (userName: string, sessions: number): Promise<string[]> => {
    await service.write('sund', (db) => insertTestManager(db, { userName, passwordHash: plainPasswordHash(password) }));
    const tokens: string[] = [];
    for (let at = 0; at < sessions; at += 1) tokens.push((await login(at, userName, password)).json.accessToken);
    return tokens;
  };
  /** Whether a session with the stamp of the manager is all that is left of sessions that are not this one's. */
  const readStamps = (userName: string) =>
    service.read('sund', (db) =>
      db
        .selectFrom('managers as m')
        .leftJoin('sessions as s', 's.manager_id', 'm.manager_id')
        .select(['m.credential_stamp as current', 's.credential_stamp as ofSession'])
        .where('m.user_name', '=', userName)
        .execute(),
    );

  test('of concurrent changes from several sessions exactly one wins, and only its session stays valid', async () => {
    const tokens = await create('sessions', 6);
    const replies = await runInParallel(6, (at) =>
      changePassword(
        instanceFor(at),
        { currentPassword: password, newPassword: chosen(at) },
        { token: tokens[at] ?? '' },
      ),
    );
    const winners = replies.flatMap(({ status }, at) => (status === 204 ? [at] : []));
    assert.equal(winners.length, 1, replies.map(({ status }) => status).join());
    for (const { status } of replies) assert.ok([204, 400, 401].includes(status), `${status}`);
    const [winner = -1] = winners;
    for (const [at, token] of tokens.entries())
      assert.equal((await getCurrent(instanceFor(winner), { token })).status, at === winner ? 200 : 401);
    for (const at of tokens.keys())
      assert.equal((await login(at, 'sessions', chosen(at))).status, at === winner ? 200 : 401);
  });

  test('of changes from one session at the same time exactly one wins', async () => {
    const [token = ''] = await create('session', 1);
    const replies = await runInParallel(6, (at) =>
      changePassword(instanceFor(at), { currentPassword: password, newPassword: chosen(at) }, { token }),
    );
    const outcomes = replies.map(({ status, json }) => (status === 204 ? '204' : `${status} ${json.code}`)).toSorted();
    assert.deepEqual(outcomes, ['204', ...Array.from({ length: 5 }, () => '400 invalid-password')]);
    const winner = replies.findIndex(({ status }) => status === 204);
    assert.equal((await login(0, 'session', chosen(winner))).status, 200);
    assert.equal((await getCurrent(instanceFor(winner), { token })).status, 200);
  });

  test('a change whose current password was replaced after it was checked is refused', async () => {
    const [token = ''] = await create('overtaken', 1);
    const overtaking = { currentPassword: password, newPassword: chosen(1) };
    const replies: HttpReply[] = [];
    const hash: typeof plainPasswords.hash = async (...given) => {
      replies.push(await changePassword(instanceFor(0), overtaking, { token }));
      return plainPasswords.hash(...given);
    };
    const instance = await startInstance(service, { passwordHasher: { ...plainPasswords, hash } });
    onStop(instance.stop);
    const overtaken = { currentPassword: password, newPassword: chosen(2) };
    const { status, json } = await changePassword(instance, overtaken, { token });
    assert.deepEqual([replies.map((reply) => reply.status), status, json.code], [[204], 400, 'invalid-password']);
    assert.equal((await login(0, 'overtaken', chosen(1))).status, 200);
    assert.equal((await login(0, 'overtaken', chosen(2))).status, 401);
  });

  test('no session of the old password survives a change that meets logins', async () => {
    const [token = ''] = await create('logins', 1);
    const logins = runInParallel(30, (at) => login(at, 'logins', password));
    const change = await changePassword(
      instanceFor(0),
      { currentPassword: password, newPassword: chosen(0) },
      { token },
    );
    assert.equal(change.status, 204);
    const replies = await logins;
    for (const { status, json } of replies) {
      assert.ok([200, 401].includes(status), `${status}`);
      // The other instance can use its snapshot for a minute.
      if (status === 200) assert.equal((await getCurrent(instanceFor(0), { token: json.accessToken })).status, 401);
    }
    const fresh = await login(1, 'logins', chosen(0));
    assert.equal(fresh.status, 200);
    for (const at of [0, 1])
      for (const live of [token, fresh.json.accessToken])
        assert.equal((await getCurrent(instanceFor(at), { token: live })).status, 200);
    const stamps = await readStamps('logins');
    const living = stamps.filter(({ current, ofSession }) => ofSession === current);
    assert.equal(living.length, 2, 'the one that made the change, and the one after it');
  });
});
