// Slow hashing is shared fairly: logins of one address do not delay those of others, logins from known addresses do not
// delay those from unknown ones, and secrets in managers' requests delay no login.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createPasswordHasher, type PasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { waitUntil } from '../support/async.ts';
import { createToken, insertTestManager } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';

const password = 'correct horse battery staple';

serviceSuite({ manager: false }, ({ service, onStop }) => {
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
    const ended: string[] = [];
    const login = async (from: string, userName: string, given: string): Promise<number> => {
      const status = await logIn(from, userName, given);
      ended.push(from);
      return status;
    };
    // More than may wait.
    const flood = Array.from({ length: 130 }, (_, at) => login('127.0.0.2', `guess${at}`, 'wrong'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const early = ended.length;
    assert.equal(await login('127.0.0.3', 'anna', password), 200);
    const during = ended.slice(early, -1);
    assert.ok(during.length < 60, `${during.length} others came first`);
    const statuses = await Promise.all(flood);
    assert.deepEqual(new Set(statuses), new Set([401, 503]));
  });

  test('a login overtakes many secrets that a manager sends, and so do secrets of another manager', async () => {
    // Cheap ones, so that none waits too long on a busy machine.
    const parameters = { memory: 4096, passes: 1, parallelism: 1, tagLength: 32 };
    const { hashSecret, verify, ...others } = createPasswordHasher(parameters, 60_000);
    let ended = 0;
    /** How many other hashes ended while one waited for its turn and ran. */
    const passedBy = new Map<string, number>();
    const count = async <T>(name: string, hash: () => Promise<T>): Promise<T> => {
      const endedBefore = ended;
      const result = await hash();
      passedBy.set(name, ended - endedBefore);
      ended += 1;
      return result;
    };
    const passwordHasher: PasswordHasher = {
      ...others,
      hashSecret: (secret, salt, turn) => count(String(turn.key), () => hashSecret(secret, salt, turn)),
      verify: (secret, phc, turn) => count('login', () => verify(secret, phc, turn)),
    };
    const instance = await startInstance(service, { passwordHasher });
    onStop(instance.stop);
    const [many, one] = [await createToken(service), await createToken(service)];
    const sendSecret = async ({ token }: { readonly token: string }, key: string): Promise<number> => {
      const options = { token, headers: { 'idempotency-key': key }, body: { code: 'CANA-RYCA-NARY' } };
      return (await instance.call('POST', '/api/v1/session/me/email-confirmation', options)).status;
    };
    // While the others come, 40 requests of the one manager wait at all times.
    const flooding = new AbortController();
    const flood = Array.from({ length: 40 }, async (_, at) => {
      const statuses = new Set<number>();
      for (let round = 0; !flooding.signal.aborted && round < 200; round += 1)
        statuses.add(await sendSecret(many, `many-${at}-${round}`));
      return [...statuses];
    });
    await waitUntil('the flood is hashed', () => ended > 40);
    const body = { userName: 'anna', password };
    const statuses = await Promise.all([
      sendSecret(one, 'one'),
      instance.call('POST', '/api/v1/session/login', { from: '127.0.0.5', body }).then(({ status }) => status),
    ]);
    flooding.abort();
    assert.deepEqual(statuses, [400, 200]);
    // A few: those that run already, and one at each turn. Without turns all that wait would come first.
    for (const name of [`sund,${one.managerId}`, 'login'])
      assert.ok((passedBy.get(name) ?? Number.NaN) < 20, `${passedBy.get(name)} others passed ${name}`);
    assert.ok(passedBy.has(`sund,${many.managerId}`), 'the flood has turns of its manager');
    // None was refused: their codes are wrong.
    assert.deepEqual(new Set((await Promise.all(flood)).flat()), new Set([400]));
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
