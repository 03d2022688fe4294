// The problem of fields of a request that only their feature can check.

import type { FieldFault } from './field-faults.ts';
import { Problem, type FieldError, type PlainProblemCode } from '../problem.ts';

/** `path` is as in `query.from`; the fault says what is expected of the field: "must be a date, YYYY-MM-DD". */
export const createFieldProblem = (
  path: string,
  fault: string | FieldFault,
  code: PlainProblemCode = 'invalid-request',
): Problem => createFieldsProblem([toFieldError(path, typeof fault === 'string' ? { reason: fault } : fault)], code);

export const toFieldError = (path: string, { reason, ...fault }: FieldFault): FieldError => ({
  path,
  message: reason,
  ...fault,
});

/** Creates the problem of several fields; `detail` is about the first one. */
export function createFieldsProblem(errors: readonly FieldError[], code: PlainProblemCode): Problem {
  const [first] = errors;
  return new Problem(code, { detail: `${first?.path} ${first?.message}`, errors });
}
