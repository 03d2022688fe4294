// When demo data are written, and when they are not.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { openLedger } from '../../src/features/account/queries/ledger.ts';
import {
  readSeededRows,
  countRows,
  openMigratedDatabases,
  seedDemoTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { grantBank } from '../support/granted-banks.ts';
import { testNow } from '../support/times.ts';

async function opened(t: TestContext, ...tenants: string[]): Promise<MigratedDatabases> {
  const databases = await openMigratedDatabases('sqlite', ...tenants);
  t.after(() => databases.release());
  return databases;
}

/** A database whose every write after the first few fails, as if the process had ended there. */
function endingAfter(database: TenantDatabase, writes: number): TenantDatabase {
  let left = writes;
  return {
    ...database,
    write: (options, work) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('ended')) : database.write(options, work);
    },
  };
}

test('two seedings with the same present are equal in every table', async (t) => {
  const [one, other] = [await opened(t, 'sund'), await opened(t, 'sund')].map(({ databases }) =>
    databases.forTenant('sund'),
  );
  assert.ok(one !== undefined && other !== undefined);
  await Promise.all([one, other].map((database) => seedDemoTenant(database, 'sund', { postings: 3000 })));
  assert.deepEqual(await readSeededRows(one), await readSeededRows(other));
});

test('what it wrote itself is left as it is', async (t) => {
  const database = (await opened(t, 'sund')).databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 300 });
  const before = await readSeededRows(database);
  assert.equal(await seedDemoTenant(database, 'sund', { now: testNow + 1e9 }), 'already-demo');
  assert.deepEqual(await readSeededRows(database), before);
});

test('a database that holds anything else is never touched', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [withBank, withManager] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  const bank = { bank_id: 7, name: 'Own', bank_type: 1, icon: null, currency: 'DKK', vat_basis_points: null };
  await withBank.write({ deadlineMs: 5000 }, async (db) => {
    await db
      .insertInto('banks')
      .values({ ...bank, enabled: 1, deleted_at: null, places_version: 1 })
      .execute();
    await openLedger(db, grantBank(7), testNow);
  });
  const managers = sql`insert into managers (manager_id, user_name, user_name_key, name, email, organisation, person_icon,
    theme, password_hash, credential_stamp, active, revision) values (1001, 'a', 'a', '', '', '', '', 0, '', '', 1, 1)`;
  await withManager.write({ deadlineMs: 5000 }, (db) => managers.execute(db));
  for (const database of [withBank, withManager]) {
    const before = await readSeededRows(database);
    assert.equal(await seedDemoTenant(database), 'foreign');
    assert.deepEqual(await readSeededRows(database), before);
  }
});

test('a seeding that was interrupted is noticed, cleared away and done anew', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [database, untouched] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  const options = { postings: 1000 };
  await seedDemoTenant(untouched, 'sund', options);
  // After the claim, while clearing, after that, within the postings, and just before the end.
  for (const writes of [1, 3, 4, 8, 11]) {
    await assert.rejects(
      seedDemoTenant(endingAfter(database, writes), 'sund', { ...options, now: testNow - writes }),
      /ended/,
    );
  }
  assert.ok((await countRows(database, sql`from postings`)) > 0);
  assert.equal(await seedDemoTenant(database, 'sund', options), 'seeded');
  assert.deepEqual(await readSeededRows(database), await readSeededRows(untouched));
});

test('the first bank gets as many postings as asked for, and the others their share', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord', 'malar');
  const asked = [
    ['sund', 0],
    ['fjord', 37],
    ['malar', 1500],
  ] as const;
  for (const [tenant, postings] of asked) {
    const database = databases.forTenant(tenant);
    await seedDemoTenant(database, tenant, { postings });
    assert.equal(await countRows(database, sql`from postings where bank_id = 1001`), postings);
    assert.equal(await countRows(database, sql`from postings where bank_id <> 1001`), 8000);
    assert.equal(await countRows(database, sql`from settlement_periods where bank_id = 1001`), 26);
    // A Danish custom.
    const discounting = await countRows(database, sql`from banks where discount_basis_points is not null`);
    assert.equal(discounting, tenant === 'sund' ? 1 : 0);
  }
});
