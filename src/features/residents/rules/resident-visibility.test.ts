// Checks which residents a manager may see, and for how long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/problem.ts';
import type { Coverage } from '../../../permissions/coverage.ts';
import {
  isResidentGone,
  isResidentVisible,
  requireVisibleResident,
  type ResidentVisibilityRow,
} from './resident-visibility.ts';
import { dayMs } from '../../../lib/time/durations.ts';

const now = 9000 * dayMs + 5000;
const resident = (change: Partial<ResidentVisibilityRow> = {}): ResidentVisibilityRow => ({
  location_id: 1,
  deleted_at: null,
  expired_at: null,
  ...change,
});

test('[receipts.10] a deleted resident is visible for the manager’s RetentionDays in whole UTC days, and not at all without them', () => {
  const firstKept = (9000 - 30) * dayMs;
  const table: [deletedAt: number, managerDays: number, seen: boolean][] = [
    [now, 0, false],
    [now, -5, false],
    [now, 1, true],
    [firstKept, 30, true],
    [firstKept - 1, 30, false],
    [firstKept - 1, 31, true],
  ];
  for (const [deleted_at, days, seen] of table)
    assert.equal(isResidentVisible(resident({ deleted_at }), days, now), seen);
});

test('an expired resident is not visible, one who expires later is', () => {
  assert.equal(isResidentVisible(resident({ expired_at: now }), 3650, now), false);
  assert.equal(isResidentVisible(resident({ expired_at: now + 1 }), 0, now), true);
});

test('[receipts.26] a resident who does not exist, is not visible or not covered is not found; too narrow a grant is refused', () => {
  const codeOf = (of: ResidentVisibilityRow | undefined, coverage: Coverage | undefined): string => {
    try {
      requireVisibleResident(of, coverage, 0, now);
      return 'admitted';
    } catch (error) {
      assert.ok(error instanceof Problem);
      return error.code;
    }
  };
  const table: [ResidentVisibilityRow | undefined, Coverage | undefined, string][] = [
    [resident(), 'all', 'admitted'],
    [undefined, 'all', 'not-found'],
    [resident({ deleted_at: now }), 'all', 'not-found'],
    [resident({ expired_at: now }), 'all', 'not-found'],
    [resident(), undefined, 'not-found'],
    [resident(), new Set([1, 2]), 'forbidden'],
    [resident(), new Set([2]), 'not-found'],
    [resident({ location_id: null }), new Set([1]), 'not-found'],
    [resident({ deleted_at: now }), new Set([1]), 'not-found'],
    [undefined, new Set([1]), 'not-found'],
  ];
  for (const [of, reach, code] of table) assert.equal(codeOf(of, reach), code);
});

test('a user who is deleted, expired or not a resident is gone; the guest never is', () => {
  const row = { user_id: 1001, resident_name: 'Ada', resident_deleted_at: null, resident_expired_at: null };
  const table: [change: object, gone: boolean][] = [
    [{}, false],
    [{ resident_deleted_at: now + 1 }, true],
    [{ resident_expired_at: now }, true],
    [{ resident_expired_at: now + 1 }, false],
    [{ user_id: 0, resident_name: null }, true],
    [{ user_id: 1000, resident_name: null }, false],
  ];
  for (const [change, gone] of table)
    assert.equal(isResidentGone({ ...row, ...change }, now), gone, JSON.stringify(change));
});
