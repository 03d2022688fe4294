// Entity tags: strong ones, of a body's own bytes.

import { createHash, hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';

export const etagOf = (body: Uint8Array): string => `"${hash('sha256', body, 'base64url')}"`;

const sliceBytes = 1024 * 1024;

/** The same, for a body so large that hashing it at once would hold up the event loop. */
export async function etagInSlices(body: Uint8Array): Promise<string> {
  const sum = createHash('sha256');
  for (let from = 0; from < body.length; from += sliceBytes) {
    sum.update(body.subarray(from, from + sliceBytes));
    await turn();
  }
  return `"${sum.digest('base64url')}"`;
}
