// The sums that receipts are made of, as the database has them: those of the very postings, found by the resident's own
// index, and not read at all where a page is kept.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { lockAndClosePeriod, lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { listHistorySums, readPostingsVersion } from '../../src/features/receipts/queries/resident-rollups.ts';
import {
  splitByVisibility,
  formatPostingsVersion,
  type HistorySum,
} from '../../src/features/receipts/rules/history-sums.ts';
import type { ResidentHistory } from '../../src/features/receipts/rules/resident-history.ts';
import type { Tables } from '../../src/database/tables.ts';
import { joinInt64 } from '../../src/lib/values/int64.ts';
import { postingDraft } from '../support/account-reads.ts';
import { insertTestBank, insertTestResident, createToken, setTenantSetting } from '../support/factories.ts';
import { grantBank } from '../support/granted-banks.ts';
import { startReadRecorder } from '../support/recorded-statements.ts';
import { receiptsPath } from './support/receipts.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { newBankRows } from '../support/with-bank.ts';
import { dayMs, testNow } from '../support/times.ts';

const cutoff = Math.floor(testNow / dayMs) * dayMs - 90 * dayMs;

const drafts = fc.array(
  fc
    .record({
      recordedAt: fc.oneof(
        fc.constantFrom(cutoff - 1, cutoff, cutoff + 1),
        fc.integer({ min: -9, max: 9 }).map((days) => cutoff + days * dayMs),
      ),
      kind: fc.constantFrom('Consumption' as const, 'Payment' as const),
      currency: fc.constantFrom('', 'DKK'),
      amountMinor: fc.oneof(fc.constantFrom(-1n, 0n, 1n), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      text: fc.string({ unit: 'grapheme', maxLength: 9 }),
      residentId: fc.constantFrom(1001, 1001, 1001, 1002),
    })
    .map(({ recordedAt, ...change }): PostingDraft => postingDraft(recordedAt, change)),
  { maxLength: 25 },
);
const histories = fc.array(drafts, { minLength: 1, maxLength: 4 });

type Sums = { count: number; amount: bigint; fingerprint: bigint; bytes: number; latest: number };
type Summed = ReadonlyMap<string, Sums>;

function addTo(all: Map<string, Sums>, key: string, more: Sums): void {
  const sums = all.get(key) ?? { count: 0, amount: 0n, fingerprint: 0n, bytes: 0, latest: more.latest };
  all.set(key, {
    count: sums.count + more.count,
    amount: sums.amount + more.amount,
    fingerprint: sums.fingerprint + more.fingerprint,
    bytes: sums.bytes + more.bytes,
    latest: Math.max(sums.latest, more.latest),
  });
}

function plainSums(rows: readonly Tables['postings'][], { firstPeriod, cutoff: since }: ResidentHistory): Summed {
  const all = new Map<string, Sums>();
  for (const row of rows) {
    const isShown = row.period >= firstPeriod && row.recorded_at >= since;
    const group = `${row.kind} ${row.amount_minor > 0} ${isShown}`;
    addTo(all, `${row.period}, ${row.currency}, ${group}`, {
      count: 1,
      amount: BigInt(row.amount_minor),
      fingerprint: BigInt(row.fingerprint),
      bytes: new TextEncoder().encode(row.text).length,
      latest: row.recorded_at,
    });
  }
  return all;
}

function sumsOf(shares: readonly HistorySum[]): Summed {
  const all = new Map<string, Sums>();
  for (const share of shares) {
    const group = `${share.kind} ${share.is_credit === 1} ${share.is_visible}`;
    addTo(all, `${share.of_period}, ${share.currency}, ${group}`, {
      count: share.count,
      amount: joinInt64(share.amount_high, share.amount_low),
      fingerprint: joinInt64(share.fingerprint_high, share.fingerprint_low),
      bytes: share.text_bytes,
      latest: share.latest,
    });
  }
  return all;
}

serviceSuite({ now: testNow, manager: false }, (suite) => {
  const { engine, service } = suite;

  test('the sums read for a history equal those of its postings, for any cutoff and first period', async () => {
    const property = fc.asyncProperty(histories, async (periods) => {
      const bankId = await newBankRows(suite);
      for (const some of periods)
        await service.write('sund', async (db) => {
          if (some.length > 0) await lockAndAppendPostings(db, grantBank(bankId), some);
          await lockAndClosePeriod(db, grantBank(bankId), testNow, testNow);
        });
      const rows = await service.read('sund', (db) =>
        db.selectFrom('postings').selectAll().where('bank_id', '=', bankId).where('user_id', '=', 1001).execute(),
      );
      const since = [cutoff - 1, cutoff, cutoff + 1, cutoff - 20 * dayMs, cutoff + 20 * dayMs, Number.MAX_SAFE_INTEGER];
      for (const [at, from] of since.entries()) {
        const history = { bank: grantBank(bankId), residentId: 1001, firstPeriod: 1 + (at % 3), cutoff: from };
        const shares = splitByVisibility(await service.read('sund', (db) => listHistorySums(db, history)), history);
        assert.deepEqual(sumsOf(shares), plainSums(rows, history));
        assert.equal(
          await service.read('sund', (db) => readPostingsVersion(db, history)),
          formatPostingsVersion(shares),
        );
      }
    });
    await fc.assert(property, { numRuns: 15 });
  });

  test('sums and postings are found only through the index of the resident, for any number of others', async () => {
    const residents = Array.from({ length: 40 }, (_, at) => 1001 + at);
    // Banks in which a period holds little, as statistics would have it of all.
    for (let other = 3001; other <= 3030; other += 1)
      await service.write('sund', async (db) => {
        await insertTestBank(db, { bankId: other });
        for (let period = 0; period < 8; period += 1) {
          await lockAndAppendPostings(db, grantBank(other), [
            postingDraft(cutoff),
            postingDraft(cutoff, { residentId: 1002 }),
          ]);
          await lockAndClosePeriod(db, grantBank(other), testNow, testNow);
        }
      });
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1001 });
      for (const id of residents) await insertTestResident(db, id);
      for (let day = 0; day < 100; day += 1)
        await lockAndAppendPostings(
          db,
          grantBank(1001),
          residents.map((residentId) => postingDraft(testNow - (day + 40) * dayMs, { residentId })),
        );
      await setTenantSetting(db, 'accountingRetentionDays', '90');
      await setTenantSetting(db, 'surveillanceRetentionDays', '90');
      if (engine === 'mariadb') await sql`analyze table postings, resident_rollups`.execute(db);
    });
    const { token } = await createToken(service);
    const watch = await startReadRecorder(service);
    try {
      const path = receiptsPath('sund-B1001-R1007');
      const kept = await watch.statementsOf(path, token);
      const named = (text: string): string => text.replaceAll(/["`]/g, '');
      assert.ok(kept.length > 0 && !kept.some((each) => /from postings|join postings/.test(named(each.sql))));
      // A page after the first is never cached.
      const { json } = await service.call('GET', path, { token });
      const asked = await watch.statementsOf(`${path}?offset=20&revision=${json.revision}`, token);
      const found = asked.filter((each) => /from postings|join postings/.test(named(each.sql)));
      assert.equal(found.length, 2);
      for (const statement of found)
        for (const { table, index, planText } of await watch.planOf(statement))
          if (table === 'p' || table === 'postings') assert.equal(index, 'postings_of_user', planText);
    } finally {
      await watch.stop();
    }
  });
});
