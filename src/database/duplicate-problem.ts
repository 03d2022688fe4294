// Turns the refusal of a unique key into the problem that it means.

import type { WriteDb } from './db.ts';
import { Problem, type PlainProblemCode } from '../lib/problem.ts';

/** Throws `code` if the write is refused since another row has the same key already. */
export async function orDuplicateProblem<T>(db: WriteDb, code: PlainProblemCode, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw db.dialect.classifyError(error) === 'duplicate' ? new Problem(code) : error;
  }
}
