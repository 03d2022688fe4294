// Creates the error responses of an operation: each status with its codes, their reasons and examples.

import { problems, reasonsOfCode, type ProblemCode } from '../../lib/problem.ts';
import { formatProblemBody } from '../responses/error-reply.ts';
import type { Operation } from '../operations/operation.ts';
import type { Components, Json } from './components.ts';
import { rateLimitHeaders, responseHeaders, type ResponseHeaderKey } from './headers.ts';
import { problemReasonsOf } from './problem-codes.ts';
import { listExtensionMembers, problemSchemaOf } from './problem-schema.ts';

/** A code that an operation can answer with, and its possible reasons there. */
type PossibleProblem = { readonly code: ProblemCode; readonly reasons: readonly string[] };

/** The responses with these codes, by status. */
export const errorResponses = (
  components: Components,
  operation: Operation,
  byStatus: readonly (readonly [status: number, codes: readonly ProblemCode[]])[],
): Json =>
  Object.fromEntries(
    byStatus.map(([status, codes]) => {
      const possible = codes.map((code) => ({ code, reasons: problemReasonsOf(operation, code) }));
      return [status, errorResponseReference(components, status, possible)];
    }),
  );

/** Operations with the same codes and reasons share a response, whose name lists them. */
function errorResponseReference(components: Components, status: number, possible: readonly PossibleProblem[]): Json {
  const name = possible.flatMap(({ code, reasons }) => [code, ...reasonsInName(code, reasons)]).join('.');
  return components.reference('responses', name, () => createErrorResponse(components, status, possible));
}

/** The reasons of the catalogue are the same everywhere. */
const reasonsInName = (code: ProblemCode, reasons: readonly string[]): readonly string[] =>
  reasonsOfCode(code).length === 0 ? reasons : [];

function createErrorResponse(components: Components, status: number, possible: readonly PossibleProblem[]): Json {
  const codes = possible.map(({ code }) => code);
  const examples = possible.map((problem) => [problem.code, exampleReference(components, status, problem)]);
  const schema = problemSchemaOf(components, codes);
  return {
    description: possible.map(describeProblem).join('\n'),
    headers: responseHeaders(components, errorHeaderKeys(status, codes)),
    content: { 'application/problem+json': { schema, examples: Object.fromEntries(examples) } },
  };
}

function describeProblem({ code, reasons }: PossibleProblem): string {
  const list = reasons.map((reason) => `\`${reason}\``).join(', ');
  return `- \`${code}\`: ${problems[code].title}${reasons.length === 0 ? '' : ` Reasons: ${list}.`}`;
}

function errorHeaderKeys(status: number, codes: readonly ProblemCode[]): ResponseHeaderKey[] {
  const canRetry = codes.some((code) => 'retryAfterSeconds' in problems[code]);
  return [
    'X-Request-Id',
    ...(canRetry ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...rateLimitHeaders,
  ];
}

function exampleReference(components: Components, status: number, { code, reasons: [reason] }: PossibleProblem): Json {
  const unusualStatus = status === problems[code].status ? [] : [status];
  const name = [code, ...(reason === undefined ? [] : [reason]), ...unusualStatus].join('.');
  return components.reference('examples', name, () => problemExample(code, status, reason));
}

// The body that the service sends for the code, with the trace id of the W3C's example.
function problemExample(code: ProblemCode, status: number, reason: string | undefined): Json {
  const { title } = problems[code];
  const extensions = Object.fromEntries(listExtensionMembers(code).map(({ name, example }) => [name, example]));
  const details = { extensions, ...(reason === undefined ? {} : { reason }) };
  return { summary: title, value: formatProblemBody({ code, status, details }, '4bf92f3577b34da6a3ce929d0e0e4736') };
}
