// Whether a failed write was refused, so that nothing was done, or may have been done all the same.

import type { Problem } from '../api/problem.ts';

/** Nobody knows the outcome if there was no answer, or one that says so: the write may have been done. */
export const isUncertain = ({ status, code }: Pick<Problem, 'status' | 'code'>): boolean =>
  status === 0 || status >= 500 || code === 'idempotency-in-progress';

/** An Idempotency-Key. It does not need a secure context, as `randomUUID` does. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
