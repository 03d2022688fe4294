// Hashes a request, so that a repeated Idempotency-Key shows whether both requests are the same.

import { hash } from 'node:crypto';
import type { Turn } from '../../lib/queues/fair-queue.ts';
import type { HashSecret } from '../requests/http-dependencies.ts';

type HashedRequest = {
  /** Method, path, query and body. */
  readonly text: string;
  /** Identifies the manager and the Idempotency-Key. */
  readonly salt: string;
  /** The body has a secret that is short enough to be guessed, such as a PIN: a fast hash of it would reveal it. */
  readonly hasSecret: boolean;
  readonly turn: Turn;
};

export async function hashRequest(
  { text, salt, hasSecret, turn }: HashedRequest,
  hashSecret: HashSecret,
): Promise<string> {
  if (!hasSecret) return hash('sha256', text);
  return (await hashSecret(text, hash('sha256', salt, 'buffer'), turn)).toString('hex');
}
