// A login that succeeds: its response, its token, and what is stored of it.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { argon2Sync, createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestManager } from '../support/factories.ts';
import { plainPasswordHash, plainPasswords } from '../support/password-hashing.ts';
import { startInstance, type TestInstance } from '../support/instances.ts';
import type { TestService } from '../support/service.ts';
import { createPasswordHasher } from '../../src/features/passwords/process/password-hasher.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { ms2000Of } from '../support/account-oracle.ts';

const password = 'Køb en kage 🍰';
const twelveHours = 12 * 3600 * 1000;

serviceSuite({ now: ms2000Of('2026-03-28T22:30:00Z'), manager: false }, ({ service, clock, onStop }) => {
  /** The same application with passwords that cost nothing. */
  let quick: TestInstance;
  before(async () => {
    quick = await startInstance(service, { passwordHasher: plainPasswords });
    onStop(quick.stop);
    const passwordHash = await createPasswordHasher().hash(password);
    await service.write('sund', async (db) => {
      await insertTestManager(db, { userName: 'kari', passwordHash, tabs: ['Account2'] });
      await insertTestManager(db, { userName: 'Åse Ｆine', passwordHash: plainPasswordHash(password) });
      await insertTestManager(db, { userName: 'many', passwordHash: plainPasswordHash(password) });
    });
  });

  const login = (
    userName: string,
    { call } = service as Pick<TestService, 'call'>,
    host = 'api.sund.localhost',
  ): Promise<HttpReply> => call('POST', '/api/v1/session/login', { host, body: { userName, password } });
  const me = (token: string): Promise<HttpReply> => service.call('GET', '/api/v1/session/me', { token });

  test('[auth.01, auth.26] a login with the right credentials answers a bearer token, its end, and the manager', async () => {
    const reply = await login('kari');
    assert.equal(reply.status, 200);
    assert.deepEqual(Object.keys(reply.json), ['accessToken', 'tokenType', 'expiresAtUtc', 'manager']);
    assert.equal(reply.json.tokenType, 'Bearer');
    const current = await me(reply.json.accessToken);
    assert.equal(current.status, 200);
    assert.deepEqual(reply.json.manager, current.json);
    assert.deepEqual(reply.json.manager.tabs, ['Account2']);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['www-authenticate'], undefined);
  });

  test('[auth.31] a token is 256 random bits and nothing else, new each time', async () => {
    const bits: bigint[] = [];
    for (let count = 0; count < 64; count += 1) {
      const { accessToken } = (await login('many', quick)).json;
      assert.match(accessToken, /^[A-Za-z0-9_-]{43}$/);
      const bytes = Buffer.from(accessToken, 'base64url');
      assert.equal(bytes.length, 32);
      bits.push(BigInt(`0x${bytes.toString('hex')}`));
    }
    assert.equal(new Set(bits).size, 64);
    // A bit that never changes in 64 fair throws is one that does not count: 2^-55 for all of them together.
    const ever = bits.reduce((all, each) => all | each);
    const always = bits.reduce((all, each) => all & each);
    assert.equal(ever ^ always, 2n ** 256n - 1n);
  });

  test('[auth.31] the database has only the hash of a token, and the token itself in no encoding', async () => {
    const { accessToken } = (await login('kari')).json;
    const bytes = Buffer.from(accessToken, 'base64url');
    const spellings = [
      accessToken,
      bytes.toString('base64'),
      bytes.toString('hex'),
      accessToken.slice(0, 20),
      accessToken.slice(-20),
    ];
    const stored = await everythingIn(service, 'sund');
    for (const spelling of spellings) assert.ok(!stored.toLowerCase().includes(spelling.toLowerCase()), spelling);
    assert.ok(
      stored.includes(createHash('sha256').update(accessToken).digest('hex')),
      'the search would have found it',
    );
    assert.ok(!stored.includes(password), 'nor is the password');

    const { storage } = service.dependencies.config;
    if (storage.engine !== 'sqlite') return;
    for (const file of readdirSync(storage.directory)) {
      const content: Buffer = readFileSync(join(storage.directory, file));
      for (const secret of [accessToken, bytes, password]) assert.ok(!content.includes(secret), file);
    }
  });

  test('[auth.32] a token is valid for exactly twelve hours, and expiresAtUtc says so', async () => {
    const loggedInAt = clock.now;
    const { accessToken, expiresAtUtc, manager } = (await login('kari')).json;
    assert.equal(expiresAtUtc, '2026-03-29T10:30:00.000Z');
    assert.equal(ms2000Of(expiresAtUtc) - loggedInAt, twelveHours);
    assert.equal(manager.expiresAtUtc, expiresAtUtc);
    clock.now = loggedInAt + twelveHours - 1;
    const last = await me(accessToken);
    assert.equal(last.status, 200);
    assert.equal(last.json.expiresAtUtc, expiresAtUtc, 'using a token does not prolong it');
    clock.now = loggedInAt + twelveHours;
    assert.equal((await me(accessToken)).status, 401);
    assert.equal((await login('kari')).status, 200);
  });

  test('a password matches in any Unicode composition, also if an earlier version stored it', async () => {
    const composed = 'Blåbærgrød på \u00E9n gang';
    const decomposed = composed.normalize('NFD');
    const earlier = argon2Sync('argon2id', {
      message: decomposed,
      nonce: Buffer.from('somesalt'),
      memory: 64,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    });
    await service.write('sund', async (db) => {
      await insertTestManager(db, { userName: 'nfc', passwordHash: await createPasswordHasher().hash(composed) });
      const passwordHash = `$argon2id$v=19$m=64,t=2,p=1$c29tZXNhbHQ$${earlier.toString('base64').replaceAll('=', '')}`;
      await insertTestManager(db, { userName: 'earlier', passwordHash });
    });
    const statusOf = async (userName: string, given: string): Promise<number> =>
      (await service.call('POST', '/api/v1/session/login', { body: { userName, password: given } })).status;
    assert.deepEqual([await statusOf('nfc', composed), await statusOf('nfc', decomposed)], [200, 200]);
    assert.equal(await statusOf('earlier', decomposed), 200);
    assert.equal(await statusOf('nfc', 'Blabærgrød pa en gang'), 401);
  });

  test('the next login deletes expired sessions of the manager, and keeps the others', async () => {
    const kept = await login('many', quick);
    clock.now += twelveHours / 2;
    const younger = await login('many', quick);
    clock.now += twelveHours / 2;
    const last = await login('many', quick);
    const hashes = [kept, younger, last].map(({ json }) => createHash('sha256').update(json.accessToken).digest('hex'));
    const stored = await everythingIn(service, 'sund');
    assert.deepEqual(
      hashes.map((each) => stored.includes(each)),
      [false, true, true],
    );
  });

  test('user names match in any case, width and composition, and with any spaces around them', async () => {
    const { name } = (await login('Åse Ｆine', quick)).json.manager;
    for (const spelling of [
      'åse fine',
      'ÅSE FINE',
      'A\u030Ase Fine',
      'Åse ﬁne',
      '  åse fine ',
      'Ａ\u030ase ｆｉｎｅ',
    ]) {
      const reply = await login(spelling, quick);
      assert.equal(reply.status, 200, spelling);
      assert.equal(reply.json.manager.name, name);
    }
    for (const other of ['ase fine', 'åsefine', 'åse  fine', 'åse fin', 'åse fine\0', 'åse%fine', 'åse_fine']) {
      assert.equal((await login(other, quick)).status, 401, other);
    }
  });
});

/** Every value of every table, as one text. */
function everythingIn(service: TestService, tenant: string): Promise<string> {
  return service.dependencies.databases.forTenant(tenant).read({ deadlineMs: 10_000 }, async (db) => {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    const rows = [];
    for (const { name } of tables) rows.push(...(await sql`select * from ${sql.table(name)}`.execute(db)).rows);
    return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  });
}
