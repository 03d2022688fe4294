// The databaseAccess of GetCurrentManager: one of three values, some seconds old, and never a permission.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank, createToken } from '../support/factories.ts';
import { mockMonotonicClock, startInstance, type TestInstance } from '../support/instances.ts';
import type { Databases } from '../../src/database/databases.ts';
import { StorageError } from '../../src/database/errors.ts';
import { serviceSuite } from '../support/service-suite.ts';

const indicatorMs = 30_000;

serviceSuite({}, ({ service, manager, onStop }) => {
  let instance: TestInstance;
  let clock: ReturnType<typeof mockMonotonicClock>;
  let writable = true;
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db));
    const { databases } = service.dependencies;
    const guarded: Databases = {
      ...databases,
      forTenant: (tenant) => ({
        ...databases.forTenant(tenant),
        write: (options, work) =>
          writable ? databases.forTenant(tenant).write(options, work) : Promise.reject(new StorageError('unavailable')),
      }),
    };
    instance = await startInstance(service, { databases: guarded });
    onStop(instance.stop);
    clock = mockMonotonicClock();
    onStop(clock.restore);
  });

  const me = async (bearer = manager.token) =>
    (await instance.call('GET', '/api/v1/session/me', { token: bearer })).json;
  const later = async () => {
    clock.advance(indicatorMs);
    return (await me()).databaseAccess;
  };
  const renameProbe = (from: string, to: string) =>
    service.write('sund', (db) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db));

  test('[auth.36] databaseAccess is ReadWrite, ReadOnly or Unavailable, as the database is', async () => {
    assert.equal(await later(), 'ReadWrite');
    writable = false;
    assert.equal(await later(), 'ReadOnly');
    await renameProbe('health', 'health_gone');
    assert.equal(await later(), 'Unavailable');
    await renameProbe('health_gone', 'health');
    assert.equal(await later(), 'ReadOnly');
    writable = true;
    assert.equal(await later(), 'ReadWrite');
  });

  test('[auth.24] databaseAccess is an indicator some seconds old that promises no write', async () => {
    assert.equal(await later(), 'ReadWrite');
    writable = false;
    try {
      clock.advance(indicatorMs - 1000);
      assert.equal((await me()).databaseAccess, 'ReadWrite');
      const { token: leaving } = await createToken(service);
      assert.equal((await instance.call('POST', '/api/v1/session/logout', { token: leaving })).status, 503);
      clock.advance(1000);
      assert.equal((await me()).databaseAccess, 'ReadOnly');
    } finally {
      writable = true;
    }
  });

  test('[auth.24] databaseAccess neither grants nor removes a right', async () => {
    const account = async (bearer: string) => {
      const { status } = await instance.call('GET', '/api/v1/banks/sund-B1001/account', { token: bearer });
      return status;
    };
    const { token: powerless } = await createToken(service, { permissions: [] });
    try {
      for (const state of [true, false]) {
        writable = state;
        assert.equal(await later(), state ? 'ReadWrite' : 'ReadOnly');
        assert.equal((await me(powerless)).operations.GetBankAccount, false);
        assert.equal(await account(powerless), 403);
        assert.equal((await me()).operations.GetBankAccount, true);
        assert.equal(await account(manager.token), 200);
      }
    } finally {
      writable = true;
    }
  });
});
