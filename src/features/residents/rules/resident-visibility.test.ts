// Whose receipts are seen, by whom, and for how long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/problem.ts';
import type { Coverage } from '../../../permissions/coverage.ts';
import { requireVisibleResident, isResidentVisible, type ResidentState } from './resident-visibility.ts';

const dayMs = 86_400_000;
const now = 9000 * dayMs + 5000;
const resident = (change: Partial<ResidentState> = {}): ResidentState => ({
  location_id: 1,
  deleted_at: null,
  expired_at: null,
  ...change,
});

test('[receipts.10] a deleted resident is seen for the manager’s RetentionDays, whole UTC days, and for none without', () => {
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

test('an expired resident is nobody, one who will expire is somebody', () => {
  assert.equal(isResidentVisible(resident({ expired_at: now }), 3650, now), false);
  assert.equal(isResidentVisible(resident({ expired_at: now + 1 }), 0, now), true);
});

test('[receipts.26] who is missing, out of sight or out of reach is not found; who is seen by too narrow a grant is refused', () => {
  const codeOf = (of: ResidentState | undefined, coverage: Coverage | undefined): string => {
    try {
      requireVisibleResident(of, coverage, 0, now);
      return 'admitted';
    } catch (error) {
      assert.ok(error instanceof Problem);
      return error.code;
    }
  };
  const table: [ResidentState | undefined, Coverage | undefined, string][] = [
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
