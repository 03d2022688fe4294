// Every code of a problem that an operation can answer with.

import { problemsByStatus } from '../../src/http/openapi/problem-codes.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import type { ProblemCode } from '../../src/lib/problem.ts';

export const problemCodesOf = (operation: Operation): ProblemCode[] =>
  problemsByStatus(operation).flatMap(([, codes]) => codes);
