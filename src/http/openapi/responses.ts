// Creates the responses of an operation: its success with an example recorded from the service, and its errors.

import type { Operation } from '../operations/operation.ts';
import { isConditional } from '../operations/operation-properties.ts';
import type { Components, Json } from './components.ts';
import { errorResponses } from './error-responses.ts';
import { exampleRequestTarget, type Example } from './examples.ts';
import { responseHeaders, successHeaderKeys } from './headers.ts';
import { problemsByStatus } from './problem-codes.ts';

export function responsesOf(components: Components, operation: Operation, example: Example | undefined): Json {
  const notModified = {
    description: 'Not modified since the `ETag` of If-None-Match.',
    headers: successHeaders(components, operation),
  };
  return {
    [operation.response.status]: successResponse(components, operation, example),
    ...(operation.response.kind === 'storedFile' ? { 206: partialResponse(components, operation) } : {}),
    ...(isConditional(operation) ? { 304: notModified } : {}),
    ...errorResponses(components, operation, problemsByStatus(operation)),
  };
}

const successHeaders = (components: Components, operation: Operation): Json =>
  responseHeaders(components, successHeaderKeys(operation));

function partialResponse(components: Components, operation: Operation): Json {
  const headers = responseHeaders(components, [...successHeaderKeys(operation), 'Content-Range']);
  return {
    ...successResponse(components, operation, undefined),
    description: 'The requested range.',
    headers,
  };
}

function successResponse(components: Components, operation: Operation, example: Example | undefined): Json {
  const { kind, mediaTypes, schema } = operation.response;
  const headers = successHeaders(components, operation);
  if (kind === 'noContent') return { description: 'Done.', headers };
  const json = schema && { schema: components.schema(schema), ...responseExample(components, operation, example) };
  return {
    description: 'Success.',
    headers,
    content: Object.fromEntries([
      ...(kind === 'streamed' && json !== undefined ? [['application/json', json]] : []),
      ...mediaTypes.map((type) => [type, kind === 'streamed' ? fileContent(type) : (json ?? fileContent(type))]),
    ]) as Json,
  };
}

const isText = (type: string): boolean =>
  type.startsWith('text/') || type === 'image/svg+xml' || type === 'application/jsonl';

const fileContent = (type: string): Json => ({
  schema: isText(type) ? { type: 'string' } : { type: 'string', format: 'binary' },
});

function responseExample(components: Components, operation: Operation, example: Example | undefined): Json {
  if (example?.response === undefined) return {};
  const { body } = example.response;
  const summary = `${operation.method} ${exampleRequestTarget(operation, example)}`;
  return {
    examples: { recorded: components.reference('examples', `${operation.id}Answer`, () => ({ summary, value: body })) },
  };
}
