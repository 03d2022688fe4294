// Turns a write that a unique key refuses into the problem that it is.

import type { WriteDb } from '../../database/db.ts';
import { Problem } from '../../lib/problem.ts';

/** Throws `code` if the write is refused since another resident has the same already. */
export async function orDuplicateProblem<T>(
  db: WriteDb,
  code: 'user-exists' | 'key-exists',
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw db.dialect.classifyError(error) === 'duplicate' ? new Problem(code) : error;
  }
}
