// The newest lines of the log, against the list of all lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createRecentLogLines } from './recent-log-lines.ts';

const anyLine = fc.string({ maxLength: 20, unit: 'grapheme' }).map((text) => `${text.replaceAll(/\n/g, '')}\n`);
const bytesOf = (lines: readonly string[]): number => Buffer.byteLength(lines.join(''));

/** A line, and whether the time of a batch is over after it. */
const anyWrite = fc.tuple(anyLine, fc.boolean());

test('the newest lines are kept, at least as many bytes as the limit, and not much more; every line is handed on', () => {
  fc.assert(
    fc.property(fc.array(anyWrite, { maxLength: 200 }), fc.integer({ min: 20, max: 400 }), (writes, limit) => {
      const recent = createRecentLogLines(limit);
      const handedOn: Buffer[] = [];
      recent.onBatch((batch) => handedOn.push(batch));
      for (const [line, isTimeOver] of writes) {
        recent.write(line);
        if (isTimeOver) recent.endBatch();
      }
      const all = writes.map(([line]) => line);
      const kept = [...recent.newestFirst()].toReversed();
      assert.deepEqual(kept, all.slice(all.length - kept.length));
      assert.equal(recent.isCut(), kept.length < all.length);
      recent.endBatch();
      assert.equal(Buffer.concat(handedOn).toString(), all.join(''));
      if (recent.isCut()) assert.ok(bytesOf(kept) >= limit);
      // Two batches more, each with a line more.
      const longest = Math.max(0, ...all.map((line) => Buffer.byteLength(line)));
      assert.ok(bytesOf(kept) <= limit + 2 * (4 * Math.ceil(limit / 16) + longest));
    }),
  );
});

test('a hundred thousand lines leave no more in memory than the limit', () => {
  const recent = createRecentLogLines(10_000);
  for (let index = 0; index < 100_000; index += 1) recent.write(`line ${index}\n`);
  const kept = [...recent.newestFirst()];
  assert.equal(kept[0], 'line 99999\n');
  assert.ok(kept.length < 1000 && kept.length > 800, String(kept.length));
});
