// Formats and parses cursors, which say where a page of a list begins. A cursor is encrypted and authenticated.

import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The two keys of a tenant, of 32 bytes each. All replicas share a tenant's keys: each replica accepts the cursors of
 * the others, and refuses altered or made-up cursors.
 */
export type CursorKey = { readonly authentication: Buffer; readonly encryption: Buffer };

const codeBytes = 16;
const algorithm = 'aes-256-ctr';

/**
 * `binding` names the list: a cursor of this list is not valid for another list.
 *
 * A cursor is encrypted, because a cursor can contain names. A cursor is authenticated by the generic composition of
 * RFC 5297: the message authentication code of the text is the initialisation vector of the encryption. The same text
 * always has the same cursor, so a list that has not changed keeps its ETag.
 */
export function formatCursor(value: unknown, binding: string, key: CursorKey): string {
  const text = Buffer.from(JSON.stringify(value));
  const code = computeCode(text, binding, key);
  const cipher = createCipheriv(algorithm, key.encryption, code);
  return Buffer.concat([code, cipher.update(text), cipher.final()]).toString('base64url');
}

/** Undefined for a text that {@link formatCursor} did not return for this binding and key. */
export function parseCursor(cursor: string, binding: string, key: CursorKey): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips characters that are not base64url.
  if (bytes.length <= codeBytes || bytes.toString('base64url') !== cursor) return undefined;
  const code = bytes.subarray(0, codeBytes);
  const decipher = createDecipheriv(algorithm, key.encryption, code);
  const text = Buffer.concat([decipher.update(bytes.subarray(codeBytes)), decipher.final()]);
  return timingSafeEqual(code, computeCode(text, binding, key)) ? JSON.parse(text.toString()) : undefined;
}

/** The length keeps the binding and the text apart. */
const computeCode = (text: Buffer, binding: string, { authentication }: CursorKey): Buffer =>
  createHmac('sha256', authentication)
    .update(`${Buffer.byteLength(binding)} ${binding}`)
    .update(text)
    .digest()
    .subarray(0, codeBytes);
