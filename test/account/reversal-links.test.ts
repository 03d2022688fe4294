// A reversal names its original and the original its reversal, unless that would reveal an expired identity.

import assert from 'node:assert/strict';
import { grantBank } from '../support/granted-banks.ts';
import { before, test } from 'node:test';
import { lockAndAppendPostings } from '../../src/features/account/queries/ledger.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { insertTestBank, insertTestResident, setTenantSetting } from '../support/factories.ts';
import { reverseEntry } from '../support/reversal.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { dayMs, testNow } from '../support/times.ts';

const draft = (daysAgo: number, amountMinor: bigint, reversalOf: number | null = null): PostingDraft => ({
  recordedAt: testNow - daysAgo * dayMs,
  locationId: 1,
  unitId: 1,
  residentId: 1042,
  kind: 'Consumption',
  currency: 'DKK',
  amountMinor,
  text: 'Wash',
  reversalOf,
});

serviceSuite({ now: testNow }, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1042);
      await setTenantSetting(db, 'accountingRetentionDays', '30');
      // Both sides named, both expired, and one of each.
      await lockAndAppendPostings(db, grantBank(1001), [
        draft(2, -100n),
        draft(1, 100n, 1),
        draft(50, -200n),
        draft(49, 200n, 3),
        draft(40, -300n),
        draft(3, 300n, 5),
      ]);
    });
  });

  test('[account.32, reversal.09] a refused reversal does not link a named posting to one whose identity has expired either', async () => {
    const links = [];
    for (const id of [1, 3, 5]) {
      const { status, json } = await reverseEntry(service, id, manager);
      links.push([status, json.code, json.reversedByKid]);
    }
    assert.deepEqual(links, [
      [409, 'already-reversed', 'sund-B1001-X2'],
      [409, 'already-reversed', 'sund-B1001-X4'],
      [409, 'already-reversed', null],
    ]);
  });

  test('[account.32] no link leads from a named posting to one whose identity has expired', async () => {
    const { json } = await service.call('GET', '/api/v1/banks/sund-B1001/account?From=2026-01-01', manager);
    const links = (
      json.items as { kid: string; isAnonymized: boolean; reversalOfKid: string | null; reversedByKid: string | null }[]
    )
      .map(({ kid, isAnonymized, reversalOfKid, reversedByKid }) =>
        [kid, isAnonymized, reversalOfKid ?? reversedByKid].map((each) => String(each).replace('sund-B1001-', '')),
      )
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b));
    assert.deepEqual(links, [
      ['X1', 'false', 'X2'],
      ['X2', 'false', 'X1'],
      ['X3', 'true', 'X4'],
      ['X4', 'true', 'X3'],
      ['X5', 'true', 'null'],
      ['X6', 'false', 'null'],
    ]);
  });
});
