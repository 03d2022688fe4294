// Checks which identities are shown: tables of days and instants.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUtc } from '../../../lib/time/ms2000.ts';
import { computeRetentionCutoff } from '../../../lib/time/retention-cutoff.ts';
import {
  getHistoryCutoff,
  getIdentityVisibility,
  getSearchableFrom,
  isAnonymized,
  toVisibleIdentity,
} from './identity.ts';

const at = (text: string): number => parseUtc(text) ?? Number.NaN;

test('[account.33, account.34] a positive manager value replaces the tenant’s, zero or less does not, and without both no identity is shown', () => {
  const table: [tenant: number, manager: number, effective: number][] = [
    [400, 0, 400],
    [400, 30, 30],
    [30, 400, 400],
    [0, 30, 30],
    [0, 0, 0],
    [-1, 0, 0],
    [400, -5, 400],
    [Number.NaN, 0, 0],
    [Number.NaN, 7, 7],
  ];
  for (const [tenant, manager, effective] of table)
    assert.equal(
      getIdentityVisibility(String(tenant), { retentionDays: manager }, at('2026-03-10T12:00:00Z')).cutoff,
      computeRetentionCutoff(effective, at('2026-03-10T12:00:00Z')),
      `${tenant} and ${manager}`,
    );
});

test('the cutoff is the start of a UTC day, and identities are shown for at least the days configured', () => {
  const table: [days: number, now: string, cutoff: string][] = [
    [1, '2026-03-10T00:00:00Z', '2026-03-09T00:00:00Z'],
    [1, '2026-03-10T23:59:59.999Z', '2026-03-09T00:00:00Z'],
    [30, '2026-03-10T12:00:00Z', '2026-02-08T00:00:00Z'],
    [366, '2000-06-01T05:00:00Z', '1999-06-01T00:00:00Z'],
    [3, '1999-12-31T23:00:00Z', '1999-12-28T00:00:00Z'],
  ];
  for (const [days, now, cutoff] of table)
    assert.equal(computeRetentionCutoff(days, at(now)), at(cutoff), `${days} at ${now}`);
  assert.equal(computeRetentionCutoff(0, at('2026-03-10T00:00:00Z')), Number.POSITIVE_INFINITY);
});

test('no identity is shown for the GDPR user, before the cutoff, or from the instant it expires', () => {
  const [now, cutoff] = [10_000, 5000];
  const row = { recorded_at: 5000, user_id: 1001, resident_expired_at: null };
  const table: [change: Partial<typeof row> | { resident_expired_at: number }, anonymized: boolean][] = [
    [{}, false],
    [{ recorded_at: 4999 }, true],
    [{ recorded_at: 9999 }, false],
    [{ user_id: 0 }, true],
    [{ user_id: 1000 }, false],
    [{ resident_expired_at: 9999 }, true],
    [{ resident_expired_at: 10_000 }, true],
    [{ resident_expired_at: 10_001 }, false],
  ];
  for (const [change, anonymized] of table)
    assert.equal(isAnonymized({ ...row, ...change }, { cutoff, now }), anonymized, JSON.stringify(change));
});

test('the cutoff follows from the stored setting and the manager’s retention, and a setting that is missing or not a number counts as zero', () => {
  const now = at('2026-03-10T12:00:00Z');
  const table: [setting: string | null, manager: number, cutoff: number][] = [
    ['30', 0, at('2026-02-08T00:00:00Z')],
    ['30', 1, at('2026-03-09T00:00:00Z')],
    [null, 1, at('2026-03-09T00:00:00Z')],
    [null, 0, Number.POSITIVE_INFINITY],
    ['', 0, Number.POSITIVE_INFINITY],
    ['many', 0, Number.POSITIVE_INFINITY],
  ];
  for (const [setting, retentionDays, cutoff] of table)
    assert.deepEqual(getIdentityVisibility(setting, { retentionDays }, now), { cutoff, now });
});

test('[receipts.09] a history is within both retentions of the tenant; the manager’s own replaces both', () => {
  const now = at('2026-03-10T12:00:00Z');
  const daysBack = (days: number): number => at('2026-03-10T00:00:00Z') - days * 86_400_000;
  const never = Number.POSITIVE_INFINITY;
  const table: [accounting: string | null, surveillance: string | null, manager: number, cutoff: number][] = [
    ['400', '90', 0, daysBack(90)],
    ['30', '90', 0, daysBack(30)],
    ['90', '90', 0, daysBack(90)],
    ['400', '90', 200, daysBack(200)],
    ['400', '90', 7, daysBack(7)],
    ['400', '0', 0, never],
    ['0', '90', 0, never],
    ['400', null, 0, never],
    [null, '90', 0, never],
    ['400', 'many', 0, never],
    [null, null, 7, daysBack(7)],
  ];
  for (const [retention_setting, surveillance_retention_setting, retentionDays, cutoff] of table)
    assert.equal(
      getHistoryCutoff({ retention_setting, surveillance_retention_setting }, { retentionDays }, now),
      cutoff,
      `${retention_setting}, ${surveillance_retention_setting} and ${retentionDays}`,
    );
});

test('a record shows its user and name, or the GDPR user without a name', () => {
  const row = { recorded_at: 5000, user_id: 1001, resident_name: 'Ada', resident_expired_at: null };
  const visibility = { cutoff: 5000, now: 10_000 };
  const anonymous = { residentId: 0, name: '', isAnonymized: true };
  assert.deepEqual(toVisibleIdentity(row, visibility), { residentId: 1001, name: 'Ada', isAnonymized: false });
  assert.deepEqual(toVisibleIdentity({ ...row, recorded_at: 4999 }, visibility), anonymous);
  assert.deepEqual(toVisibleIdentity({ ...row, resident_expired_at: 10_000 }, visibility), anonymous);
  assert.deepEqual(toVisibleIdentity({ ...row, user_id: 1000, resident_name: null }, visibility), {
    residentId: 1000,
    name: '',
    isAnonymized: false,
  });
});

test('a user finds records from the cutoff on; the GDPR user and an expired one find none', () => {
  const visibility = { cutoff: 5000, now: 10_000 };
  assert.equal(getSearchableFrom(1001, visibility), 5000);
  assert.equal(getSearchableFrom(1001, visibility, true), Number.POSITIVE_INFINITY);
  assert.equal(getSearchableFrom(0, visibility), Number.POSITIVE_INFINITY);
});
