// Slow hashing is shared fairly: logins of one address do not delay those of others, logins from known addresses do not
// delay those from unknown ones, and secrets in managers' requests delay neither logins nor the secrets of others.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createPasswordHasher, type PasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { waitUntil } from '../support/async.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { createBankOfResidents } from '../support/resident-rows.ts';
import { generateApiKey } from '../support/services.ts';
import { startInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';

const password = 'correct horse battery staple';

type Caller = { readonly token: string };

serviceSuite({ manager: false, tenants: ['sund', 'fjord'] }, ({ service, onStop }) => {
  before(async () => {
    const passwordHash = await createPasswordHasher().hash(password);
    await service.write('sund', async (db) => {
      for (const userName of ['anna', 'berit', 'newcomer']) await insertTestManager(db, { userName, passwordHash });
    });
  });

  const logIn = async (from: string, userName: string, given = password): Promise<number> => {
    const body = { userName, password: given };
    const { status } = await service.call('POST', '/api/v1/session/login', { from, body });
    return status;
  };

  test('a login from another address overtakes a flood from one address', async () => {
    const ended: number[] = [];
    const countHashed = (): number => ended.filter((status) => status === 401).length;
    // More than may wait.
    const flood = Array.from({ length: 130 }, async (_, at) => {
      const status = await logIn('127.0.0.2', `guess${at}`, 'wrong');
      ended.push(status);
      return status;
    });
    // A hundred wait when the first one is refused.
    await waitUntil('as many wait as may', () => ended.includes(503));
    const early = countHashed();
    assert.equal(await logIn('127.0.0.3', 'anna', password), 200);
    const passedBy = countHashed() - early;
    assert.ok(passedBy < 60, `${passedBy} others came first`);
    const statuses = await Promise.all(flood);
    assert.deepEqual(new Set(statuses), new Set([401, 503]));
  });

  test('a login overtakes many PINs that a manager sets, and so do PINs and service keys of other managers and tenants', async () => {
    // Cheap ones, so that none waits too long on a busy machine.
    const parameters = { memory: 4096, passes: 1, parallelism: 1, tagLength: 32 };
    const { hashSecret, hash, verify } = createPasswordHasher(parameters, 60_000);
    let ended = 0;
    /** The most other hashes that ended while one waited for its turn and ran. */
    const passedBy = new Map<string, number>();
    const count = async <T>(name: string, compute: () => Promise<T>): Promise<T> => {
      const endedBefore = ended;
      const result = await compute();
      passedBy.set(name, Math.max(passedBy.get(name) ?? 0, ended - endedBefore));
      ended += 1;
      return result;
    };
    const passwordHasher: PasswordHasher = {
      hashSecret: (secret, salt, turn) => count(String(turn.key), () => hashSecret(secret, salt, turn)),
      hash: (secret, options) => count(String(options?.turn?.key), () => hash(secret, options)),
      verify: (secret, phc, turn) => count('login', () => verify(secret, phc, turn)),
    };
    const instance = await startInstance(service, { passwordHasher });
    onStop(instance.stop);
    const flooded = 40;
    for (const tenant of ['sund', 'fjord'])
      await createBankOfResidents(
        service,
        1001,
        Array.from({ length: flooded + 1 }, () => ({})),
        tenant,
      );
    const [many, one] = [await createToken(service), await createToken(service)];
    const foreign = await createToken(service, { tenant: 'fjord' });
    const setPin = async (tenant: string, { token }: Caller, residentId: number, revision = 1, key?: string) => {
      const path = `/api/v1/banks/${tenant}-B1001/users/${tenant}-B1001-R${residentId}/commands/SetPin`;
      const headers = key === undefined ? {} : { 'idempotency-key': key };
      const body = { value: String(701_000 + revision), expectedRevision: String(revision) };
      const { status } = await instance.call('POST', path, { host: `api.${tenant}.localhost`, token, headers, body });
      return status;
    };
    // While the others come, 40 requests of the one manager wait at all times.
    const flooding = new AbortController();
    const flood = Array.from({ length: flooded }, async (_, at) => {
      const statuses = new Set<number>();
      for (let round = 1; !flooding.signal.aborted && round < 200; round += 1)
        statuses.add(await setPin('sund', many, 1001 + at, round, `many-${at}-${round}`));
      return [...statuses];
    });
    await waitUntil('the flood is hashed', () => ended > flooded);
    const last = 1001 + flooded;
    const body = { userName: 'anna', password };
    const statuses = [
      await setPin('sund', one, last, 1, 'one'),
      (await generateApiKey(instance, 'Mailer', { token: one.token })).status,
      await setPin('fjord', foreign, last),
      (await instance.call('POST', '/api/v1/session/login', { from: '127.0.0.5', body })).status,
    ];
    flooding.abort();
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    // A few: those that run already, and one at each turn. Without turns all that wait would come first.
    for (const name of [`sund,${one.managerId}`, `fjord,${foreign.managerId}`, 'login'])
      assert.ok((passedBy.get(name) ?? Number.NaN) < 20, `${passedBy.get(name)} others passed ${name}`);
    assert.ok(passedBy.has(`sund,${many.managerId}`), 'the flood has turns of its manager');
    assert.deepEqual(new Set((await Promise.all(flood)).flat()), new Set([200]));
  });

  test('a first login gets its turn during an endless stream of logins from known addresses', async () => {
    const addresses = Array.from({ length: 8 }, (_, at) => `127.0.1.${at}`);
    for (const from of addresses) assert.equal(await logIn(from, 'berit'), 200);
    const ended = new AbortController();
    const known = addresses.map(async (from) => {
      while (!ended.signal.aborted) assert.equal(await logIn(from, 'berit'), 200);
    });
    const status = await logIn('127.0.0.4', 'newcomer');
    ended.abort();
    await Promise.all(known);
    assert.equal(status, 200);
  });
});
