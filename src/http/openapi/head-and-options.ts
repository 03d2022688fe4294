// Creates the operation objects of HEAD and OPTIONS, which every route answers as HTTP requires.

import { problems, type ProblemCode } from '../../lib/problem.ts';
import type { Operation } from '../operations/operation.ts';
import type { Components, Json } from './components.ts';
import { errorResponses } from './error-responses.ts';
import type { Example } from './examples.ts';
import { responseHeaders } from './headers.ts';
import { pathParametersOf } from './parameters.ts';
import { optionsProblemCodes } from './problem-codes.ts';
import { headAndOptionsTag } from './tags.ts';

/** The object of HEAD, derived from that of GET: everything but the content. */
export function createHeadObject(components: Components, get: Json): Json {
  const { operationId, responses, requestBody: _, ...rest } = get as Json & { responses: Record<string, Json> };
  return {
    ...rest,
    operationId: `HeadOf${String(operationId)}`,
    tags: [headAndOptionsTag.name],
    summary: `The header fields of ${String(operationId)}`,
    description: 'Status and header fields of the GET, without content (RFC 9110, 9.3.2).',
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, headResponse(components, status, response)]),
    ),
  };
}

function headResponse(components: Components, status: string, response: Json): Json {
  if (Number(status) >= 400)
    return components.reference('responses', `head-${status}`, () => ({
      description: 'The GET would be refused with this status; it says why.',
      headers: responseHeaders(components, ['X-Request-Id']),
    }));
  const { content: _, ...withoutContent } = response;
  return withoutContent;
}

/** The object of OPTIONS for the path of these operations. It needs no token. */
export function createOptionsObject(
  components: Components,
  operations: readonly [Operation, ...Operation[]],
  example: Example | undefined,
): Json {
  const [first] = operations;
  const ids = operations.map(({ id }) => id).join(', ');
  const parameters = pathParametersOf(components, first, example);
  return {
    operationId: `OptionsOf${first.id}`,
    tags: [headAndOptionsTag.name],
    summary: `The methods of the path of ${ids}`,
    description: 'Answers `Allow`, and a preflight of a page whose origin is allowed (Fetch standard).',
    security: [],
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: {
      204: components.reference('responses', 'allowed-methods', () => ({
        description: 'The methods of the path.',
        headers: responseHeaders(components, ['X-Request-Id', 'Allow']),
      })),
      ...errorResponses(components, first, groupByStatus(optionsProblemCodes(first))),
    },
  };
}

const groupByStatus = (codes: readonly ProblemCode[]): [status: number, codes: ProblemCode[]][] => [
  ...Map.groupBy(codes, (code) => problems[code].status as number),
];
