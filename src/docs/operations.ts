// Generates docs/operations.md: every operation with its OpenAPI documents, statuses and problem codes.

import type { Operation } from '../http/operation.ts';
import { isConditional, successStatus } from '../http/operation-properties.ts';
import { problemsByStatus } from '../http/openapi/problem-codes.ts';
import { code, codes, page, table } from './markdown.ts';

export function createOperationsPage(operations: readonly Operation[]): string {
  const groups = Map.groupBy(operations, ({ group }) => group);
  return page(
    '# Operations',
    'The schemas are in the OpenAPI documents (`/openapi/public-v1.json`, `/openapi/downloads-v1.json`, `/openapi/portal-v1.json`) and on the page `/docs`. The codes are explained in [errors.md](errors.md), the rights in [permissions.md](permissions.md).',
    'Generated from the operations by `npm run docs`.',
    table(['Operation', 'Method', 'Path', 'Documents', 'Summary'], operations.map(overviewRow)),
    ...[...groups].flatMap(([group, members]) => [`## ${group}`, ...members.flatMap(operationSection)]),
  );
}

function overviewRow({ id, method, path, documents, summary }: Operation): string[] {
  return [`[${code(id)}](#${id.toLowerCase()})`, method, code(path), documents.join(', '), summary];
}

function operationSection(operation: Operation): string[] {
  const { id, method, path, summary, description } = operation;
  return [
    `### ${id}`,
    `${code(`${method} ${path}`)}: ${summary}.${description === undefined ? '' : ` ${description}`}`,
    table(['Status', 'Codes'], [...successRows(operation), ...problemRows(operation)]),
  ];
}

function successRows(operation: Operation): string[][] {
  return [[String(successStatus(operation)), ''], ...(isConditional(operation) ? [['304', '']] : [])];
}

const problemRows = (operation: Operation): string[][] =>
  problemsByStatus(operation).map(([status, names]) => [String(status), codes(names)]);
