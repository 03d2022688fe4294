// Compares each problem that a service answers with what its operation declares, whatever client has asked.

import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { problemsByStatus } from '../../src/http/openapi/problem-codes.ts';
import type { Operation } from '../../src/http/operations/operation.ts';

/** Returns the undeclared problems, such as `GetBankUsers: 400 invalid-user`. Must be called before the service listens. */
export function watchProblems(app: FastifyInstance, operations: readonly Operation[]): ReadonlySet<string> {
  const declared = new Set(operations.flatMap(listDeclaredProblems));
  const undeclared = new Set<string>();
  app.addHook('onResponse', (request, reply, done) => {
    const { operationId, problemCode } = request.requestContext;
    if (operationId !== undefined && problemCode !== undefined) {
      const problem = formatProblem(operationId, reply.statusCode, problemCode);
      if (!declared.has(problem)) undeclared.add(problem);
    }
    done();
  });
  return undeclared;
}

export const assertDeclared = (undeclaredProblems: ReadonlySet<string>): void =>
  assert.deepEqual([...undeclaredProblems], [], 'problems that their operations do not declare');

const listDeclaredProblems = (operation: Operation): string[] =>
  problemsByStatus(operation).flatMap(([status, codes]) =>
    codes.map((code) => formatProblem(operation.id, status, code)),
  );

const formatProblem = (operationId: string, status: number, code: string): string =>
  `${operationId}: ${status} ${code}`;
