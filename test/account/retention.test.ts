// Whose identity an account shows, for how long, and that an expired identity appears nowhere in an answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountPath,
  fetchAccountAndRevision,
  fetchAndCompare,
  postingDraft,
  formatAccountQuery,
  recordInBoth,
} from '../support/account-reads.ts';
import { createToken, setTenantSetting } from '../support/factories.ts';
import { ms2000Of, type AccountViewer } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';
import { withBank } from '../support/with-bank.ts';

const midnight = ms2000Of('2026-06-15T00:00:00Z');
const year = { From: '2025-07-01', Through: '2026-06-30' };

serviceSuite({ now: testNow }, (suite) => {
  const { service, manager } = suite;
  const residents = new Map([
    [1001, { name: 'Demo Resident 1001', expiredAt: null }],
    [12_321, { name: 'Qwendoline Zyx', expiredAt: testNow }],
    [1003, { name: 'Demo Resident 1003', expiredAt: testNow + 1 }],
  ]);
  const book = withBank(suite, { residents });

  const wide = (retentionDays: number | null = null): AccountViewer => ({ coverage: 'all', retentionDays });
  async function retain(setting: string | undefined): Promise<void> {
    await service.write('sund', async (db) => {
      if (setting === undefined)
        await db.deleteFrom('tenant_settings').where('name', '=', 'accountingRetentionDays').execute();
      else await setTenantSetting(db, 'accountingRetentionDays', setting);
    });
    book.retentionDays = Number(setting) > 0 ? Number(setting) : 0;
  }

  test('[account.32] an expired identity leaves the GDPR user, no name, a safe text, and its amount', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, {
        residentId: 12_321,
        text: 'Party of Qwendoline',
        amountMinor: -777n,
        vatMinor: -77n,
        documentId: 987_654,
        internalTag: 5,
        paymentReference: 'qwpay',
      }),
      postingDraft(testNow - 2, {
        residentId: 12_321,
        text: 'Party of Qwendoline',
        kind: 'Booking',
        amountMinor: -1n,
        documentId: 987_654,
      }),
      postingDraft(testNow - 3, { residentId: 1003 }),
    ]);
    const { items, totals, documents } = await fetchAndCompare(service, manager.token, book, year, wide(), testNow);
    const [first, second, third] = items;
    assert.deepEqual(
      { ...first, documentKey: '' },
      {
        ...first,
        userKid: `${book.bankKid}-R0`,
        userName: '',
        text: 'Consumption',
        isAnonymized: true,
        reversible: false,
        amountMinor: -777n,
        vatMinor: -77n,
        documentKey: '',
      },
    );
    assert.deepEqual([second?.text, second?.userKid, second?.isAnonymized], ['Booking', `${book.bankKid}-R0`, true]);
    // It expires a moment later.
    assert.deepEqual([third?.userName, third?.isAnonymized], ['Demo Resident 1003', false]);
    assert.equal(totals[0]?.amountMinor, -878n);
    assert.deepEqual(
      documents.map(({ count }) => count),
      [1, 1, 1],
    );
    assert.notEqual(first?.documentKey, second?.documentKey);
  });

  test('[account.32] nothing of an anonymised entry tells whose it was, in any answer', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, {
        residentId: 12_321,
        text: 'Party of Qwendoline',
        documentId: 987_654,
        paymentReference: 'qwpay',
        internalTag: 5,
        amountMinor: -6n,
      }),
      postingDraft(testNow - 90 * dayMs, {
        residentId: 1001,
        text: 'Old Wyrdtext',
        documentId: 876_543,
        amountMinor: -7n,
      }),
    ]);
    await retain('30');
    const queries = ['', 'UserKid=', 'Kind=debit', 'LocationKid='].map((query) =>
      `From=2025-07-01&Through=2026-06-30&${query.replace('UserKid=', `UserKid=${book.bankKid}-R0`).replace('LocationKid=', `LocationKid=${book.bankKid}-L1`)}`.replace(
        /&$/,
        '',
      ),
    );
    for (const query of [...queries, 'Period=0']) {
      const { status, text, json } = await fetchAccountAndRevision(service, manager.token, book, query);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /Qwendoline|Zyx|12321|987654|Wyrdtext|876543|qwpay|Demo Resident|R1001/);
      assert.equal(json.items.length, query.includes('UserKid') ? 0 : 2);
    }
  });

  test('[account.10] an explicit UserKid omits rows whose identity has expired, and the bank’s totals include them', async () => {
    await retain('30');
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, { residentId: 1001, amountMinor: -1n }),
      postingDraft(testNow - 40 * dayMs, { residentId: 1001, amountMinor: -20n }),
      postingDraft(testNow - 2, { residentId: 12_321, amountMinor: -300n }),
      postingDraft(testNow - 3, { residentId: 0, amountMinor: -4000n }),
      postingDraft(testNow - 4, { residentId: 1003, amountMinor: -50_000n }),
    ]);
    const sums = async (user?: number): Promise<[number, bigint | undefined]> => {
      const question = user === undefined ? year : { ...year, user };
      const { totalCount, totals } = await fetchAndCompare(service, manager.token, book, question, wide(), testNow);
      return [totalCount, totals[0]?.amountMinor];
    };
    assert.deepEqual(await sums(), [5, -54_321n]);
    assert.deepEqual(await sums(1001), [1, -1n]);
    assert.deepEqual(await sums(12_321), [0, undefined]);
    assert.deepEqual(await sums(1003), [1, -50_000n]);
    assert.deepEqual(await sums(0), [0, undefined]);
    // By period as by dates.
    const { totalCount } = await fetchAndCompare(
      service,
      manager.token,
      book,
      { Period: 0, user: 1001 },
      wide(),
      testNow,
    );
    assert.equal(totalCount, 1);
  });

  test('[account.33] the tenant’s retention applies, unless the manager has a positive one, shorter or longer', async () => {
    const ages = [1, 9, 19, 29, 99, 399];
    await recordInBoth(
      service,
      book,
      ages.map((days) => postingDraft(testNow - days * dayMs)),
    );
    const named = async (retentionDays: number | null): Promise<number[]> => {
      const { token: reader } = await createToken(service, { retentionDays });
      const all = { Period: 0, Limit: 200 };
      const { items } = await fetchAndCompare(service, reader, book, all, wide(retentionDays), testNow);
      assert.deepEqual(
        items.map(({ recordedAtMs2000 }) => (testNow - recordedAtMs2000) / dayMs),
        ages,
      );
      return ages.filter((_, at) => items[at]?.isAnonymized === false);
    };
    await retain('20');
    assert.deepEqual(await named(null), [1, 9, 19]);
    assert.deepEqual(await named(0), [1, 9, 19]);
    assert.deepEqual(await named(10), [1, 9]);
    assert.deepEqual(await named(100), [1, 9, 19, 29, 99]);
    await retain('30');
    assert.deepEqual(await named(null), [1, 9, 19, 29], 'it is read anew');
  });

  test('[account.34] without a valid retention every entry is anonymised', async () => {
    await recordInBoth(service, book, [
      postingDraft(testNow),
      postingDraft(testNow + dayMs),
      postingDraft(testNow - dayMs, { residentId: 1000 }),
    ]);
    for (const setting of ['0', undefined, '', '-5', 'long', 'Infinity years']) {
      await retain(setting);
      for (const managerDays of [null, 0]) {
        const { token: reader } = await createToken(service, { retentionDays: managerDays });
        const { items } = await fetchAndCompare(service, reader, book, year, wide(managerDays), testNow);
        assert.deepEqual(
          items.map(({ isAnonymized }) => isAnonymized),
          [true, true, true],
          String(setting),
        );
        const ofResident = await fetchAndCompare(
          service,
          reader,
          book,
          { ...year, user: 1001 },
          wide(managerDays),
          testNow,
        );
        assert.equal(ofResident.totalCount, 0);
      }
      const { token: keeper } = await createToken(service, { retentionDays: 1 });
      const kept = await fetchAndCompare(service, keeper, book, year, wide(1), testNow);
      assert.deepEqual(
        kept.items.map(({ isAnonymized }) => isAnonymized),
        [false, false, false],
      );
    }
  });

  test('[account.33] the cutoff is the beginning of the UTC day that many days ago', async () => {
    await retain('30');
    await recordInBoth(
      service,
      book,
      [midnight - 30 * dayMs, midnight - 30 * dayMs - 1].map((time) => postingDraft(time)),
    );
    const { items } = await fetchAndCompare(service, manager.token, book, year, wide(), testNow);
    assert.deepEqual(
      items.map(({ isAnonymized }) => isAnonymized),
      [false, true],
    );
    const { json } = await service.call('GET', accountPath(book, formatAccountQuery(book, { ...year, user: 1001 })), {
      token: manager.token,
    });
    assert.equal(json.totalCount, 1);
  });
});
