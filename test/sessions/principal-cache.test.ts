// The snapshots of principals: how old they get, and that invalidation is at once.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createToken } from '../support/factories.ts';
import { createDeferred } from '../support/async.ts';
import type { Databases } from '../../src/database/databases.ts';
import { hashToken } from '../../src/features/sessions/rules/session-token.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';
import type { Environment } from '../../src/permissions/scope.ts';
import { createPrincipalCache, type PrincipalCache } from '../../src/features/sessions/process/principal-cache.ts';
import { serviceSuite } from '../support/service-suite.ts';

const snapshotMs = 60_000;

serviceSuite({ manager: false }, ({ service }) => {
  let principals: PrincipalCache;
  let monotonic = 0;
  let epoch = Date.now();
  let reads = 0;
  /** Runs around a read of the cache. */
  let aroundRead: <T>(read: () => Promise<T>) => Promise<T>;
  beforeEach(() => {
    const { databases } = service.dependencies;
    const watched: Databases = {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        read: (options, work) => {
          reads += 1;
          return aroundRead(() => databases.forTenant(tenant).read(options, work));
        },
      }),
    };
    reads = 0;
    epoch = Date.now();
    aroundRead = (read) => read();
    principals = createPrincipalCache(watched, () => monotonic);
  });

  const find = async (token: string, environment: Environment = 'production') =>
    principals.findPrincipal({ tenant: 'sund', environment, token, now: toMs2000(epoch) });
  const tabsOf = async (token: string) => [...((await find(token))?.tabs ?? ['no session'])];
  const withdrawTabs = (managerId: number) =>
    service.write('sund', (db) => db.deleteFrom('manager_tabs').where('manager_id', '=', managerId).execute());

  test('[auth.08] a snapshot is used for less than sixty seconds and is then read again', async () => {
    const { token, managerId } = await createToken(service, { tabs: ['Account2'] });
    const start = monotonic;
    assert.deepEqual(await tabsOf(token), ['Account2']);
    await withdrawTabs(managerId);
    monotonic = start + snapshotMs - 1;
    assert.deepEqual(await tabsOf(token), ['Account2']);
    assert.equal(reads, 1);
    monotonic = start + snapshotMs;
    assert.deepEqual(await tabsOf(token), []);
    assert.equal(reads, 2);
  });

  test("[auth.08] a snapshot's age counts from the beginning of its read, however long that takes", async () => {
    const { token, managerId } = await createToken(service, { tabs: ['Account2'] });
    const start = monotonic;
    const reading = createDeferred();
    const seen = createDeferred();
    aroundRead = async (read) => {
      const result = await read();
      seen.resolve();
      await reading.promise;
      return result;
    };
    const slow = tabsOf(token);
    await seen.promise;
    await withdrawTabs(managerId);
    monotonic = start + 40_000;
    reading.resolve();
    assert.deepEqual(await slow, ['Account2']);
    monotonic = start + snapshotMs - 1;
    assert.deepEqual(await tabsOf(token), ['Account2']);
    monotonic = start + snapshotMs;
    assert.deepEqual(await tabsOf(token), []);
  });

  test('invalidating a token takes effect at once, in both environments, and only for that token', async () => {
    const { token, managerId } = await createToken(service);
    const other = await createToken(service);
    await find(token);
    await find(other.token);
    await service.write('sund', (db) => db.deleteFrom('sessions').execute());
    principals.invalidateToken('sund', hashToken(token));
    assert.equal(await find(token), undefined);
    assert.equal((await find(other.token))?.id, other.managerId, 'still by its snapshot');
    principals.invalidateToken('fjord', hashToken(other.token));
    assert.equal((await find(other.token))?.id, other.managerId, 'another tenant’s token of that name');
    assert.notEqual(managerId, other.managerId);

    const beta = await createToken(service, { environment: 'beta' });
    await find(beta.token, 'beta');
    await service.write('sund', (db) => db.deleteFrom('sessions').execute());
    principals.invalidateToken('sund', hashToken(beta.token));
    assert.equal(await find(beta.token, 'beta'), undefined);
  });

  test("invalidating a manager takes effect at once, only for this manager's tokens", async () => {
    const first = await createToken(service, { tabs: ['Account2'] });
    const other = await createToken(service, { tabs: ['Account2'] });
    await Promise.all([find(first.token), find(other.token)]);
    await withdrawTabs(first.managerId);
    await withdrawTabs(other.managerId);
    principals.invalidateManager('sund', first.managerId);
    assert.deepEqual(await tabsOf(first.token), []);
    assert.deepEqual(await tabsOf(other.token), ['Account2']);
    principals.invalidateManager('fjord', other.managerId);
    assert.deepEqual(await tabsOf(other.token), ['Account2']);
    principals.invalidateManager('sund', other.managerId);
    assert.deepEqual(await tabsOf(other.token), []);
  });

  test('a snapshot that is invalidated during its read is not cached', async () => {
    for (const invalidated of ['manager', 'token'] as const) {
      const { token, managerId } = await createToken(service, { tabs: ['Account2'] });
      const reading = createDeferred();
      const seen = createDeferred();
      aroundRead = async (read) => {
        const result = await read();
        seen.resolve();
        await reading.promise;
        return result;
      };
      const early = tabsOf(token);
      await seen.promise;
      await withdrawTabs(managerId);
      if (invalidated === 'manager') principals.invalidateManager('sund', managerId);
      else principals.invalidateToken('sund', hashToken(token));
      aroundRead = (read) => read();
      const late = tabsOf(token);
      reading.resolve();
      assert.deepEqual(await early, ['Account2'], invalidated);
      assert.deepEqual(await late, [], invalidated);
      assert.deepEqual(await tabsOf(token), [], invalidated);
    }
  });

  test('concurrent requests with one token share one read', async () => {
    const { token, managerId } = await createToken(service);
    const found = await Promise.all(Array.from({ length: 50 }, () => find(token)));
    assert.deepEqual(new Set(found.map((principal) => principal?.id)), new Set([managerId]));
    assert.equal(reads, 1);
  });

  test('an unknown token is not cached as unknown', async () => {
    const { token } = await createToken(service);
    const hash = { from: hashToken(token), to: hashToken('elsewhere') };
    const rename = (from: string, to: string) =>
      service.write('sund', (db) =>
        db.updateTable('sessions').set({ token_hash: to }).where('token_hash', '=', from).execute(),
      );
    await rename(hash.from, hash.to);
    assert.equal(await find(token), undefined);
    await rename(hash.to, hash.from);
    assert.notEqual(await find(token), undefined);
  });

  test('a failed read is not cached', async () => {
    const { token } = await createToken(service);
    aroundRead = () => Promise.reject(new Error('no storage'));
    await assert.rejects(find(token), /no storage/);
    aroundRead = (read) => read();
    assert.notEqual(await find(token), undefined);
  });

  test('[auth.32] a session ends on time even while its snapshot is recent', async () => {
    const { token } = await createToken(service, { livesMs: 5000 });
    const start = epoch;
    const found = await find(token);
    assert.ok(found !== undefined);
    const expiresAt = found.expiresAt + Date.UTC(2000, 0, 1);
    assert.ok(expiresAt >= start);
    epoch = expiresAt - 1;
    assert.notEqual(await find(token), undefined);
    epoch = expiresAt;
    assert.equal(await find(token), undefined);
    assert.equal(reads, 1);
  });

  test('[auth.04, auth.05] a token is looked up only in its tenant and environment', async () => {
    const { token } = await createToken(service);
    await find(token);
    assert.equal(await find(token, 'beta'), undefined);
    assert.equal(await find(token.toLowerCase()), undefined);
    assert.equal(await find(hashToken(token)), undefined, 'the stored hash is not a token');
    assert.notEqual(await find(token), undefined);
  });
});
