// The problems of account reads. They answer 403 with a reason where other operations answer 404, as specified.

import { StorageError } from '../../../database/errors.ts';
import { Problem } from '../../../lib/problem.ts';

/** The answer is the same whether the object does not exist or is not visible. */
export const createNotVisibleProblem = (reason: string): Problem =>
  new Problem('forbidden', { reason, detail: 'The object does not exist or is not visible to this manager.' });

/** What an account read throws for an error of its read: a problem if storage failed, otherwise the error itself. */
export function toAccountReadError(error: unknown, { period }: { readonly period: number | undefined }): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.failure === 'text-comparison') return new Problem('storage-text-comparison', { cause: error });
  const isPeriodTimeout = period !== undefined && error.failure === 'timeout';
  return new Problem(isPeriodTimeout ? 'periods-timeout' : 'storage-timeout', { cause: error });
}
