// Hashes a request, so that a repeated Idempotency-Key shows whether it is for the same one.

import { argon2, createHash } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/** OWASP's minimum for Argon2id, as for passwords. */
const argon2Parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

export type HashedRequest = {
  /** Method, path, query and body. */
  readonly text: string;
  /** Whose key it is. */
  readonly salt: string;
  /** The body has a secret that is short enough to be guessed, such as a PIN: a fast hash of it would tell it. */
  readonly hasSecret: boolean;
};

export async function hashRequest({ text, salt, hasSecret }: HashedRequest): Promise<string> {
  if (!hasSecret) return createHash('sha256').update(text).digest('hex');
  const nonce = createHash('sha256').update(salt).digest();
  return (await argon2Async('argon2id', { message: text, nonce, ...argon2Parameters })).toString('hex');
}
