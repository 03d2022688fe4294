// A write reads the manager's rights again inside its own transaction: a right that was withdrawn since the request came
// in stops it, and nothing is stored.

import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { Type } from 'typebox';
import type { HttpReply } from '../support/call.ts';
import { createToken } from '../support/factories.ts';
import { mockMonotonicClock, startOperations, type TestInstance } from '../support/instances.ts';
import type { WriteDb } from '../../src/database/db.ts';
import { StorageError } from '../../src/database/errors.ts';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { defineManagerOperation, type Operation } from '../../src/http/operations/operation.ts';
import { jsonOf } from '../../src/http/operations/response.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const path = '/api/v1/test/settings';

type Change = (db: WriteDb, managerId: number) => Promise<unknown>;

const setOf =
  (change: object): Change =>
  (db, managerId) =>
    db.updateTable('managers').set(change).where('manager_id', '=', managerId).execute();
const without =
  (table: 'manager_tabs' | 'manager_permissions' | 'manager_grants' | 'sessions'): Change =>
  (db, managerId) =>
    db.deleteFrom(table).where('manager_id', '=', managerId).execute();

const changes: Record<string, readonly [change: Change, status: number, detail?: RegExp]> = {
  'the Tab': [without('manager_tabs'), 403, /the Tab Account2/],
  'the permission': [without('manager_permissions'), 403, /the permission Bank\.Write/],
  'the grant': [without('manager_grants'), 403, /a bank-wide grant/],
  'a grant wide enough': [
    (db, id) =>
      db.updateTable('manager_grants').set({ bank_id: 1001, location_id: 1 }).where('manager_id', '=', id).execute(),
    403,
    /a bank-wide grant/,
  ],
  'their activity': [setOf({ active: 0 }), 401],
  'their account': [setOf({ deleted_at: 1 }), 401],
  'their credential stamp': [setOf({ credential_stamp: 'turned' }), 401],
  'their session': [without('sessions'), 401],
};

serviceSuite({ now: testNow, manager: false }, ({ engine, service, onStop }) => {
  let instance: TestInstance;
  /** Runs after the guard and before the write. */
  let meanwhile: () => Promise<unknown>;
  /** Runs inside the write, before it stores anything. */
  let inside: () => Promise<unknown>;
  let runs = 0;

  const operation: Operation = defineManagerOperation({
    id: 'WriteSetting',
    method: 'POST',
    path,
    openApiDocuments: [],
    group: 'Test',
    summary: 'Write a setting',
    access: { tabs: ['Account2'], permissions: ['Bank.Write'], grantLevel: 'bank' },
    response: jsonOf(
      closedObject({
        tenantWide: Type.Boolean(),
        banks: Type.Array(Type.Integer()),
        cameInTenantWide: Type.Boolean(),
      }),
    ),
    deadlineMs: 10_000,
    run: async (_input, context) => {
      await meanwhile();
      return context.write({
        grant: (scope) => scope,
        requireObject: async (_db, scope) => scope,
        work: async (db, { grants }) => {
          runs += 1;
          await inside();
          await db
            .insertInto('tenant_settings')
            .values({ name: `setting${runs}`, value: 'written' })
            .execute();
          return {
            tenantWide: grants.tenantWide,
            banks: [...grants.banks],
            cameInTenantWide: context.scope.grants.tenantWide,
          };
        },
      });
    },
  });

  before(async () => {
    instance = await startOperations(service, [operation]);
    onStop(instance.stop);
  });
  beforeEach(async () => {
    runs = 0;
    meanwhile = inside = async () => {};
    await service.write('sund', (db) => db.deleteFrom('tenant_settings').execute());
  });

  const write = (token: string): Promise<HttpReply> => instance.call('POST', path, { token });
  const stored = () =>
    service.read('sund', async (db) => {
      const rows = await db.selectFrom('tenant_settings').select('name').execute();
      return rows.length;
    });

  for (const [name, [change, status, detail]] of Object.entries(changes)) {
    test(`[${status === 401 ? 'auth.06' : 'auth.07'}] a manager who loses ${name} during a write stores nothing`, async () => {
      const { token, managerId } = await createToken(service);
      assert.equal((await write(token)).status, 200);
      assert.equal(await stored(), 1);
      meanwhile = () => service.write('sund', (db) => change(db, managerId));
      const refused = await write(token);
      assert.equal(refused.status, status, refused.text);
      assert.equal(refused.json.code, status === 401 ? 'unauthenticated' : 'forbidden');
      if (detail === undefined)
        assert.match(refused.headers['www-authenticate'] ?? '', /^Bearer .*error="invalid_token"/);
      else assert.match(refused.json.detail, detail);
      assert.equal(runs, 1, 'the work of the refused write did not begin');
      assert.equal(await stored(), 1);
    });
  }

  test('[auth.06] a manager whose session expires during a write stores nothing', async () => {
    const { token } = await createToken(service, { livesMs: 1000 });
    const monotonicClock = mockMonotonicClock();
    try {
      meanwhile = async () => monotonicClock.advance(1000);
      assert.equal((await write(token)).status, 401);
      assert.equal(await stored(), 0);
    } finally {
      monotonicClock.restore();
    }
  });

  test('[auth.07] a write gets the scope that its own transaction has read', async () => {
    const { token, managerId } = await createToken(service);
    meanwhile = () =>
      service.write('sund', (db) =>
        db.updateTable('manager_grants').set({ bank_id: 1001 }).where('manager_id', '=', managerId).execute(),
      );
    const { status, json } = await write(token);
    assert.equal(status, 200);
    assert.deepEqual(json, { tenantWide: false, banks: [1001], cameInTenantWide: true });
  });

  test('[auth.07] a write that is run again reads the rights again each time', async () => {
    const { token, managerId } = await createToken(service);
    let withdrawn: Promise<unknown> = Promise.resolve();
    inside = async () => {
      withdrawn = service.write(
        'sund',
        (db) => changes['the Tab']?.[0](db, managerId) ?? Promise.reject(new Error('no such change')),
      );
      // SQLite's one writer is this very transaction: there the withdrawal comes right after it.
      if (engine === 'mariadb') await withdrawn;
      throw new StorageError('rolled-back');
    };
    const refused = await write(token);
    await withdrawn;
    assert.equal(refused.status, 403, refused.text);
    assert.equal(runs, 1);
    assert.equal(await stored(), 0);
  });
});
