// Tests the first and the last time of a document, and whether the document is finished.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDocumentBounds, type DocumentCycles } from './document-bounds.ts';
import { maxDocumentMs } from './document-limits.ts';

const ended: DocumentCycles = { firstAt: 1000, lastAt: 5000, hasEnded: true, syncedAt: null, nextAt: null };
const open: DocumentCycles = { ...ended, hasEnded: false };

const cases: readonly [promise: string, cycles: DocumentCycles, throughMs2000: number, finished: boolean][] = [
  ['a unit that was never synchronised has no finished document', ended, 5000, false],
  [
    '[documents.33] a document is not finished until two minutes after its end',
    { ...ended, syncedAt: 124_999 },
    5000,
    false,
  ],
  ['[documents.33] a document is finished two minutes after its end', { ...ended, syncedAt: 125_000 }, 5000, true],
  ['a document that has ended is not extended', { ...ended, syncedAt: 999_999, nextAt: 8000 }, 5000, true],
  ['an open document of a silent unit ends with its last Cycle', open, 5000, false],
  ['an open document lasts until its unit’s last synchronisation', { ...open, syncedAt: 9000 }, 9000, false],
  ['an open document never ends before its last Cycle', { ...open, syncedAt: 2000 }, 5000, false],
  ['an open document ends before the next one', { ...open, syncedAt: 9000, nextAt: 8000 }, 7999, false],
  [
    'an open document lasts no longer than the limit',
    { ...open, syncedAt: maxDocumentMs * 2 },
    1000 + maxDocumentMs,
    false,
  ],
];

for (const [promise, cycles, throughMs2000, finished] of cases)
  test(promise, () => assert.deepEqual(createDocumentBounds(cycles), { fromMs2000: 1000, throughMs2000, finished }));
