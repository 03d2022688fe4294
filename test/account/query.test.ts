// What the query of both account reads accepts and refuses, and which rows and totals each filter keeps.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  fetchAccountAndRevision,
  fetchAndCompare,
  postingDraft,
  createBankWithModel,
  formatAccountQuery,
  recordInBoth,
  assertBothRefused,
} from '../support/account-reads.ts';
import { insertTestBank } from '../support/factories.ts';
import { type BankModel, type AccountQuery } from '../support/account-oracle.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const everything: AccountQuery = { From: '2026-06-01', Through: '2026-06-30' };

serviceSuite({ now: testNow }, ({ service, manager }) => {
  let book: BankModel;
  before(async () => {
    book = await createBankWithModel(service);
    await service.write('sund', (db) => insertTestBank(db, { bankId: 1002 }));
    const kinds = ['Consumption', 'Booking', 'Month', 'Payment'] as const;
    const amounts = [-700n, 0n, 500n];
    const places = [
      { locationId: 1, unitId: 1, residentId: 1001 },
      { locationId: 1, unitId: 2, residentId: 1002 },
      { locationId: 2, unitId: 1, residentId: 1001 },
      { locationId: 0, unitId: 0, residentId: 1000 },
    ];
    const all = places.flatMap((place) =>
      kinds.flatMap((kind) => amounts.map((amountMinor) => ({ ...place, kind, amountMinor }))),
    );
    await recordInBoth(
      service,
      book,
      all.map((change, at) => postingDraft(testNow - at * 60_000, change)),
    );
  });

  const compared = (question: AccountQuery) =>
    fetchAndCompare(
      service,
      manager.token,
      book,
      { ...everything, ...question },
      { coverage: 'all', retentionDays: null },
      testNow,
    );

  test('[account.11] Kind accepts only all, debit and credit, which select by the sign of the amount', async () => {
    const signs = new Map<string, Set<number>>();
    for (const Kind of ['all', 'debit', 'credit'] as const) {
      const { items, totalCount } = await compared({ Kind });
      assert.equal(totalCount, items.length);
      signs.set(Kind, new Set(items.map(({ amountMinor }) => Math.sign(Number(amountMinor)))));
    }
    assert.deepEqual(signs.get('all'), new Set([-1, 0, 1]));
    assert.deepEqual(signs.get('debit'), new Set([-1]));
    assert.deepEqual(signs.get('credit'), new Set([1]));
    for (const wrong of ['Debit', 'both', '', '-1', 'all,debit'])
      await assertBothRefused(service, manager.token, book, `Kind=${wrong}`);
  });

  test('[account.12] IncludeZero=false drops zero postings from rows and totals, and true is the default', async () => {
    const whole = await compared({});
    assert.deepEqual((await compared({ IncludeZero: true })).items, whole.items);
    const { items, totalCount, totals } = await compared({ IncludeZero: false });
    assert.ok(items.every(({ amountMinor }) => amountMinor !== 0n));
    assert.deepEqual([whole.totalCount, totalCount, totals[0]?.count], [48, 32, 32]);
  });

  test('[account.13] IncludeBookings=false drops Booking entries from rows and totals, and true is the default', async () => {
    assert.ok((await compared({})).items.some(({ kind }) => kind === 'Booking'));
    assert.equal((await compared({ IncludeBookings: true })).totalCount, 48);
    const { items, totalCount, totals } = await compared({ IncludeBookings: false });
    assert.ok(items.every(({ kind }) => kind !== 'Booking'));
    assert.deepEqual([totalCount, totals[0]?.count], [36, 36]);
  });

  test('[account.14] IncludeMonthly=false drops Month entries from rows and totals, and true is the default', async () => {
    assert.ok((await compared({})).items.some(({ kind }) => kind === 'Month'));
    assert.equal((await compared({ IncludeMonthly: true })).totalCount, 48);
    const { items, totalCount, totals } = await compared({ IncludeMonthly: false });
    assert.ok(items.every(({ kind }) => kind !== 'Month'));
    assert.deepEqual([totalCount, totals[0]?.count], [36, 36]);
  });

  test('the Include flags accept only true and false, in any case', async () => {
    for (const name of ['IncludeZero', 'IncludeBookings', 'IncludeMonthly']) {
      for (const right of ['true', 'FALSE', 'False']) {
        assert.equal(
          (await fetchAccountAndRevision(service, manager.token, book, `${name}=${right}`)).status,
          200,
          right,
        );
      }
      for (const wrong of ['', '1', '0', 'yes', 'null'])
        await assertBothRefused(service, manager.token, book, `${name}=${wrong}`);
    }
  });

  test('[account.15] Offset is 0 to 100000', async () => {
    for (const Offset of [0, 47, 48, 100_000]) assert.equal((await compared({ Offset })).offset, Offset);
    for (const wrong of ['-1', '100001', '1.5', '', 'a', '+1', '01', '1e3', '99999999999']) {
      await assertBothRefused(service, manager.token, book, `Offset=${encodeURIComponent(wrong)}`);
    }
  });

  test('[account.16] Limit is 1 to 200, and 50 by default', async () => {
    // More rows than any page holds.
    const large = await createBankWithModel(service, { bankId: 1003 });
    await recordInBoth(
      service,
      large,
      Array.from({ length: 250 }, (_, at) => postingDraft(testNow - at * 60_000)),
    );
    const pageOf = async (question: AccountQuery): Promise<unknown[]> => {
      const viewer = { coverage: 'all', retentionDays: null } as const;
      const query = { ...everything, ...question };
      const { items, limit, hasMore } = await fetchAndCompare(service, manager.token, large, query, viewer, testNow);
      return [items.length, limit, hasMore];
    };
    for (const Limit of [1, 49, 50, 51, 199, 200]) assert.deepEqual(await pageOf({ Limit }), [Limit, Limit, true]);
    assert.deepEqual(await pageOf({}), [50, 50, true]);
    assert.deepEqual(await pageOf({ Offset: 200 }), [50, 50, false]);
    assert.deepEqual(await pageOf({ Offset: 201 }), [49, 50, false]);
    assert.deepEqual(await pageOf({ Offset: 49, Limit: 200 }), [200, 200, true]);
    for (const wrong of ['0', '-1', '201', '', '50.0', 'all'])
      await assertBothRefused(service, manager.token, book, `Limit=${wrong}`);
  });

  test('[account.09] LocationKid, UnitKid and UserKid narrow the rows, and must be canonical KIDs of this bank', async () => {
    assert.equal((await compared({ location: 1 })).totalCount, 24);
    assert.equal((await compared({ unit: [1, 2] })).totalCount, 12);
    assert.equal((await compared({ user: 1001 })).totalCount, 24);
    assert.equal((await compared({ location: 2, unit: [2, 1], user: 1001 })).totalCount, 12);
    // Well-formed KIDs of nobody select nothing.
    for (const none of [
      { location: 77 },
      { unit: [1, 77] as const },
      { user: 4242 },
      { location: 2, unit: [1, 1] as const },
    ]) {
      assert.equal((await compared(none)).totalCount, 0);
    }
    const wrong: Record<string, string[]> = {
      LocationKid: [
        'sund-B1002-L1',
        'fjord-B1001-L1',
        'sund-B1001-L01',
        'sund-b1001-L1',
        'sund-B1001-L0',
        'sund-B1001-L1-U1',
        'sund-B1001',
        '1',
        '',
      ],
      UnitKid: [
        'sund-B1002-L1-U1',
        'fjord-B1001-L1-U1',
        'sund-B1001-L1-U+1',
        'sund-B1001-L1-U1 ',
        'sund-B1001-L1',
        'sund-B1001-L1-U',
      ],
      UserKid: [
        'sund-B1002-R1001',
        'fjord-B1001-R1001',
        'sund-B1001-R01001',
        'sund-B1001-R999',
        'sund-B1001-R100000',
        'sund-M1001',
        '1001',
      ],
    };
    for (const [name, kids] of Object.entries(wrong)) {
      for (const kid of kids) {
        const query = new URLSearchParams({ [name]: kid });
        await assertBothRefused(service, manager.token, book, String(query), 'invalid-kid');
      }
    }
  });

  test('[general.39, account.02] both account reads know their parameters in any case, each once, and no others', async () => {
    const query = formatAccountQuery(book, {
      ...everything,
      Kind: 'debit',
      IncludeZero: false,
      location: 1,
      unit: [1, 1],
      user: 1001,
      Limit: 3,
      Offset: 1,
      TimeZone: 'UTC',
    });
    const asSpelled = await fetchAccountAndRevision(service, manager.token, book, query);
    assert.equal(asSpelled.status, 200);
    assert.equal(asSpelled.json.items.length, 3);
    const respelled = (spell: (name: string) => string): string =>
      [...new URLSearchParams(query)].map(([name, value]) => `${spell(name)}=${encodeURIComponent(value)}`).join('&');
    for (const spell of [
      (name: string) => name.toLowerCase(),
      (name: string) => name.toUpperCase(),
      (name: string) => name.replace(/^./, (first) => first.toLowerCase()),
    ]) {
      const other = await fetchAccountAndRevision(service, manager.token, book, respelled(spell));
      assert.equal(other.text, asSpelled.text);
    }
    for (const wrong of ['Limit=3&limit=3', 'KIND=all&Kind=all', 'Unknown=1', 'sort=kind', 'From%20=2026-01-01', '=1'])
      await assertBothRefused(service, manager.token, book, wrong);
  });

  test('[account.07, account.08] a Period is an int32 from 0', async () => {
    for (const Period of [0, 1, 7, 2_147_483_647]) assert.equal((await compared({ Period })).period, Period);
    for (const wrong of ['-1', '2147483648', '1.0', '', 'current', '00'])
      await assertBothRefused(service, manager.token, book, `Period=${wrong}`);
  });
});
