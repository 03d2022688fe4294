// How the engines find the refunds of the uses on a page of the account, among many postings of the bank.

import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { startReadRecorder } from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const postings = 1000;

serviceSuite({ now: testNow }, ({ engine, service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1001);
      const draft = { locationId: 1, unitId: 1, residentId: 1001, kind: 'Consumption', currency: 'DKK' } as const;
      const drafts = Array.from({ length: postings }, (_, at) => ({
        ...draft,
        recordedAt: testNow - at * 1000,
        amountMinor: -1500n,
        vatMinor: 0n,
        internalTag: at,
        text: 'Wash',
      }));
      await lockAndAppendPostings(db, grantBank(1001), drafts);
    });
    if (engine === 'mariadb') await service.write('sund', (db) => sql`analyze table postings`.execute(db));
  });

  test('the refunds of each use are found by their references', async () => {
    const recorder = await startReadRecorder(service);
    try {
      const path = '/api/v1/banks/sund-B1001/account?Period=0';
      const statements = await recorder.statementsOf(path, manager.token);
      const pages = statements.filter((statement) => statement.sql.includes('refund'));
      assert.equal(pages.length, 1);
      const plan = await recorder.planOf(pages[0]!);
      const indexes = plan.filter(({ table }) => table === 'refund').map(({ index }) => index);
      assert.deepEqual(indexes, ['postings_by_reference'], JSON.stringify(plan));
    } finally {
      await recorder.stop();
    }
  });
});
