// The report of a file, for programs and for people.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Import, ImportRow } from '../../imports/schemas.ts';
import { createSyncReport, formatSyncReport, maxReportedRows } from './sync-report.ts';

const file = {
  file: 'residents\n.csv',
  sha256: 'ab',
  bytes: 12,
  result: 'failed',
  reason: { code: 'rows-refused', text: 'Rows are refused (1), and nothing was applied.' },
  reportedUtc: '2026-05-31T22:00:00.000Z',
} as const;
const imported: Import = {
  kid: 'sund-F1',
  kind: 'residents',
  bankKid: 'sund-B1001',
  source: 'portal',
  state: 'planned',
  counts: { create: 1, update: 0, unchanged: 0, missing: 0, refused: 1 },
  outcomes: { applied: 0, stale: 0, failed: 0, undone: 0, kept: 0 },
  missing: 'keep',
  allowPartial: false,
  detected: null,
  fileHash: 'ab',
  fileBytes: 12,
  failure: null,
  createdUtc: '2026-05-31T21:59:00.000Z',
  createdByKid: null,
  changedUtc: '2026-05-31T21:59:01.000Z',
  revision: '4',
};
const row: ImportRow = {
  line: 3,
  key: 't2',
  action: 'refused',
  outcome: null,
  objectKid: null,
  changes: [],
  errors: [{ field: 'name', code: 'required', text: 'name: must not be empty.' }],
};

test('a report has the import, its counts, and each error with line, field, code and text', () => {
  const report = createSyncReport(file, imported, [row]);
  assert.deepEqual(report.rows, [
    { line: 3, key: 't2', field: 'name', code: 'required', text: 'name: must not be empty.' },
  ]);
  assert.equal(report.hasMoreRows, false);
  assert.equal(report.import?.kid, 'sund-F1');
  assert.equal(
    formatSyncReport(report),
    `File: "residents\\n.csv" (12 bytes, SHA-256 ab)
The file was not applied.
Reason: Rows are refused (1), and nothing was applied. (rows-refused)
Import: sund-F1, residents of sund-B1001, planned since 2026-05-31T21:59:01.000Z
Plan: 1 create, 0 update, 0 unchanged, 0 missing, 1 refused
Done: 0 applied, 0 stale, 0 failed, 0 undone, 0 kept
The plan is kept. "portal import apply sund-F1 --tenant sund" applies it all the same.

Rows that were not applied:
line 3, key "t2": name: must not be empty. (required)

Written at 2026-05-31T22:00:00.000Z.
`,
  );
});

test('a report has the first of very many rows, and says that there are more', () => {
  const report = createSyncReport(
    file,
    null,
    Array.from({ length: maxReportedRows + 1 }, () => row),
  );
  assert.deepEqual([report.rows.length, report.hasMoreRows, report.import], [maxReportedRows, true, null]);
  assert.match(formatSyncReport(report), /There are more/);
});
