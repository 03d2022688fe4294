// How the engines find what the public statistics count, among many postings of many residents.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { before, test } from 'node:test';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { startReadRecorder } from '../support/recorded-statements.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { activeUsersPath, post, purchaseMapPath, purchasesPath } from './support/statistics.ts';

const residentIds = Array.from({ length: 200 }, (_, at) => 1001 + at);
const postingsEach = 20;

serviceSuite({ now: testNow, manager: false }, ({ engine, service }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      for (const bankId of [1001, 1002]) {
        await insertTestBank(db, { bankId });
        for (const residentId of residentIds) await insertTestResident(db, residentId, { bankId });
      }
    });
    for (const bankId of [1001, 1002])
      for (let at = 0; at < postingsEach; at += 1)
        await post(
          service,
          bankId,
          residentIds.map((residentId) => ({ residentId, recordedAt: testNow - at * 20 * dayMs - residentId * 10 })),
        );
    if (engine === 'mariadb')
      await service.write('sund', (db) => sql`analyze table postings, residents, locations`.execute(db));
  });

  for (const path of [purchasesPath, purchaseMapPath])
    test(`[public.11, public.24] ${path} reads only the postings of the hour, through the index of each bank by time`, async () => {
      const recorder = await startReadRecorder(service);
      try {
        const statements = (await recorder.firstStatementsOf(path)).filter((each) => /postings/.test(each.sql));
        assert.equal(statements.length, 1);
        const [onPostings, onLocations, ...others] = await recorder.planOf(statements[0]!);
        assert.deepEqual([onPostings?.table, onLocations?.table, others.length], ['p', 'l', 0]);
        assert.equal(onPostings?.index, 'postings_by_time');
        assert.match(
          onPostings?.planText ?? '',
          engine === 'sqlite' ? /\(bank_id=\? AND recorded_at>\?\)/ : /"type":"range"/,
        );
        assert.ok(onLocations?.index !== undefined);
      } finally {
        await recorder.stop();
      }
    });

  test('[public.16] of each resident one posting is read, through an index', async () => {
    const recorder = await startReadRecorder(service);
    try {
      const [statement] = (await recorder.firstStatementsOf(activeUsersPath)).filter((each) =>
        /postings/.test(each.sql),
      );
      assert.ok(statement !== undefined);
      const [onResidents, onPostings, ...others] = await recorder.planOf(statement);
      assert.deepEqual([onResidents?.table, onPostings?.table, others.length], ['r', 'p', 0]);
      assert.equal(onPostings?.index, 'postings_of_user');
      assert.doesNotMatch(onPostings?.planText ?? '', /filesort|TEMP/i);
    } finally {
      await recorder.stop();
    }
  });
});
