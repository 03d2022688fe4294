// Makes the responses of an operation: its success with an example recorded from the service, and each error status with
// its codes.

import { Problem, problems, type ProblemCode } from '../../lib/problem.ts';
import { formatProblemBody } from '../error-reply.ts';
import type { Operation } from '../operation.ts';
import { isConditional, successStatus } from '../operation-properties.ts';
import type { Components, Json } from './components.ts';
import { exampleRequestTarget, type Example } from './examples.ts';
import { responseHeaders, rateLimitHeaders, successHeaderKeys, type ResponseHeaderKey } from './headers.ts';
import { problemsByStatus, missingRightReasonsOf } from './problem-codes.ts';
import { ProblemSchema } from './problem-schema.ts';

/** The media types that a JSON response can have. */
const jsonResponseTypes = ['application/json', 'text/json', 'text/plain'];

export function responsesOf(components: Components, operation: Operation, example: Example | undefined): Json {
  const notModified = {
    description: 'Not modified since the `ETag` of If-None-Match.',
    headers: successHeaders(components, operation),
  };
  const errors = problemsByStatus(operation).map(([status, codes]) => [
    status,
    errorResponseOrReference(components, status, codes, status === 403 ? missingRightReasonsOf(operation) : []),
  ]);
  return {
    [successStatus(operation)]: successResponse(components, operation, example),
    ...(isConditional(operation) ? { 304: notModified } : {}),
    ...Object.fromEntries(errors),
  };
}

const successHeaders = (components: Components, operation: Operation): Json =>
  responseHeaders(components, successHeaderKeys(operation));

function successResponse(components: Components, operation: Operation, example: Example | undefined): Json {
  const { response, representationTypes, downloadTypes } = operation;
  const types = representationTypes ?? downloadTypes;
  const headers = successHeaders(components, operation);
  if (types !== undefined && response === undefined)
    return {
      description: 'Success.',
      headers,
      content: Object.fromEntries(types.map((type) => [type, binaryContent(type)])),
    };
  if (response === undefined) return { description: 'Done.', headers };
  const json = { schema: components.schema(response), ...responseExample(components, operation, example) };
  return {
    description: 'Success.',
    headers,
    content: Object.fromEntries((types ?? jsonResponseTypes).map((type) => [type, json])),
  };
}

const binaryContent = (type: string): Json => ({
  schema: type === 'image/svg+xml' ? { type: 'string' } : { type: 'string', format: 'binary' },
});

function responseExample(components: Components, operation: Operation, example: Example | undefined): Json {
  if (example?.response === undefined) return {};
  const { body } = example.response;
  const summary = `${operation.method} ${exampleRequestTarget(operation, example)}`;
  return {
    examples: { recorded: components.reference('examples', `${operation.id}Answer`, () => ({ summary, value: body })) },
  };
}

/** A status with one code is a shared response that has the name of the code. */
function errorResponseOrReference(
  components: Components,
  status: number,
  codes: readonly ProblemCode[],
  reasons: readonly string[],
): Json {
  const [code] = codes;
  const make = (): Json => createErrorResponse(components, status, codes, reasons);
  return codes.length === 1 && code !== undefined && reasons.length === 0
    ? components.reference('responses', code, make)
    : make();
}

function createErrorResponse(
  components: Components,
  status: number,
  codes: readonly ProblemCode[],
  reasons: readonly string[],
): Json {
  const lines = codes.map((code) => `- \`${code}\`: ${problems[code].title}`);
  const known = reasons.length === 0 ? [] : [`\nReasons: ${reasons.map((reason) => `\`${reason}\``).join(', ')}.`];
  const schema = {
    allOf: [
      components.schema(ProblemSchema),
      { type: 'object', properties: { status: { const: status }, code: { enum: codes } } },
    ],
  };
  const examples = Object.fromEntries(
    codes.map((code) => [code, components.reference('examples', code, () => problemExample(code))]),
  );
  return {
    description: [...lines, ...known].join('\n'),
    headers: responseHeaders(components, errorHeaderKeys(status, codes)),
    content: { 'application/problem+json': { schema, examples } },
  };
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

// The body that the service sends for the code, with the trace id of the W3C's example.
const problemExample = (code: ProblemCode): Json => ({
  summary: problems[code].title,
  value: formatProblemBody(new Problem(code), '4bf92f3577b34da6a3ce929d0e0e4736'),
});
