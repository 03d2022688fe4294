// Which files of a folder are complete, and in which order they are taken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncomingFiles } from './sync-config.ts';
import { retryDelayMs, selectFiles, watchFiles, type SeenFile } from './settled-files.ts';

const entry = (pattern: string, bankId: number): IncomingFiles => ({
  pattern,
  kind: 'residents',
  bankId,
  profile: undefined,
  missing: 'keep',
  allowPartial: false,
  maxMissing: undefined,
  maxChanges: undefined,
});
const incoming = [entry('a-*', 1), entry('b-*', 2), entry('c-*', 1)];
const seen = (name: string, size = 1, mtime = 1, inode = 1): SeenFile => ({
  name,
  size: BigInt(size),
  mtimeNs: BigInt(mtime),
  inode: BigInt(inode),
});
const settleMs = 10_000;

test('[sync.01] a file is complete when nothing of it has changed for the settle time', () => {
  let watched = watchFiles(new Map(), [seen('a-1')], 0);
  const ready = (nowMs: number): string[] =>
    selectFiles(incoming, watched, { nowMs, settleMs }).ready.map(({ file }) => file.name);
  assert.deepEqual(ready(9999), []);
  assert.deepEqual(ready(10_000), ['a-1']);
  for (const other of [seen('a-1', 2), seen('a-1', 1, 2), seen('a-1', 1, 1, 2)]) {
    const changedAt = 20_000;
    const changed = watchFiles(watched, [other], changedAt);
    assert.deepEqual(selectFiles(incoming, changed, { nowMs: changedAt + 9999, settleMs }).ready, []);
    assert.equal(selectFiles(incoming, changed, { nowMs: changedAt + 10_000, settleMs }).ready.length, 1);
  }
  watched = watchFiles(watched, [seen('a-1')], 30_000);
  assert.deepEqual(ready(30_000), ['a-1']);
  watched = watchFiles(watchFiles(watched, [], 30_000), [seen('a-1')], 30_000);
  assert.deepEqual(ready(30_000), []);
});

test('[sync.02] files are taken in the order of their names, and wait for an earlier one of the same kind and bank', () => {
  const old = watchFiles(new Map(), [seen('b-2'), seen('a-2'), seen('c-1'), seen('b-10'), seen('d')], 0);
  const watched = watchFiles(old, [...Array.from(old.values(), ({ file }) => file), seen('a-1')], 5000);
  const selected = selectFiles(incoming, watched, { nowMs: 10_000, settleMs });
  assert.deepEqual(
    selected.ready.map(({ file, incoming: { pattern } }) => [file.name, pattern]),
    [
      ['b-10', 'b-*'],
      ['b-2', 'b-*'],
    ],
  );
  assert.deepEqual(selected.waiting, ['a-1', 'a-2', 'c-1']);
  assert.deepEqual(selected.others, [{ name: 'd', reason: 'no pattern of the config matches its name' }]);
  const later = selectFiles(incoming, watched, { nowMs: 15_000, settleMs });
  assert.deepEqual(
    later.ready.map(({ file }) => file.name),
    ['a-1', 'a-2', 'b-10', 'b-2', 'c-1'],
  );
});

test('names that are being written, and hidden ones, are not seen; one that is too long stays', () => {
  const long = `a-${'x'.repeat(200)}`;
  const watched = watchFiles(new Map(), [seen('a-1.part'), seen('.a-1'), seen(long)], 0);
  assert.deepEqual(selectFiles(incoming, watched, { nowMs: 99_999, settleMs }), {
    ready: [],
    waiting: [],
    others: [{ name: long, reason: 'its name is too long' }],
  });
});

test('a file that could not be worked on is tried after longer and longer times, of an hour at most', () => {
  assert.deepEqual(
    [1, 2, 3, 8, 99].map((attempts) => retryDelayMs(attempts, 30_000)),
    [30_000, 60_000, 120_000, 3_600_000, 3_600_000],
  );
});
