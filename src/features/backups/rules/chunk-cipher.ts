// Encrypts a stream in chunks with AES-256-GCM as the STREAM construction does (Hoang, Reyhanitabar, Rogaway, Vizár:
// Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance, 2015): the nonce of a chunk is its number and
// whether it is the last one, so that no chunk can be left out, moved, repeated or added.

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';

const chunkBytes = 65_536;
const tagBytes = 16;
const nonceBytes = 12;
const keyBytes = 32;
const algorithm = 'aes-256-gcm';

/** Each backup has a key of its own, since its salt is random: nonces can count from zero. */
export const deriveKey = (keyFile: Uint8Array, salt: Uint8Array, prelude: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', keyFile, salt, prelude, keyBytes));

export async function* encryptChunks(
  key: Uint8Array,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const { chunk, number, isLast } of cutIntoChunks(source, chunkBytes)) {
    const cipher = createCipheriv(algorithm, key, formatNonce(number, isLast));
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  }
}

/** `offset` is where the first chunk begins in the file. */
export async function* decryptChunks(
  key: Uint8Array,
  source: AsyncIterable<Uint8Array>,
  offset: number,
): AsyncGenerator<Uint8Array, void> {
  const sealedBytes = chunkBytes + tagBytes;
  for await (const { chunk, number, isLast } of cutIntoChunks(source, sealedBytes)) {
    const opened = openChunk(key, chunk, formatNonce(number, isLast));
    if (opened === undefined) throw new CopyError(explainChunk(number, isLast, offset + number * sealedBytes));
    yield opened;
  }
}

/** Undefined where the chunk is not what was written with this key and nonce. */
function openChunk(key: Uint8Array, chunk: Buffer, nonce: Uint8Array): Uint8Array | undefined {
  if (chunk.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, key, nonce);
  decipher.setAuthTag(chunk.subarray(-tagBytes));
  const opened = decipher.update(chunk.subarray(0, -tagBytes));
  try {
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    // The only reason for which it throws: the tag is not that of the chunk.
    return undefined;
  }
}

function explainChunk(number: number, isLast: boolean, from: number): string {
  const where = `from byte ${from} on`;
  if (number === 0) return `cannot be decrypted: the key file is another one, or the file is damaged ${where}`;
  return isLast
    ? `is cut short or damaged ${where}`
    : `is damaged ${where}, or a part of it is missing or out of place`;
}

function formatNonce(number: number, isLast: boolean): Uint8Array {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce[nonceBytes - 1] = isLast ? 1 : 0;
  return nonce;
}

type Chunk = { readonly chunk: Buffer; readonly number: number; readonly isLast: boolean };

/** All chunks have this size but the last one, which may be smaller. */
async function* cutIntoChunks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk, void> {
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const piece of source) {
    rest = Buffer.concat([rest, piece]);
    for (; rest.length > size; number += 1) {
      yield { chunk: rest.subarray(0, size), number, isLast: false };
      rest = rest.subarray(size);
    }
  }
  yield { chunk: rest, number, isLast: true };
}
