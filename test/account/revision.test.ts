// What changes a revision, and what does not.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  accountPath,
  fetchAccount,
  fetchRevision,
  revisionPath,
  closePeriodInBoth,
  fetchAndCompare,
  postingDraft,
  recordInBoth,
} from '../support/account-reads.ts';
import { setTenantSetting } from '../support/factories.ts';
import { ms2000Of, type AccountQuery } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { newBank, withBank } from '../support/with-bank.ts';

const wide = { coverage: 'all', retentionDays: null } as const;
const june: AccountQuery = { From: '2026-06-01', Through: '2026-06-30', TimeZone: 'UTC' };

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager, clock } = suite;
  const residents = new Map([
    [1001, { name: 'Demo Resident 1001', expiredAt: null }],
    [1002, { name: 'Demo Resident 1002', expiredAt: testNow + 60_000 }],
  ]);
  const book = withBank(suite, { residents, openedAt: testNow - 90 * dayMs });
  beforeEach(async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 5 * dayMs, { residentId: 1002 }),
      postingDraft(testNow - 4 * dayMs, { locationId: 2 }),
      postingDraft(testNow - 3 * dayMs, { amountMinor: 900n, kind: 'Payment' }),
      postingDraft(testNow - 2 * dayMs, { residentId: 1002, currency: 'EUR' }),
    ]);
  });

  /** The revision, which both reads must share; the answer is also compared with the oracle. */
  async function revision(question: AccountQuery = june): Promise<string> {
    const [answer, alone] = [
      await fetchAndCompare(service, manager.token, book, question, wide, clock.now),
      await fetchRevision(service, manager.token, book, question),
    ];
    assert.equal(alone, answer.revision);
    return answer.revision;
  }

  test('[account.35] the revision is the same for every offset and limit', async () => {
    const known = await revision();
    for (const page of [{ Offset: 1 }, { Limit: 1 }, { Offset: 3, Limit: 200 }, { Offset: 100_000 }]) {
      assert.equal(await revision({ ...june, ...page }), known);
    }
  });

  test('[account.35, account.36] one set has one revision, whichever query selects it', async () => {
    const known = await revision();
    const same: AccountQuery[] = [
      { ...june, From: '2026-06-10', Through: '2026-06-13' },
      { ...june, TimeZone: 'Asia/Kathmandu' },
      { ...june, From: '2025-07-01' },
      { ...june, IncludeBookings: false, IncludeMonthly: false, IncludeZero: false },
      { Period: 0 },
    ];
    for (const question of same) assert.equal(await revision(question), known, JSON.stringify(question));
  });

  test('[account.36] different sets have different revisions, even with equal counts and totals', async () => {
    await recordInBoth(
      service,
      book,
      [4, 3, 2].map((days) => postingDraft(testNow - days * dayMs, { locationId: 2 })),
    );
    const questions: AccountQuery[] = [
      {},
      { Kind: 'debit' },
      { Kind: 'credit' },
      { location: 1 },
      { location: 2 },
      { user: 1001 },
      { user: 1002 },
      { From: '2026-06-11', Through: '2026-06-11', location: 2 },
      { From: '2026-06-12', Through: '2026-06-12', location: 2 },
      { From: '2026-06-13', Through: '2026-06-13', location: 2 },
      { From: '2026-06-12' },
      { From: '2026-06-13' },
      { Period: 1 },
    ];
    const revisions = [];
    for (const question of questions) revisions.push(await revision({ ...june, ...question }));
    assert.equal(new Set(revisions).size, questions.length);
  });

  test('[account.36] every posting of the set changes its revision, also a posting of zero, and no posting outside does', async () => {
    const seen = new Set([await revision()]);
    const inside = [
      postingDraft(testNow),
      postingDraft(testNow),
      postingDraft(testNow, { amountMinor: 0n }),
      postingDraft(testNow - 25 * dayMs * 0.5),
    ];
    for (const each of inside) {
      await recordInBoth(service, book, [each]);
      const next = await revision();
      assert.ok(!seen.has(next));
      seen.add(next);
    }
    const [known] = [...seen].slice(-1);
    await recordInBoth(service, book, [
      postingDraft(ms2000Of('2026-07-01T00:00:00Z')),
      postingDraft(ms2000Of('2026-05-31T23:59:59.999Z')),
    ]);
    const other = await newBank(suite);
    await recordInBoth(service, other, [postingDraft(testNow)]);
    assert.equal(await revision(), known);
    const atLocation1 = await revision({ ...june, location: 1 });
    await recordInBoth(service, book, [postingDraft(testNow, { locationId: 2 })]);
    assert.equal(await revision({ ...june, location: 1 }), atLocation1);
  });

  test('[account.36] closing a period changes the revision of its rows, since they show another period', async () => {
    const [byDate, byPeriod] = [await revision(), await revision({ Period: 0 })];
    await closePeriodInBoth(service, book, testNow);
    assert.notEqual(await revision(), byDate);
    assert.notEqual(await revision({ Period: 0 }), byPeriod);
    assert.equal((await fetchAccount(service, manager.token, book, june)).items[0]?.period, 1);
  });

  test('[account.10, account.36] an identity that expires changes the revision of its resident’s rows, which disappear, and of the bank’s, which lose the name', async () => {
    const ofResident = { ...june, user: 1002 };
    const named = await fetchAndCompare(service, manager.token, book, ofResident, wide, clock.now);
    assert.equal(named.totalCount, 2);
    const [whole, ofOther] = [
      await fetchAccount(service, manager.token, book, june),
      await fetchAccount(service, manager.token, book, { ...june, user: 1001 }),
    ];
    clock.now = testNow + 60_000;
    const expired = await fetchAndCompare(service, manager.token, book, ofResident, wide, clock.now);
    assert.deepEqual([expired.totalCount, expired.totals], [0, []]);
    assert.notEqual(expired.revision, named.revision);
    const showing = await fetchAndCompare(service, manager.token, book, june, wide, clock.now);
    assert.deepEqual(showing.totals, whole.totals);
    assert.notEqual(showing.revision, whole.revision);
    assert.equal(
      (await fetchAndCompare(service, manager.token, book, { ...june, user: 1001 }, wide, clock.now)).totalCount,
      ofOther.totalCount,
    );
  });

  test('the ETag of an account read without dates changes at midnight in its time zone, and one with both dates does not', async () => {
    // The day is over in Copenhagen at 22:00 UTC, in Kathmandu at 18:15 UTC. No posting is of today or tomorrow.
    const midnights = [
      ['', '2026-06-15T22:00:00Z'],
      ['TimeZone=Asia/Kathmandu', '2026-06-15T18:15:00Z'],
      ['From=2026-06-15', '2026-06-15T22:00:00Z'],
    ] as const;
    const read = (path: string, etag = '"none"') =>
      service.call('GET', path, { token: manager.token, headers: { 'if-none-match': etag } });
    for (const [query, midnight] of midnights)
      for (const path of [accountPath(book, query), revisionPath(book, query)]) {
        clock.now = ms2000Of(midnight) - 1;
        const before = await read(path);
        assert.equal((await read(path, before.headers.etag)).status, 304, path);
        clock.now = ms2000Of(midnight);
        const after = await read(path, before.headers.etag);
        // Only the revision shows no day.
        assert.equal(after.status, before.json.through === undefined ? 304 : 200, path);
        if (after.status === 200)
          assert.deepEqual([after.json.revision, after.json.through], [before.json.revision, '2026-06-16'], path);
      }
    for (const query of ['From=2026-06-01&Through=2026-06-30', 'Period=0', 'Period=999']) {
      clock.now = ms2000Of('2026-06-15T21:59:59Z');
      const { headers, json } = await read(accountPath(book, query));
      assert.ok(headers.etag?.startsWith(`"${json.revision}.`));
      clock.now += dayMs;
      assert.equal((await read(accountPath(book, query), headers.etag)).status, 304, query);
    }
  });

  test('a period that never existed has no rows, and is not among the periods', async () => {
    const { totalCount, period, periods } = await fetchAccount(service, manager.token, book, { Period: 999 });
    assert.deepEqual([totalCount, period, periods.map((each) => each.period)], [0, 999, [0]]);
  });

  test('[account.36] the revision changes on the day on which retention reaches a row, also one that was recorded late', async () => {
    await service.write('sund', (db) => setTenantSetting(db, 'accountingRetentionDays', '10'));
    book.retentionDays = 10;
    await closePeriodInBoth(service, book, testNow);
    await recordInBoth(
      service,
      book,
      [7, 5].map((days) => postingDraft(testNow - days * dayMs, { text: 'late' })),
    );
    let turned = 0;
    for (const question of [june, { Period: 0 }, { Period: 1 }]) {
      let last: { shown: string; revision: string } | undefined;
      for (let day = 0; day < 10; day += 1) {
        clock.now = testNow + day * dayMs;
        const { items, revision: turning } = await fetchAndCompare(
          service,
          manager.token,
          book,
          question,
          wide,
          clock.now,
        );
        const shown = items.map(({ isAnonymized }) => isAnonymized).join();
        if (last !== undefined && shown !== last.shown) {
          assert.notEqual(turning, last.revision, `day ${day}`);
          turned += 1;
        }
        last = { shown, revision: turning };
      }
      assert.ok(!last?.shown.includes('false'), 'in the end nobody is named');
    }
    assert.ok(turned >= 8, String(turned));
  });
});
