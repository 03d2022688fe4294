// The encryption in chunks: what was written comes back, and no chunk can be changed, moved, left out or repeated.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decryptChunks, deriveKey, encryptChunks } from './chunk-cipher.ts';

const key = deriveKey(Buffer.alloc(32, 1), Buffer.alloc(32, 2), 'first line');
const sealedBytes = 65_536 + 16;

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function collect(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const encrypt = (bytes: Uint8Array, size = 9999): Promise<Buffer> => collect(encryptChunks(key, inPieces(bytes, size)));
const decrypt = (bytes: Uint8Array, size = 70_000): Promise<Buffer> =>
  collect(decryptChunks(key, inPieces(bytes, size), 0));

test('what was encrypted is decrypted, at every length around a chunk, in whatever pieces it comes', async () => {
  for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])
    for (const size of [1000, 65_536, 300_000]) {
      const bytes = Buffer.alloc(length, 'content');
      assert.ok((await decrypt(await encrypt(bytes, size), size)).equals(bytes), `${length} in pieces of ${size}`);
    }
});

test('chunks in another order, or with one missing, repeated or from the end, are refused', async () => {
  const bytes = await encrypt(Buffer.alloc(4 * 65_536 + 10, 'content'));
  const chunks = Array.from({ length: 5 }, (_, index) =>
    bytes.subarray(index * sealedBytes, (index + 1) * sealedBytes),
  );
  const whole = chunks.map((_, index) => index);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 6 }), async (order) => {
      fc.pre(order.join() !== whole.join());
      const moved = Buffer.concat(order.map((at) => chunks[at] ?? Buffer.alloc(0)));
      await assert.rejects(decrypt(moved), { name: 'CopyError' }, order.join());
    }),
    { examples: [[[0, 1, 2, 3]], [[0, 2, 1, 3, 4]], [[0, 1, 1, 2, 3, 4]], [[0, 1, 2, 3, 4, 4]], [[]]] },
  );
});

test('an error names the byte from which on the file is wrong', async () => {
  const bytes = await encrypt(Buffer.alloc(200_000));
  const damaged = Buffer.from(bytes);
  damaged[sealedBytes + 5] = 1 ^ (damaged[sealedBytes + 5] ?? 0);
  await assert.rejects(decrypt(damaged), { message: new RegExp(`from byte ${sealedBytes} on`) });
  await assert.rejects(decrypt(bytes.subarray(0, -1)), {
    message: new RegExp(`cut short.*byte ${3 * sealedBytes} on`),
  });
});

test('each key file, salt and first line has a key of its own', () => {
  const [file, salt] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const keys = [
    deriveKey(file, salt, 'a'),
    deriveKey(file, salt, 'b'),
    deriveKey(file, file, 'a'),
    deriveKey(salt, salt, 'a'),
  ].map((each) => Buffer.from(each).toString('hex'));
  assert.equal(new Set(keys).size, keys.length);
});
