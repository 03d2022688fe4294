// The last lines of a text that comes in pieces, against the text as a whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ByteTail } from './byte-tail.ts';

test('the last bytes are kept, however the text was divided, and a line that is cut is left out', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'æ', '€', '😀'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(9)), fc.integer({ min: 1, max: 80 }), (whole, sizes, maxBytes) => {
      const bytes = Buffer.from(whole);
      const tail = new ByteTail(maxBytes);
      let at = 0;
      for (const size of sizes) {
        tail.push(bytes.subarray(at, at + size));
        at = Math.min(bytes.length, at + size);
      }
      tail.push(bytes.subarray(at));
      assert.equal(tail.readBytes, bytes.length);
      const { lines, isCut } = tail.readLines();
      assert.equal(isCut, bytes.length > maxBytes);
      const all = whole.endsWith('\n') || whole === '' ? whole.split('\n').slice(0, -1) : whole.split('\n');
      if (!isCut) assert.deepEqual(lines, all);
      // Of a single line without an end, the last part is shown.
      else if (bytes.subarray(-maxBytes).includes('\n'))
        assert.deepEqual(lines, lines.length === 0 ? [] : all.slice(-lines.length));
    }),
    { numRuns: 500 },
  );
});

test('bytes that are not UTF-8 become U+FFFD, and Windows line ends are line ends', () => {
  const tail = new ByteTail(100);
  tail.push(Buffer.from([0x61, 0xc3, 0x28, 0x0d, 0x0a, 0x62]));
  assert.deepEqual(tail.readLines(), { lines: ['a\uFFFD(', 'b'], isCut: false });
});

test('many very small pieces are kept quickly', () => {
  const tail = new ByteTail(100_000);
  const piece = Buffer.from('x');
  const startedMs = performance.now();
  for (let index = 0; index < 200_000; index += 1) tail.push(piece);
  assert.ok(performance.now() - startedMs < 2000);
  assert.deepEqual(tail.readLines(), { lines: ['x'.repeat(100_000)], isCut: true });
});

test('only the last bytes stay in memory', () => {
  const tail = new ByteTail(1000);
  for (let index = 0; index < 10_000; index += 1) tail.push(Buffer.from(`line ${index}\n`));
  const { lines, isCut } = tail.readLines();
  assert.equal(lines.at(-1), 'line 9999');
  assert.ok(isCut && Buffer.byteLength(lines.join('\n')) < 1000);
});
