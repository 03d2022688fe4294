// An operation's answers: its success with the example recorded from the service, and each error status with its codes.

import { Problem, problems, type ProblemCode } from '../../lib/problem.ts';
import { problemBody } from '../error-reply.ts';
import { isConditional, successStatus, type Operation } from '../operation.ts';
import { ProblemSchema, type Components, type Json } from './components.ts';
import { exampleTarget, type Example } from './examples.ts';
import { answerHeaders, limitFields, successFields, type AnsweredField } from './headers.ts';
import { problemsByStatus, reasonsOf } from './problem-codes.ts';

/** The spellings of JSON that an answer can have. */
const answerTypes = ['application/json', 'text/json', 'text/plain'];

export function responsesOf(components: Components, operation: Operation, example: Example | undefined): Json {
  const notModified = {
    description: 'What If-None-Match names still holds.',
    headers: successHeaders(components, operation),
  };
  const errors = problemsByStatus(operation).map(([status, codes]) => [
    status,
    errorResponse(components, status, codes, status === 403 ? reasonsOf(operation) : []),
  ]);
  return {
    [successStatus(operation)]: success(components, operation, example),
    ...(isConditional(operation) ? { 304: notModified } : {}),
    ...Object.fromEntries(errors),
  };
}

const successHeaders = (components: Components, operation: Operation): Json =>
  answerHeaders(components, successFields(operation));

function success(components: Components, operation: Operation, example: Example | undefined): Json {
  const { answer, media, files } = operation;
  const types = media ?? files;
  const headers = successHeaders(components, operation);
  if (types !== undefined && answer === undefined)
    return { description: 'Success.', headers, content: Object.fromEntries(types.map((type) => [type, bytes(type)])) };
  if (answer === undefined) return { description: 'Done.', headers };
  const json = { schema: components.schema(answer), ...recordedExample(components, operation, example) };
  return {
    description: 'Success.',
    headers,
    content: Object.fromEntries((types ?? answerTypes).map((type) => [type, json])),
  };
}

const bytes = (type: string): Json => ({
  schema: type === 'image/svg+xml' ? { type: 'string' } : { type: 'string', format: 'binary' },
});

function recordedExample(components: Components, operation: Operation, example: Example | undefined): Json {
  if (example?.response === undefined) return {};
  const { body } = example.response;
  const summary = `${operation.method} ${exampleTarget(operation, example)}`;
  return {
    examples: { recorded: components.refer('examples', `${operation.id}Answer`, () => ({ summary, value: body })) },
  };
}

/** A status with one code is a shared response, named after the code. */
function errorResponse(
  components: Components,
  status: number,
  codes: readonly ProblemCode[],
  reasons: readonly string[],
): Json {
  const [code] = codes;
  const make = (): Json => describeErrors(components, status, codes, reasons);
  return codes.length === 1 && code !== undefined && reasons.length === 0
    ? components.refer('responses', code, make)
    : make();
}

function describeErrors(
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
    codes.map((code) => [code, components.refer('examples', code, () => problemExample(code))]),
  );
  return {
    description: [...lines, ...known].join('\n'),
    headers: answerHeaders(components, errorFields(status, codes)),
    content: { 'application/problem+json': { schema, examples } },
  };
}

function errorFields(status: number, codes: readonly ProblemCode[]): AnsweredField[] {
  const canRetry = codes.some((code) => 'retryAfterSeconds' in problems[code]);
  return [
    'X-Request-Id',
    ...(canRetry ? (['Retry-After'] as const) : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...limitFields,
  ];
}

// What the error reply itself makes of the code, under the trace of the W3C's own example.
const problemExample = (code: ProblemCode): Json => ({
  summary: problems[code].title,
  value: problemBody(new Problem(code), '4bf92f3577b34da6a3ce929d0e0e4736'),
});
