// Formats one operation of docs/operations.md: access, parameters, body, answer, a recorded example and errors.

import type { Json } from '../../src/http/openapi/components.ts';
import { exampleRequestTarget, readExample, type Example } from '../../src/http/openapi/examples.ts';
import { problemReasonsOf, problemsByStatus } from '../../src/http/openapi/problem-codes.ts';
import { formatGrantLevel, formatTabs } from '../../src/http/requests/authorize.ts';
import { listAccessByValue, needsOf } from '../../src/http/operations/operation-properties.ts';
import type { Operation, OperationAccess } from '../../src/http/operations/operation.ts';
import type { ProblemCode } from '../../src/lib/problem.ts';
import { code, codes, table } from './markdown.ts';
import { describeSchema, formatType } from './operation-schemas.ts';

export type DescribedParameter = {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
};

type Content = Readonly<Record<string, { readonly schema: Json }>>;

/** The operation object of the OpenAPI document, its parameters resolved. */
export type DescribedOperation = {
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};

export function operationSection(operation: Operation, described: DescribedOperation): string[] {
  const { id, method, path, summary, description = '' } = operation;
  const example = readExample(id);
  return [
    `### ${id}`,
    code(`${method} ${path}`),
    `${summary}. ${description}`,
    formatAccess(operation),
    ...parametersTable(described.parameters),
    ...bodyLine(described),
    answerLine(operation, described),
    ...(example === undefined ? [] : exampleBlocks(operation, example)),
    table(['Status', 'Codes'], problemRows(operation)),
  ];
}

function formatAccess({ access }: Operation): string {
  if (access === 'anyone') return 'Access: anyone, without a token.';
  if (access === 'computer') return 'Access: a computer, with its key.';
  const lines = listAccessByValue(access).map(([type, each]) =>
    type === undefined ? formatNeeds(each) : `for ${type}: ${formatNeeds(each)}`,
  );
  return `Access: ${lines.join('. ')}.`;
}

function formatNeeds(access: OperationAccess): string {
  const { tabs, permissions, grantLevel } = needsOf(access);
  const needs = [
    ...(tabs.length === 0 ? [] : [formatTabs(tabs)]),
    ...(permissions.length === 0 ? [] : [`the permissions ${permissions.join(', ')}`]),
    ...(grantLevel === 'none' ? [] : [formatGrantLevel(grantLevel)]),
  ];
  return needs.length === 0 ? 'any valid token' : needs.join('; ');
}

function parametersTable(parameters: readonly DescribedParameter[]): string[] {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    code(name),
    `${place}${required ? '' : ', optional'}`,
    formatType(schema),
    describeSchema({ ...schema, description }),
  ]);
  return rows.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Meaning'], rows)];
}

function bodyLine({ requestBody }: DescribedOperation): string[] {
  const [media] = Object.values(requestBody?.content ?? {});
  return media === undefined ? [] : [`Body: ${formatType(media.schema)}.`];
}

function answerLine(operation: Operation, { responses }: DescribedOperation): string {
  const { status } = operation.response;
  const content = responses[String(status)]?.content;
  const notModified = '304' in responses ? ' With `If-None-Match`: 304 if it has not changed.' : '';
  const ranges = '206' in responses ? ' With `Range`: 206 with that part.' : '';
  if (content === undefined) return `Answer: ${status} without content.`;
  const json = content['application/json'];
  const body = json === undefined ? `a file: ${codes(Object.keys(content))}` : formatType(json.schema);
  return `Answer: ${status}, ${body}.${notModified}${ranges}`;
}

/** More items of a list are left out. */
const maxItems = 2;

function exampleBlocks(operation: Operation, example: Example): string[] {
  const { headers = {}, body } = example.request;
  const token = example.manager === undefined ? [] : ['Authorization: Bearer ACCESS_TOKEN'];
  const lines = [
    `${operation.method} ${exampleRequestTarget(operation, example)}`,
    ...token,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', JSON.stringify(body, null, 2)]),
  ];
  const answer = example.response?.body;
  const request = `\`\`\`http\n${lines.join('\n')}\n\`\`\``;
  return answer === undefined
    ? ['Example:', request]
    : [
        'Example, with long lists cut short:',
        request,
        `\`\`\`json\n${JSON.stringify(shorten(answer), null, 2)}\n\`\`\``,
      ];
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, maxItems).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]));
}

const problemRows = (operation: Operation): string[][] =>
  problemsByStatus(operation).map(([status, names]) => [
    String(status),
    names.map((name) => formatProblem(operation, name)).join(', '),
  ]);

function formatProblem(operation: Operation, name: ProblemCode): string {
  const reasons = problemReasonsOf(operation, name);
  return reasons.length === 0 ? code(name) : `${code(name)} (${codes(reasons)})`;
}
