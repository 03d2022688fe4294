// Reads and writes one file of the cache: a SHA-256 of everything after it, a line of JSON, and the body.

import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeflatedBytes, type CachedBody } from '../../lib/bytes/deflated-bytes.ts';
import { privateFileMode } from '../../lib/bytes/file-modes.ts';

export type Variant = {
  readonly type: string;
  readonly body: CachedBody;
  /** A strong entity tag, with its quotes. */
  readonly etag: string;
  /** Epoch milliseconds of a whole second. */
  readonly renderedAtMs: number;
};

const hashBytes = 32;
const sliceBytes = 1_048_576;

/** Hashes in slices, since hashing a large body in one piece would block the event loop. */
export async function sha256(body: Uint8Array): Promise<Buffer> {
  const sum = createHash('sha256');
  for (let from = 0; from < body.length; from += sliceBytes) {
    if (from > 0) await nextTurn();
    sum.update(body.subarray(from, from + sliceBytes));
  }
  return sum.digest();
}

/** The key is part of the file, so that a renamed file is not taken for another. */
export async function encodeVariant(key: string, { body, ...head }: Variant): Promise<Buffer> {
  const inflatedBytes = body instanceof DeflatedBytes ? body.inflatedBytes : undefined;
  const header = `${JSON.stringify({ key, isText: typeof body === 'string', inflatedBytes, ...head })}\n`;
  const bytes = body instanceof DeflatedBytes ? body.deflated : typeof body === 'string' ? Buffer.from(body) : body;
  const file = Buffer.concat([Buffer.alloc(hashBytes), Buffer.from(header), bytes]);
  (await sha256(file.subarray(hashBytes))).copy(file);
  return file;
}

/** Throws if the file is missing, damaged, or has another key. */
export async function readVariant(path: string, key: string): Promise<Variant> {
  const file = await readFile(path);
  const content = file.subarray(hashBytes);
  if (!file.subarray(0, hashBytes).equals(await sha256(content))) throw new Error('the file is damaged');
  const end = content.indexOf('\n');
  const { key: storedKey, isText, inflatedBytes, ...head } = JSON.parse(content.toString('utf8', 0, end));
  if (storedKey !== key) throw new Error('the file is of another key');
  const stored = content.subarray(end + 1);
  if (isText) return { ...head, body: stored.toString() };
  // A copy, since a slice would keep the whole file in memory.
  const bytes = Buffer.from(new Uint8Array(stored).buffer);
  return { ...head, body: inflatedBytes === undefined ? bytes : new DeflatedBytes(bytes, inflatedBytes) };
}

/** A crash leaves the old file or the new one, and perhaps a temporary one. */
export async function writeFileAtomically(path: string, bytes: Buffer, mtimeMs: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, bytes, { mode: privateFileMode });
    await utimes(temporary, mtimeMs / 1000, mtimeMs / 1000);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}
