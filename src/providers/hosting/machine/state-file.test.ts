// The text of a file of measurements: it is read back as it was written, and any other text is refused.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readState, stateFileName, writeState } from './state-file.ts';

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

const fileName = stateFileName('8080');
let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'state-file-'));
});
after(() => rm(folder, { recursive: true }));

test('a state is read back as it was written, with exact byte counts', async () => {
  assert.equal(await readState(folder, fileName), undefined);
  await writeState(folder, fileName, state);
  assert.deepEqual(await readState(folder, fileName), state);
});

test('a text that is not a state is refused', async () => {
  await writeState(folder, fileName, state);
  const good = JSON.parse(await readFile(join(folder, fileName), 'utf8')) as Record<string, unknown>;
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
  for (const text of texts) {
    await writeFile(join(folder, fileName), text);
    await assert.rejects(readState(folder, fileName), Error, text);
  }
});

test('the name of a file cannot lead out of the folder', () => {
  assert.equal(stateFileName('8080'), '8080.json');
  assert.equal(stateFileName('../a/b:1'), '.._a_b_1.json');
});
