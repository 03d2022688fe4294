// The problem of fields of a request that only their feature can check.

import { Problem, type FieldError, type PlainProblemCode } from './problem.ts';

/** `path` is as in `query.from`; `message` says what is expected of the field: "must be a date, YYYY-MM-DD". */
export const createFieldProblem = (
  path: string,
  message: string,
  code: PlainProblemCode = 'invalid-request',
): Problem => createFieldsProblem([{ path, message }], code);

/** The same for several fields; `detail` is about the first one. */
export function createFieldsProblem(errors: readonly FieldError[], code: PlainProblemCode): Problem {
  const [first] = errors;
  return new Problem(code, { detail: `${first?.path} ${first?.message}`, errors });
}
