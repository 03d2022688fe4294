// Whose identity an account still shows: tables of days and instants.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUtc } from '../../../lib/ms2000.ts';
import { chooseRetentionDays, computeIdentityCutoff, isAnonymized, formatCutoffState } from './identity.ts';

const at = (text: string): number => parseUtc(text) ?? Number.NaN;

test('[account.33, account.34] a positive manager value replaces the tenant’s, zero or none of it does not, and none of both keeps nothing', () => {
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
    assert.equal(chooseRetentionDays(tenant, manager), effective, `${tenant} and ${manager}`);
});

test('the cutoff is the beginning of a UTC day, and an identity lives at least the days configured', () => {
  const table: [days: number, now: string, cutoff: string][] = [
    [1, '2026-03-10T00:00:00Z', '2026-03-09T00:00:00Z'],
    [1, '2026-03-10T23:59:59.999Z', '2026-03-09T00:00:00Z'],
    [30, '2026-03-10T12:00:00Z', '2026-02-08T00:00:00Z'],
    [366, '2000-06-01T05:00:00Z', '1999-06-01T00:00:00Z'],
    [3, '1999-12-31T23:00:00Z', '1999-12-28T00:00:00Z'],
  ];
  for (const [days, now, cutoff] of table)
    assert.equal(computeIdentityCutoff(days, at(now)), at(cutoff), `${days} at ${now}`);
  assert.equal(computeIdentityCutoff(0, at('2026-03-10T00:00:00Z')), Number.POSITIVE_INFINITY);
});

test('an identity is gone with the GDPR user, before the cutoff, and from the instant it expires', () => {
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
    assert.equal(isAnonymized({ ...row, ...change }, cutoff, now), anonymized, JSON.stringify(change));
});

test('a view turns with the cutoff only while the cutoff lies inside what is shown', () => {
  const views = [-5, 0, 99, 100, 101, 150, 199, 200, 201, Number.POSITIVE_INFINITY].map((cutoff) =>
    formatCutoffState(cutoff, 100, 200),
  );
  const [named, , , , ...others] = views;
  assert.deepEqual(views.slice(0, 4), [named, named, named, named]);
  const [, , , unnamed] = others;
  assert.deepEqual(others.slice(3), [unnamed, unnamed, unnamed]);
  assert.equal(new Set(views).size, 5);
});
