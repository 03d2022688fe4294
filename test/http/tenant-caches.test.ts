// One process serves several tenants, whose banks, residents, managers and even tokens can have the same ids. Cached
// data of one tenant are never an answer to another.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { createOperations } from '../../src/app.ts';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { insertSession } from '../../src/features/sessions/queries/sessions.ts';
import { hashToken } from '../../src/features/sessions/rules/session-token.ts';
import { isManagerOperation } from '../../src/http/operations/operation-properties.ts';
import type { Environment } from '../../src/permissions/scope.ts';
import { postingDraft } from '../support/account-reads.ts';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank, insertTestManager, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { exampleTargetOf } from '../support/operation-authorization.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const tenants = ['sund', 'fjord'] as const;
type Tenant = (typeof tenants)[number];
const other = (tenant: Tenant): Tenant => (tenant === 'sund' ? 'fjord' : 'sund');

/** The name of this tenant's data, which all of its names and texts contain, and no others. */
const marker = (tenant: Tenant): string => `made in ${tenant}`;

serviceSuite({ now: testNow, tenants, manager: false }, ({ service }) => {
  // The same for each tenant, like the ids.
  const token = randomBytes(32).toString('base64url');
  before(async () => {
    for (const tenant of tenants) await insertTenant(tenant);
  });

  const hostOf = (tenant: Tenant, environment: Environment): string =>
    `${environment === 'beta' ? 'beta.' : ''}api.${tenant}.localhost`;
  const call = (tenant: Tenant, path: string, environment: Environment = 'production'): Promise<HttpReply> =>
    service.call('GET', path.replaceAll('TENANT', tenant), { host: hostOf(tenant, environment), token });

  async function insertTenant(tenant: Tenant): Promise<void> {
    await service.write(tenant, async (db) => {
      for (const bankId of [1001, 1002]) await insertTestBank(db, { bankId, name: `Bank ${marker(tenant)}` });
      await db
        .updateTable('locations')
        .set({ name: `Location ${marker(tenant)}` })
        .execute();
      await db
        .updateTable('units')
        .set({ name: `Unit ${marker(tenant)}` })
        .execute();
      await insertTestResident(db, 1001, { name: `Resident ${marker(tenant)}` });
      for (const name of ['accountingRetentionDays', 'surveillanceRetentionDays'])
        await setTenantSetting(db, name, '400');
      const text = `Wash ${marker(tenant)}`;
      // More than one page of receipts, with the same amounts at the same times.
      const days = Array.from({ length: 30 }, (_, day) => postingDraft(testNow - day * dayMs, { text }));
      await lockAndAppendPostings(db, grantBank(1001, tenant), days);
      // In this bank the tenants' amounts differ.
      const amountMinor = tenant === 'sund' ? -100n : -200n;
      await lockAndAppendPostings(db, grantBank(1002, tenant), [postingDraft(testNow, { text, amountMinor })]);
      // In this bank everything but the texts of postings is the same in both tenants.
      await insertTestBank(db, { bankId: 1003, name: 'Bank' });
      await insertTestResident(db, 1001, { bankId: 1003 });
      await lockAndAppendPostings(db, grantBank(1003, tenant), [postingDraft(testNow, { text })]);
      const made = await insertTestManager(db, { name: `Manager ${marker(tenant)}` });
      const session = { environment: 'production', createdAt: testNow, expiresAt: testNow + dayMs } as const;
      await insertSession(db, { tokenHash: hashToken(token), ...session, ...made });
    });
  }

  /** Requests both tenants alternately; each answer is the tenant's own, and stays the same. */
  async function assertKeptApart(path: string): Promise<Record<Tenant, HttpReply>> {
    const first = { sund: await call('sund', path), fjord: await call('fjord', path) };
    for (const tenant of tenants) {
      const { status, text } = first[tenant];
      assert.ok(!text.includes(marker(other(tenant))), `${tenant} answers ${path} with ${text}`);
      // Ids of operations and traces do not begin like this.
      assert.ok(!text.includes(`${other(tenant)}-`), `${tenant} answers ${path} with ${text}`);
      const again = await call(tenant, path);
      assert.equal(again.status, status, path);
      if (status === 200) assert.equal(again.text, text, path);
    }
    return first;
  }

  test('[general.10, auth.10] no read of one tenant is answered with cached data of another, after any earlier request', async () => {
    const reads = createOperations(service.dependencies)
      .operations.filter(isManagerOperation)
      .filter(({ method }) => method === 'GET');
    assert.ok(reads.length > 10);
    for (const operation of reads) {
      const path = exampleTargetOf(operation).replaceAll('sund-', 'TENANT-');
      // A ZIP is streamed and contains its own time; everything else is text.
      if (operation.response.mediaTypes.includes('application/zip')) continue;
      // Live logs also show the previous request; test/diagnostics checks that tenants are separate.
      if (operation.id === 'GetLiveLogs') continue;
      await assertKeptApart(path);
    }
  });

  test('[general.10, auth.10] cached accounts, receipts and managers belong to one tenant', async () => {
    const paths = [
      '/api/v1/session/me',
      '/api/v1/banks/TENANT-B1001/account?From=2026-06-01',
      '/api/v1/banks/TENANT-B1001/account?Period=0',
      '/api/v1/banks/TENANT-B1001/account/export.csv?From=2026-06-01',
      '/api/v1/users/TENANT-B1001-R1001/receipts',
      '/api/v1/banks/icons',
      '/api/v1/banks/TENANT-B1001/locations',
      '/api/v1/locations/TENANT-B1001-L1/units',
      '/api/v1/units/TENANT-B1001-L1-U1',
    ];
    for (const path of paths) {
      const replies = await assertKeptApart(path);
      for (const tenant of tenants) {
        assert.equal(replies[tenant].status, 200, replies[tenant].text);
        assert.ok(replies[tenant].text.includes(marker(tenant)), `${tenant} answers ${path}: ${replies[tenant].text}`);
      }
    }
  });

  test('[general.10, auth.10] cached data belong to one tenant even if both have the same names, amounts and times', async () => {
    for (const path of ['/users/TENANT-B1003-R1001/receipts', '/banks/TENANT-B1003/account?Period=0']) {
      const replies = await assertKeptApart(`/api/v1${path}`);
      for (const tenant of tenants)
        assert.ok(replies[tenant].text.includes(marker(tenant)), `${tenant} answers ${path}: ${replies[tenant].text}`);
    }
  });

  test('[general.10, receipts.06] further pages of receipts have the tenant’s own place names', async () => {
    for (const tenant of tenants) {
      const path = '/api/v1/users/TENANT-B1001-R1001/receipts';
      const { json: first } = await call(tenant, path);
      const { json } = await call(tenant, `${path}?offset=20&revision=${first.revision}`);
      assert.equal(json.items.length, 10);
      for (const { locationName, lines } of json.items) {
        assert.equal(locationName, `Location ${marker(tenant)}`);
        assert.deepEqual(lines[0].texts, [`Wash ${marker(tenant)}`]);
      }
    }
  });

  test('[general.10, account.38] a shared revision belongs to one tenant', async () => {
    const query = 'From=2026-06-01';
    const revisions = [];
    for (const tenant of [...tenants, ...tenants]) {
      const { json } = await call(tenant, `/api/v1/banks/TENANT-B1002/account/revision?${query}`);
      const { json: account } = await call(tenant, `/api/v1/banks/TENANT-B1002/account?${query}`);
      assert.equal(json.revision, account.revision, tenant);
      revisions.push(json.revision);
    }
    assert.equal(new Set(revisions).size, 2);
  });

  test('[auth.04, auth.06] a session that ends at one tenant ends only there, even if another tenant has the same token', async () => {
    const shared = randomBytes(32).toString('base64url');
    for (const tenant of tenants)
      await service.write(tenant, async (db) => {
        const made = await insertTestManager(db);
        const session = { environment: 'production', createdAt: testNow, expiresAt: testNow + dayMs } as const;
        await insertSession(db, { tokenHash: hashToken(shared), ...session, ...made });
      });
    const statusAt = async (tenant: Tenant): Promise<number> =>
      (await service.call('GET', '/api/v1/session/me', { host: hostOf(tenant, 'production'), token: shared })).status;
    assert.deepEqual([await statusAt('sund'), await statusAt('fjord')], [200, 200]);
    const host = hostOf('fjord', 'production');
    assert.equal((await service.call('POST', '/api/v1/session/logout', { host, token: shared })).status, 204);
    assert.deepEqual([await statusAt('sund'), await statusAt('fjord')], [200, 401]);
  });

  test('[auth.04, auth.05] a snapshot of a session is not a session at another tenant or in the other environment', async () => {
    const own = randomBytes(32).toString('base64url');
    await service.write('sund', async (db) => {
      const made = await insertTestManager(db);
      const session = { environment: 'beta', createdAt: testNow, expiresAt: testNow + dayMs } as const;
      await insertSession(db, { tokenHash: hashToken(own), ...session, ...made });
    });
    const statusAt = async (tenant: Tenant, environment: Environment): Promise<number> =>
      (await service.call('GET', '/api/v1/session/me', { host: hostOf(tenant, environment), token: own })).status;
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await statusAt('sund', 'beta'), 200);
      assert.equal(await statusAt('sund', 'production'), 401);
      assert.equal(await statusAt('fjord', 'beta'), 401);
      assert.equal(await statusAt('fjord', 'production'), 401);
    }
  });

  test('[general.16] an image with a KID of one tenant is refused at another, even after it was cached', async () => {
    const path = '/api/v1/icon/line/sund-B1001/64.png';
    const statuses = [];
    for (const tenant of [...tenants, ...tenants, ...tenants])
      statuses.push((await service.call('GET', path, { host: hostOf(tenant, 'production') })).status);
    assert.deepEqual(statuses, [200, 400, 200, 400, 200, 400]);
  });
});
