// ChangeMyManagerPassword: the current password and twice the new one; every other session ends.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createPasswordHasher, type PasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestManager } from '../support/factories.ts';
import { createHashCounter, plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { mockMonotonicClock, startInstance, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { changePassword, getCurrent } from './support/own-profile.ts';

const password = 'violet teapots sing';
const newPassword = 'amber kettles hum 42';
const right = { currentPassword: password, newPassword };

serviceSuite({ manager: false }, ({ service, onStop }) => {
  let instance: TestInstance;
  let demo: TestInstance;
  let hashed = 0;
  let names = 0;
  before(async () => {
    const verify: typeof plainPasswords.verify = (given, stored) => {
      hashed += 1;
      return plainPasswords.verify(given, stored);
    };
    const replaced = { passwordHasher: { ...plainPasswords, verify } };
    instance = await startInstance(service, replaced);
    onStop(instance.stop);
    demo = await startInstance(service, { ...replaced, demo: true });
    onStop(demo.stop);
  });

  const login = (userName: string, given: string, { call }: Pick<TestInstance, 'call'> = instance, host?: string) =>
    call('POST', '/api/v1/session/login', { body: { userName, password: given }, ...(host && { host }) });
  /** A manager with this many sessions. */
  const create = async (sessions = 1, current = password) => {
    const userName = `teapot${++names}`;
    const passwordHash = plainPasswordHash(current);
    await service.write('sund', (db) =>
      insertTestManager(db, {
        userName,
        passwordHash,
        email: `pot${names}.demo@example.org`,
        permissions: [],
        tabs: [],
      }),
    );
    const tokens: string[] = [];
    for (let count = 0; count < sessions; count += 1) tokens.push((await login(userName, current)).json.accessToken);
    return { userName, tokens, token: tokens[0] ?? '' };
  };
  const outcome = ({ status, json }: HttpReply) => [status, json?.code, json?.errors?.[0]?.path];

  test('[managers.03, managers.20] with the current password and twice the new one the answer is 204, and the new one is right from then on', async () => {
    const { userName, token } = await create();
    const reply = await changePassword(instance, right, { token });
    assert.deepEqual([reply.status, reply.text], [204, '']);
    assert.equal((await login(userName, password)).status, 401);
    assert.equal((await login(userName, newPassword)).status, 200);
  });

  test('[managers.21, auth.33] every other session of the manager ends, on both hosts, and this one stays', async () => {
    const { userName, tokens } = await create(3);
    const beta = await login(userName, password, instance, 'beta.api.sund.localhost');
    const [token = '', ...others] = tokens;
    assert.equal((await changePassword(instance, right, { token })).status, 204);
    for (const other of others) assert.equal((await getCurrent(instance, { token: other })).status, 401);
    const options = { token: beta.json.accessToken, host: 'beta.api.sund.localhost' };
    assert.equal((await instance.call('GET', '/api/v1/session/me', options)).status, 401);
    assert.equal((await getCurrent(instance, { token })).status, 200);
    const rows = await service.read('sund', (db) =>
      db
        .selectFrom('sessions as s')
        .innerJoin('managers as m', 'm.manager_id', 's.manager_id')
        .select(['s.credential_stamp as ofSession', 'm.credential_stamp as ofManager'])
        .where('m.user_name', '=', userName)
        .execute(),
    );
    assert.equal(rows.length, 1);
    assert.equal(rows[0]?.ofSession, rows[0]?.ofManager);
  });

  test('[managers.03, managers.20] every refusal is 400 invalid-password, names the field, and changes nothing', async () => {
    const { userName, token } = await create();
    const table: readonly (readonly [change: Parameters<typeof changePassword>[1], path: string])[] = [
      [{ ...right, currentPassword: 'wrong teapots sing' }, 'body.currentPassword'],
      [{ ...right, currentPassword: '' }, 'body.currentPassword'],
      [{ ...right, repeatPassword: `${newPassword}!` }, 'body.repeatPassword'],
      [{ ...right, repeatPassword: '' }, 'body.repeatPassword'],
      [{ ...right, newPassword: password }, 'body.newPassword'],
      [{ ...right, newPassword: 'kettle!' }, 'body.newPassword'],
      [{ ...right, newPassword: 'x1'.repeat(65) }, 'body.newPassword'],
      [{ ...right, newPassword: 'Trustno1trustno1'.slice(0, 8) }, 'body.newPassword'],
      [{ ...right, newPassword: 'QwertyUiop' }, 'body.newPassword'],
      [{ ...right, newPassword: `${userName}2026!` }, 'body.newPassword'],
      [{ ...right, newPassword: 'Portal-Sund-2026' }, 'body.newPassword'],
      [{ ...right, newPassword: 'demo-Password-1' }, 'body.newPassword'],
      [{ ...right, newPassword: 'lonely \uD800 teapots' }, 'body.newPassword'],
    ];
    for (const [change, path] of table) {
      const reply = await changePassword(instance, change, { token });
      assert.deepEqual(outcome(reply), [400, 'invalid-password', path], JSON.stringify(change));
      for (const secret of [password, change.newPassword ?? ''])
        if (secret.length > 8) assert.ok(!reply.text.includes(secret), path);
    }
    for (const body of [
      {},
      { currentPassword: password },
      { ...right, repeatPassword: 5 },
      { ...right, more: 1 },
      [],
    ]) {
      const { status, json } = await instance.call('POST', '/api/v1/session/me/password', { token, body });
      assert.deepEqual([status, json.code], [400, 'invalid-password']);
    }
    assert.equal((await login(userName, password)).status, 200);
  });

  test('[managers.22] 8 to 128 code points are accepted, each one counts, and composition does not matter', async () => {
    for (const chosen of ['käthe 🫖!', '🫖'.repeat(128), 'a\u030A'.repeat(128)]) {
      const { userName, token } = await create();
      assert.equal((await changePassword(instance, { ...right, newPassword: chosen }, { token })).status, 204, chosen);
      assert.equal((await login(userName, chosen)).status, 200);
      assert.equal((await login(userName, Array.from(chosen).slice(0, -1).join(''))).status, 401);
    }
    const { token } = await create();
    const tooLong = '🫖'.repeat(129);
    assert.equal((await changePassword(instance, { ...right, newPassword: tooLong }, { token })).status, 400);
  });

  test('[managers.22] the new password is compared with the common ones in any case and composition', async () => {
    const { token } = await create();
    for (const common of ['password1', 'PASSWORD1', 'iLoveYou1', 'football1', 'qwertyuiop123'])
      assert.deepEqual(
        outcome(await changePassword(instance, { ...right, newPassword: common }, { token })),
        [400, 'invalid-password', 'body.newPassword'],
        common,
      );
  });

  test('a refused new password costs no hash, and wrong current passwords are throttled together with logins', async () => {
    const clock = mockMonotonicClock();
    onStop(clock.restore);
    const { userName, token } = await create();
    hashed = 0;
    await changePassword(instance, { ...right, newPassword: 'short' }, { token });
    assert.equal(hashed, 0);
    for (let count = 0; count < 5; count += 1)
      assert.equal((await changePassword(instance, { ...right, currentPassword: 'guess' }, { token })).status, 400);
    for (let count = 0; count < 5; count += 1) assert.equal((await login(userName, 'guess')).status, 401);
    hashed = 0;
    const refused = await changePassword(instance, right, { token });
    assert.deepEqual([refused.status, refused.json.code], [429, 'too-many-attempts']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal((await login(userName, password)).status, 429);
    assert.equal(hashed, 0, 'no password is checked then');
    assert.equal((await changePassword(instance, right, { token, from: '127.0.0.2' })).status, 204);
  });

  test('after a change only its address is known', async () => {
    const { userName, token } = await create();
    const count = () =>
      service.read('sund', (db) =>
        db
          .selectFrom('manager_addresses as a')
          .innerJoin('managers as m', 'm.manager_id', 'a.manager_id')
          .select('a.address_hash')
          .where('m.user_name', '=', userName)
          .execute(),
      );
    await instance.call('POST', '/api/v1/session/login', { body: { userName, password }, from: '127.0.0.3' });
    const earlier = await count();
    assert.equal(earlier.length, 2);
    assert.equal((await changePassword(instance, right, { token })).status, 204);
    const later = await count();
    assert.equal(later.length, 1);
    assert.ok(!earlier.some(({ address_hash }) => address_hash === later[0]?.address_hash));
    assert.equal((await login(userName, newPassword)).status, 200);
    assert.equal((await count()).length, 1);
  });

  test('with demo data the demo password can be chosen again', async () => {
    const { userName, token } = await create();
    assert.equal((await changePassword(demo, { ...right, newPassword: 'demo-Password-1' }, { token })).status, 204);
    assert.equal((await login(userName, 'demo-Password-1', demo)).status, 200);
    assert.equal((await login(userName, 'demo-Password-1')).status, 401);
  });

  test('the change is recorded without a value', async () => {
    const { token } = await create();
    const { kid } = (await getCurrent(instance, { token })).json;
    await changePassword(instance, right, { token });
    const entries = await service.read('sund', (db) =>
      db
        .selectFrom('audit_entries')
        .select(['old_values', 'new_values'])
        .where('object', '=', kid)
        .where('operation', '=', 'ChangeMyManagerPassword')
        .execute(),
    );
    assert.deepEqual(entries, [{ old_values: null, new_values: '{"password":"changed"}' }]);
  });

  test('the new password is hashed in the same queue turn as the check of the current one', async () => {
    const { token } = await create();
    const turns: unknown[] = [];
    const passwordHasher: PasswordHasher = {
      ...plainPasswords,
      hash: (given, options) => {
        turns.push(options?.turn);
        return plainPasswords.hash(given);
      },
      verify: (given, stored, turn) => {
        turns.push(turn);
        return plainPasswords.verify(given, stored);
      },
    };
    const recording = await startInstance(service, { passwordHasher });
    onStop(recording.stop);
    assert.equal((await changePassword(recording, right, { token })).status, 204);
    const turn = { key: ['127.0.0.1'], isPreferred: true };
    assert.deepEqual(turns, [turn, turn]);
  });

  test('a hash of the new password is stored, and the change costs two hashes', async () => {
    const hashings = createHashCounter();
    onStop(hashings.stop);
    const passwords = createPasswordHasher();
    const passwordHash = await passwords.hash(password);
    await service.write('sund', (db) => insertTestManager(db, { userName: 'hashed', passwordHash }));
    const { json } = await login('hashed', password, service);
    const change = () => changePassword(service, right, { token: json.accessToken });
    assert.equal(await hashings.countDuring(change), 2);
    const [row] = await service.read('sund', (db) =>
      db.selectFrom('managers').select('password_hash').where('user_name', '=', 'hashed').execute(),
    );
    assert.ok(await passwords.verify(newPassword, row?.password_hash));
  });
});
