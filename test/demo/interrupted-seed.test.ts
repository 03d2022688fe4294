// When demo data are written, and when they are not.

import { sql } from 'kysely';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { openLedger } from '../../src/features/account/queries/ledger.ts';
import { noAddress } from '../../src/features/places/rules/new-place-rows.ts';
import {
  readSeededRows,
  countRows,
  openMigratedDatabases,
  seedDemoTenant,
  type MigratedDatabases,
} from '../support/demo-database.ts';
import { grantBank } from '../support/granted-banks.ts';
import { createDeferred } from '../support/async.ts';
import { dayMs, testNow } from '../support/times.ts';

async function opened(t: TestContext, ...tenants: string[]): Promise<MigratedDatabases> {
  const databases = await openMigratedDatabases('sqlite', ...tenants);
  t.after(() => databases.release());
  return databases;
}

/** A database that fails every write after the first few, as if the process had ended there. */
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

test('a finished seeding is not changed', async (t) => {
  const database = (await opened(t, 'sund')).databases.forTenant('sund');
  await seedDemoTenant(database, 'sund', { postings: 300 });
  const before = await readSeededRows(database);
  assert.equal(await seedDemoTenant(database, 'sund', { now: testNow + 1e9 }), 'already-demo');
  assert.deepEqual(await readSeededRows(database), before);
});

test('a database with other data is never changed', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [withBank, withManager] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  const bank = { bank_id: 7, name: 'Own', bank_type: 1, icon: null, currency: 'DKK', vat_basis_points: null };
  await withBank.write({ deadlineMs: 5000 }, async (db) => {
    await db
      .insertInto('banks')
      .values({ ...noAddress, ...bank, enabled: 1, deleted_at: null, residents_version: 0, places_version: 1 })
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

test('a seeding that was interrupted at any step continues there', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [database, untouched] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  const options = { postings: 1000, takeOverAfterMs: 0 };
  await seedDemoTenant(untouched, 'sund', options);
  // After the claim, within the master data, within the postings, at the bookings, and just before the end.
  let presents = 0;
  for (const writes of [1, 3, 2, 4, 7]) {
    presents += 1000;
    // The present moves on; the data stay those of the first run.
    const interrupted = seedDemoTenant(endingAfter(database, writes), 'sund', {
      ...options,
      now: testNow + presents - 1000,
    });
    await assert.rejects(interrupted, /ended/);
  }
  const postings = await countRows(database, sql`from postings`);
  assert.ok(postings > 0);
  const progress: number[] = [];
  const listener = { onWaiting: () => {}, onProgress: (written: number) => void progress.push(written) };
  assert.equal(await seedDemoTenant(database, 'sund', { ...options, listener }), 'seeded');
  assert.deepEqual(await readSeededRows(database), await readSeededRows(untouched));
  assert.equal(progress.at(-1), 1600);
});

test('the rest of an interrupted seeding of another kind is deleted and seeded again, in transactions of bounded size', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [database, untouched] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  const options = { postings: 1000, takeOverAfterMs: 0 };
  await seedDemoTenant(untouched, 'sund', options);
  await assert.rejects(seedDemoTenant(endingAfter(database, 8), 'sund', { ...options, postings: 2000 }), /ended/);
  assert.ok((await countRows(database, sql`from postings`)) > 0);
  // Interrupted again while it deletes.
  for (const writes of [2, 6])
    await assert.rejects(seedDemoTenant(endingAfter(database, writes), 'sund', options), /ended/);
  assert.equal(await seedDemoTenant(database, 'sund', options), 'seeded');
  assert.deepEqual(await readSeededRows(database), await readSeededRows(untouched));
  // With the mark of an earlier version.
  await database.write({ deadlineMs: 5000 }, (db) =>
    db.updateTable('tenant_settings').set({ value: 'seeding' }).where('name', '=', 'demoData').execute(),
  );
  assert.equal(await seedDemoTenant(database, 'sund', options), 'seeded');
  assert.deepEqual(await readSeededRows(database), await readSeededRows(untouched));
});

test('an interrupted seeding of yesterday is not continued', async (t) => {
  const database = (await opened(t, 'sund')).databases.forTenant('sund');
  const options = { postings: 3000, takeOverAfterMs: 0 };
  await assert.rejects(seedDemoTenant(endingAfter(database, 8), 'sund', options), /ended/);
  assert.equal(await seedDemoTenant(database, 'sund', { ...options, now: testNow + dayMs }), 'seeded');
  const latest = await countRows(database, sql`from postings where recorded_at > ${testNow + dayMs / 2}`);
  assert.ok(latest > 0);
});

test('of concurrent seedings one writes, and the others wait until it is done', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [database, untouched] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  await seedDemoTenant(untouched, 'sund', { postings: 3000 });
  let waiting = 0;
  const listener = { onWaiting: () => void (waiting += 1), onProgress: () => {} };
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => seedDemoTenant(database, 'sund', { postings: 3000, listener, takeOverAfterMs: 60_000 })),
  );
  assert.deepEqual(outcomes.toSorted(), ['already-demo', 'already-demo', 'seeded']);
  assert.equal(waiting, 2);
  assert.deepEqual(await readSeededRows(database), await readSeededRows(untouched));
});

test('a seeding that was taken over writes nothing more, and waits', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const [database, untouched] = [databases.forTenant('sund'), databases.forTenant('fjord')];
  await seedDemoTenant(untouched, 'sund', { postings: 3000 });
  const reached = createDeferred();
  const goOn = createDeferred();
  let writes = 0;
  const hanging: TenantDatabase = {
    ...database,
    write: async (options, work) => {
      writes += 1;
      if (writes === 7) {
        reached.resolve();
        await goOn.promise;
      }
      return database.write(options, work);
    },
  };
  const first = seedDemoTenant(hanging, 'sund', { postings: 3000, takeOverAfterMs: 60_000 });
  await reached.promise;
  assert.equal(await seedDemoTenant(database, 'sund', { postings: 3000, takeOverAfterMs: 0 }), 'seeded');
  goOn.resolve();
  assert.equal(await first, 'already-demo');
  assert.deepEqual(await readSeededRows(database), await readSeededRows(untouched));
});

test('the first bank gets as many postings as asked for, and the others their share', async (t) => {
  const { databases } = await opened(t, 'sund', 'fjord');
  const asked = [
    ['sund', 0],
    ['fjord', 1037],
  ] as const;
  for (const [tenant, postings] of asked) {
    const database = databases.forTenant(tenant);
    await seedDemoTenant(database, tenant, { postings, otherPostings: undefined });
    assert.equal(await countRows(database, sql`from postings where bank_id = 1001`), postings);
    assert.equal(await countRows(database, sql`from postings where bank_id <> 1001`), 8000);
    assert.equal(await countRows(database, sql`from settlement_periods where bank_id = 1001`), 26);
    // A Danish custom.
    const discounting = await countRows(database, sql`from banks where discount_basis_points is not null`);
    assert.equal(discounting, tenant === 'sund' ? 1 : 0);
  }
});
