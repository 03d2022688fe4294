// The problem of one field of a request that only its feature can check.

import { Problem, type PlainProblemCode } from './problem.ts';

/** `path` is as in `query.from`; `message` says what is expected of the field: "must be a date, YYYY-MM-DD". */
export const createFieldProblem = (
  path: string,
  message: string,
  code: PlainProblemCode = 'invalid-request',
): Problem => new Problem(code, { detail: `${path} ${message}`, errors: [{ path, message }] });
