// Tests that bytes are deflated and inflated without a change, in pieces of any size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { bytesOf } from '../../../test/support/cached-bodies.ts';
import { deflatePieces, heldBytesOf } from './deflated-bytes.ts';

async function* listPieces(pieces: readonly Uint8Array[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    const lent = Buffer.from(piece);
    yield lent;
    // A piece is valid until the next one is requested.
    lent.fill(0);
  }
}

test('what is inflated is what was deflated, whatever its pieces', async () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(pieces, async (given) => {
      const body = await deflatePieces(listPieces(given));
      const content = Buffer.concat(given);
      assert.ok(content.equals(await bytesOf(body)));
      assert.equal(body.inflatedBytes, content.length);
    }),
    { numRuns: 100 },
  );
});

test('a stream that nobody reads inflates a few pieces and no more', async () => {
  const body = await deflatePieces(listPieces(Array.from({ length: 20 }, () => Buffer.alloc(1_000_000))));
  assert.ok(heldBytesOf(body) < 100_000, `${heldBytesOf(body)} bytes`);
  const stream = body.inflate();
  stream.read(0);
  await pause(200);
  assert.ok(stream.readableLength > 0 && stream.readableLength <= 262_144, `${stream.readableLength} bytes`);
  stream.destroy();
});

test('what fails while the pieces are made is thrown', async () => {
  const failing = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.alloc(100_000);
    throw new Error('no more pixels');
  };
  await assert.rejects(deflatePieces(failing()), /no more pixels/);
});
