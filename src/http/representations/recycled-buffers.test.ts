// A buffer is reused only when none of its bytes are on their way.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecycledBuffers } from './recycled-buffers.ts';

const bytes = 8;

test('a buffer is reused once all of it has been sent; until then `take` returns a new one', () => {
  const buffers = new RecycledBuffers(bytes, 3);
  const first = buffers.take(0);
  buffers.give(first, bytes);
  const second = buffers.take(1);
  assert.notEqual(second, first);
  buffers.give(second, bytes);
  // Only the second buffer may be on its way.
  assert.equal(buffers.take(bytes), first);
  buffers.give(first, bytes);
  assert.notEqual(buffers.take(bytes + 1), second);
  assert.equal(buffers.take(0), second);
  assert.notEqual(buffers.take(Number.POSITIVE_INFINITY), first);
});

test('however slowly the bytes are sent, no buffer on its way is filled again', () => {
  // In each round a piece is handed on, and some of the waiting bytes are sent.
  const turns = fc.array(fc.tuple(fc.integer({ min: 1, max: bytes }), fc.nat(3 * bytes)), { maxLength: 60 });
  fc.assert(
    fc.property(turns, (steps) => {
      const buffers = new RecycledBuffers(bytes, 3);
      const waiting: { buffer: Buffer; left: number }[] = [];
      for (const [length, sent] of steps) {
        const buffer = buffers.take(waiting.reduce((sum, { left }) => sum + left, 0));
        assert.ok(!waiting.some((each) => each.buffer === buffer));
        buffers.give(buffer, length);
        waiting.push({ buffer, left: length });
        for (let left = sent; left > 0 && waiting[0] !== undefined;) {
          const part = Math.min(left, waiting[0].left);
          waiting[0].left -= part;
          left -= part;
          if (waiting[0].left === 0) waiting.shift();
        }
      }
    }),
  );
});
