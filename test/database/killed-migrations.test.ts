// Databases of earlier schemas that have data, whose migration is killed in the middle. Each run takes some schemas at
// random, and names them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom } from '../../demo/random.ts';
import { lockAndAppendPostings, lockAndClosePeriod } from '../../src/features/account/queries/ledger.ts';
import { verifyBankRollups } from '../../src/features/account/verification/verify-bank-rollups.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank, insertTestManager, insertTestResident } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { onBothEngines } from '../support/service.ts';
import {
  longDeadline,
  openTestDatabase,
  tenant,
  type DirectConnection,
  type TestDatabase,
} from '../support/test-database.ts';
import { testNow } from '../support/times.ts';
import { startMigrator } from './support/migrator.ts';
import { allMigrations, rollBackFrom } from './support/older-schema.ts';

/** The first migration that can be reverted. */
const earliest = '0005-idempotency';
const schemasPerRun = 2;
const longestMs = 120;
const bank = grantBank(1001);

const insertData = ({ database }: TestDatabase): Promise<void> =>
  database.write(longDeadline, async (db) => {
    await insertTestBank(db);
    for (let residentId = 1001; residentId <= 1040; residentId += 1) await insertTestResident(db, residentId);
    await insertTestManager(db);
    const drafts = (from: number) =>
      Array.from({ length: 200 }, (_, at) => postingDraft(testNow - from - at, { residentId: 1001 + (at % 40) }));
    await lockAndAppendPostings(db, bank, drafts(1000));
    await lockAndClosePeriod(db, bank, testNow, testNow);
    await lockAndAppendPostings(db, bank, drafts(0));
  });

/** What every schema has, and no migration changes. */
async function readKept(outsider: DirectConnection): Promise<unknown> {
  const statements = [
    'select bank_id, name, currency from banks order by bank_id',
    'select bank_id, resident_id, name, apartment, email, phone from residents order by resident_id',
    'select manager_id, user_name, name from managers order by manager_id',
    'select posting_id, recorded_at, user_id, amount_minor, text, period from postings order by posting_id',
    'select bank_id, period, closed_at from settlement_periods order by period',
  ];
  const found = [];
  for (const statement of statements) found.push((await outsider.run(statement)).map((row) => ({ ...row })));
  return found;
}

onBothEngines((engine) => {
  test('[backups.04] an earlier schema with data whose migration is killed in the middle is migrated by the next run, and loses nothing', async (t) => {
    const seed = String(Date.now());
    const random = createSeededRandom(seed);
    const candidates = allMigrations.filter((name) => name >= earliest);
    for (let round = 0; round < schemasPerRun; round += 1) {
      const from = random.pick(candidates);
      const killedAfterMs = random.int(1, longestMs);
      t.diagnostic(`from before ${from}, killed after ${killedAfterMs} ms`);
      const scratch = await openTestDatabase(engine);
      const outsider = await scratch.connectDirectly();
      try {
        await insertData(scratch);
        const kept = await readKept(outsider);
        await rollBackFrom(outsider, from);
        assert.deepEqual(await readKept(outsider), kept, 'the earlier schema has the data');
        const migrator = await startMigrator(scratch.location, tenant);
        migrator.start();
        await pause(killedAfterMs);
        migrator.kill();
        await migrator.ran;
        await scratch.databases.migrate(tenant);
        assert.deepEqual(await readKept(outsider), kept);
        const database = scratch.databases.forTenant(tenant);
        const verify = () => database.read(longDeadline, (db) => verifyBankRollups(db, bank));
        assert.deepEqual((await verify()).differences, []);
        await database.write(longDeadline, (db) => lockAndAppendPostings(db, bank, [postingDraft(testNow)]));
        assert.deepEqual((await verify()).differences, []);
      } finally {
        await outsider.close();
        await scratch.close();
      }
    }
  });
});
