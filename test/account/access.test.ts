// Who can read an account, how a refusal is worded, and that a refusal does not reveal what exists.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  accountPath,
  fetchAccountAndRevision,
  fetchAndCompare,
  postingDraft,
  createBankWithModel,
  recordInBoth,
  comparableRefusal,
  revisionPath,
} from '../support/account-reads.ts';
import { insertTestBank, type ManagerOptions } from '../support/factories.ts';
import { type BankModel } from '../support/account-oracle.ts';
import { permissions, tabs } from '../../src/permissions/matrix.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { testNow } from '../support/times.ts';

const week = { From: '2026-06-09', Through: '2026-06-15' };
const reads = ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'] as const;
const atLocation1: ManagerOptions = { grants: [{ bankId: 1001, locationId: 1 }] };

serviceSuite({ now: testNow, manager: false }, ({ service, issueToken }) => {
  let book: BankModel;
  before(async () => {
    book = await createBankWithModel(service);
    await service.write('sund', async (db) => {
      await insertTestBank(db, { bankId: 1002 });
      await insertTestBank(db, { bankId: 1003, deletedAt: 1 });
    });
    await recordInBoth(service, book, [
      postingDraft(testNow - 1, { locationId: 1, unitId: 1, amountMinor: -1n }),
      postingDraft(testNow - 2, { locationId: 1, unitId: 2, amountMinor: -20n, currency: 'EUR' }),
      postingDraft(testNow - 3, { locationId: 2, unitId: 1, amountMinor: -300n }),
      postingDraft(testNow - 4, { locationId: 0, unitId: 0, amountMinor: 4000n }),
    ]);
  });

  const bank = (bankId: number) => ({ bankKid: `sund-B${bankId}` });

  test('[account.01, account.02] both reads answer 200, 400, 401 or 403, and the second only a revision', async () => {
    const token = await issueToken({});
    assert.equal((await fetchAccountAndRevision(service, token, book, '')).status, 200);
    assert.equal((await fetchAccountAndRevision(service, token, book, 'Limit=0')).status, 400);
    assert.equal((await fetchAccountAndRevision(service, token, { bankKid: 'sund-B01001' }, '')).status, 400);
    assert.equal((await fetchAccountAndRevision(service, undefined, book, '')).status, 401);
    assert.equal((await fetchAccountAndRevision(service, 'not-a-token', book, '')).status, 401);
    assert.equal((await fetchAccountAndRevision(service, await issueToken({ tabs: [] }), book, '')).status, 403);
    const { json } = await service.call('GET', revisionPath(book), { token });
    assert.deepEqual(Object.keys(json), ['revision']);
  });

  test('[account.43, account.40] each missing Read has its reason, and so has a missing Tab; of several, the first is reported', async () => {
    const without = (...missing: string[]): ManagerOptions => ({
      permissions: permissions.filter((each) => !missing.includes(each)),
    });
    const table: [ManagerOptions, reason: string][] = [
      [without('Bank.Read'), 'missing-bank-read'],
      [without('Location.Read'), 'missing-location-read'],
      [without('Unit.Read'), 'missing-unit-read'],
      [without('User.Read'), 'missing-user-read'],
      [without(...reads), 'missing-bank-read'],
      [without('User.Read', 'Unit.Read', 'Location.Read'), 'missing-location-read'],
      [without('User.Read', 'Unit.Read'), 'missing-unit-read'],
      [{ tabs: tabs.filter((tab) => tab !== 'Account2') }, 'missing-tab'],
      [{ tabs: [], permissions: [], grants: [] }, 'missing-tab'],
      [{ permissions: [], grants: [] }, 'missing-bank-read'],
      [{ ...without('User.Read'), grants: [] }, 'missing-user-read'],
      [{ grants: [] }, 'missing-bank-read'],
      [{ grants: [{ bankId: 1002, locationId: 0 }] }, 'missing-bank-read'],
    ];
    for (const [options, reason] of table) {
      const { status, json, text } = await fetchAccountAndRevision(service, await issueToken(options), book, '');
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', reason], text);
    }
    // No other right is needed.
    const least = { tabs: ['Account2'], permissions: reads, ...atLocation1 } as const;
    assert.equal((await fetchAccountAndRevision(service, await issueToken(least), book, '')).status, 200);
  });

  test('[account.44] a bank that is missing, deleted or not visible gets the same refusal, byte for byte', async () => {
    const tenantWide = await issueToken({});
    const bankWide = await issueToken({ grants: [1001, 1003].map((bankId) => ({ bankId, locationId: 0 })) });
    const limited = await issueToken({ grants: [...(atLocation1.grants ?? []), { bankId: 1003, locationId: 1 }] });
    const cases: [token: string, bankIds: number[]][] = [
      [tenantWide, [1003, 9999]],
      [bankWide, [1002, 1003, 9999]],
      [limited, [1002, 1003, 9999]],
      [await issueToken({ grants: [] }), [1001, 1002, 1003, 9999]],
    ];
    for (const [token, bankIds] of cases) {
      for (const query of ['', 'Period=1', 'UserKid=']) {
        const replies = [];
        for (const id of bankIds)
          replies.push(
            await fetchAccountAndRevision(service, token, bank(id), query.replace(/=$/, `=sund-B${id}-R1001`)),
          );
        for (const { status, json } of replies) {
          assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'missing-bank-read']);
        }
        assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
        const plain = replies.map(
          ({ headers: { date: _date, 'x-request-id': _id, traceparent: _trace, ...rest } }) => rest,
        );
        for (const headers of plain) assert.deepEqual(headers, plain[0]);
      }
    }
  });

  test('a location or unit outside the grant is refused, whether it exists or not, with the text for its kind', async () => {
    const limited = await issueToken(atLocation1);
    const replies = [];
    for (const id of [2, 77])
      replies.push(await fetchAccountAndRevision(service, limited, book, `LocationKid=sund-B1001-L${id}`));
    for (const { status, json } of replies) {
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'missing-location-read']);
    }
    assert.equal(new Set(replies.map(comparableRefusal)).size, 1);
    const units = [];
    for (const id of ['2-U1', '2-U77', '77-U1'])
      units.push(await fetchAccountAndRevision(service, limited, book, `UnitKid=sund-B1001-L${id}`));
    for (const { status, json } of units) {
      assert.deepEqual([status, json.code, json.reason], [403, 'forbidden', 'missing-unit-read']);
    }
    assert.equal(new Set(units.map(comparableRefusal)).size, 1);
    // Within the grant, a place that does not exist has no postings, like a place that is not used.
    assert.equal(
      (await fetchAccountAndRevision(service, limited, book, 'UnitKid=sund-B1001-L1-U77')).json.totalCount,
      0,
    );
    // A place of another bank is refused as such first.
    assert.equal(
      (await fetchAccountAndRevision(service, limited, book, 'LocationKid=sund-B1002-L1')).json.code,
      'invalid-kid',
    );
  });

  test('[account.18] a location-limited grant opens the reads and limits rows, totals and choices to its locations', async () => {
    const wide = { coverage: 'all', retentionDays: null } as const;
    const whole = await fetchAndCompare(service, await issueToken({}), book, week, wide, testNow);
    assert.deepEqual([whole.totalCount, whole.totals.length, whole.choices.locations.length], [4, 2, 2]);

    const one = await fetchAndCompare(
      service,
      await issueToken(atLocation1),
      book,
      week,
      { coverage: [1], retentionDays: null },
      testNow,
    );
    assert.deepEqual(
      one.items.map(({ locationKid }) => locationKid),
      ['sund-B1001-L1', 'sund-B1001-L1'],
    );
    assert.deepEqual(
      one.totals.map(({ amountMinor }) => amountMinor),
      [-1n, -20n],
    );
    assert.deepEqual(
      one.choices.locations.map(({ kid }) => kid),
      ['sund-B1001-L1'],
    );
    assert.deepEqual(
      one.choices.units.map(({ locationKid }) => locationKid),
      ['sund-B1001-L1', 'sund-B1001-L1'],
    );
    assert.notEqual(one.revision, whole.revision);

    // A row without a location belongs to the bank only, even for a manager who sees every location.
    const each = [1, 2].map((locationId) => ({ bankId: 1001, locationId }));
    const both = await fetchAndCompare(
      service,
      await issueToken({ grants: each }),
      book,
      week,
      { coverage: [1, 2], retentionDays: null },
      testNow,
    );
    assert.equal(both.totalCount, 3);
    const bankWide = await issueToken({ grants: [{ bankId: 1001, locationId: 0 }, ...each] });
    assert.equal((await fetchAndCompare(service, bankWide, book, week, wide, testNow)).totalCount, 4);
  });

  test('[account.39] a manager without rights never gets a revision that others have cached', async () => {
    const query = 'From=2026-06-01&Through=2026-06-15';
    const path = revisionPath(book, query);
    const first = await service.call('GET', path, { token: await issueToken({}) });
    assert.equal(first.status, 200);
    const refusals: [ManagerOptions, reason: string][] = [
      [{ tabs: [] }, 'missing-tab'],
      [{ permissions: reads.slice(0, 3) }, 'missing-user-read'],
      [{ grants: [] }, 'missing-bank-read'],
      [{ grants: [{ bankId: 1002, locationId: 0 }] }, 'missing-bank-read'],
    ];
    for (const [options, reason] of refusals) {
      const reply = await service.call('GET', path, { token: await issueToken(options) });
      assert.deepEqual([reply.status, reply.json.reason], [403, reason]);
    }
    assert.equal((await service.call('GET', path)).status, 401);
    // A manager who sees fewer rows gets another revision.
    const limited = await service.call('GET', path, { token: await issueToken(atLocation1) });
    assert.notEqual(limited.json.revision, first.json.revision);
  });

  test('[account.19] account answers are not stored anywhere, and a committed posting is in the very next one', async () => {
    const token = await issueToken({});
    for (let held = 4; held < 8; held += 1) {
      const { headers, json } = await service.call('GET', accountPath(book, 'From=2026-06-01'), { token });
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(json.totalCount, held);
      const id = await recordInBoth(service, book, [postingDraft(testNow, { amountMinor: BigInt(-held) })]);
      const next = await service.call('GET', accountPath(book, 'From=2026-06-01'), { token });
      assert.equal(next.json.items[0].kid, `sund-B1001-X${id}`);
      assert.equal(next.json.totalCount, held + 1);
      assert.notEqual(next.json.revision, json.revision);
    }
  });
});
