// The newest lines of the log, against the list of all lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createRecentLogLines } from './recent-log-lines.ts';

test('the newest lines are kept, as many as have room', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 20 }), { maxLength: 60 }),
      fc.integer({ min: 20, max: 200 }),
      (all, limit) => {
        const recent = createRecentLogLines(limit);
        for (const line of all) recent.write(line);
        const kept = [...recent.newestFirst()].toReversed();
        assert.deepEqual(kept, all.slice(all.length - kept.length));
        const characters = kept.reduce((sum, { length }) => sum + length, 0);
        assert.ok(characters <= limit);
        assert.equal(recent.isCut(), kept.length < all.length);
        if (kept.length < all.length) assert.ok(characters + (all.at(-kept.length - 1)?.length ?? 0) > limit);
      },
    ),
  );
});

test('a hundred thousand lines leave no more in memory than the limit', () => {
  const recent = createRecentLogLines(10_000);
  for (let at = 0; at < 100_000; at += 1) recent.write(`line ${at}`);
  const kept = [...recent.newestFirst()];
  assert.equal(kept[0], 'line 99999');
  assert.ok(kept.length < 1100 && kept.length > 900);
});
