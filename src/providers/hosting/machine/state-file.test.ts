// The text of a file of measurements: it comes back as it was written, and anything else is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf, formatState, parseState } from './state-file.ts';

const state = {
  instance: '8080',
  starts: 3,
  sentBytes: new Map([['2026-05-31', 18_446_744_073_709_551_615n]]),
  samples: [
    {
      atMs: 1_780_000_000_000,
      cpuPercent: 1.25,
      memoryPercent: null,
      restarts: 2,
      databaseCpuPercent: null,
      databaseMemoryPercent: 7,
      diskPercent: 42,
      connections: 12,
    },
  ],
};

test('a state comes back as it was written, with exact bytes', () => {
  assert.deepEqual(parseState(formatState(state)), state);
});

test('a text that is no state is refused', () => {
  const good = JSON.parse(formatState(state)) as Record<string, unknown>;
  const texts = [
    '',
    '{',
    'null',
    '[]',
    JSON.stringify({ ...good, version: 2 }),
    JSON.stringify({ ...good, starts: '3' }),
    JSON.stringify({ ...good, sentBytes: { '2026-05-31': 'x' } }),
    JSON.stringify({ ...good, samples: [[1]] }),
    JSON.stringify({ ...good, samples: [['x', 1, 1, 1, 1, 1, 1, 1]] }),
    JSON.stringify({ ...good, samples: [[1, 'x', 1, 1, 1, 1, 1, 1]] }),
  ];
  for (const text of texts) assert.throws(() => parseState(text), Error, text);
});

test('the name of a file leads nowhere else', () => {
  assert.equal(fileNameOf('8080'), '8080.json');
  assert.equal(fileNameOf('../a/b:1'), '.._a_b_1.json');
});
