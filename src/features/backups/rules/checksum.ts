// Ends a backup with the SHA-256 of everything before it, the first line included, and checks it.

import { createHash } from 'node:crypto';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';

const digestBytes = 32;

export async function* appendChecksum(
  prelude: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256').update(prelude);
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  yield hash.digest();
}

/** Gives what is before the checksum, and throws at the end if that is not what was written. */
export async function* checkChecksum(
  prelude: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256').update(prelude);
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    const all = Buffer.concat([held, chunk]);
    const end = Math.max(0, all.length - digestBytes);
    const checked = all.subarray(0, end);
    held = all.subarray(end);
    if (checked.length === 0) continue;
    hash.update(checked);
    yield checked;
  }
  if (!hash.digest().equals(held))
    throw new CopyError('is damaged or cut short: its SHA-256 is not the one at its end');
}
