// Generates the OpenAPI documents from the operations: one for each group of the specification, and one with all. Each is
// of version 3.1, and also of 3.0 for older generators.

import { Components, type Json } from './components.ts';
import { createInfo, placeholderServers, type DocumentName } from './document-info.ts';
import { createOperationObject } from './operation-object.ts';
import { tagOf } from './document-info.ts';
import { toOpenApi30 } from './version-3-0.ts';
import type { Operation } from '../operations/operation.ts';
import { isOfComputers } from '../operations/operation-properties.ts';

export const documentNames = [
  'public',
  'downloads',
  'portal',
  'equipment',
  'all',
] as const satisfies readonly DocumentName[];

type DocumentFile = `${DocumentName}-v1.json` | `${DocumentName}-v1-openapi-3.0.json`;

export const documentFile = (name: DocumentName): DocumentFile => `${name}-v1.json`;
export const documentFile30 = (name: DocumentName): DocumentFile => `${name}-v1-openapi-3.0.json`;

/** The documents by file name. */
export function createOpenApiDocuments(operations: readonly Operation[], version: string): Record<DocumentFile, Json> {
  const documents = documentNames.flatMap((name): [DocumentFile, Json][] => {
    const document = createOpenApiDocument(name, operations, { version });
    return [
      [documentFile(name), document],
      [documentFile30(name), toOpenApi30(document)],
    ];
  });
  return Object.fromEntries(documents) as Record<DocumentFile, Json>;
}

export function createOpenApiDocument(
  name: DocumentName,
  operations: readonly Operation[],
  { version }: { version: string },
): Json {
  const components = new Components();
  const documentOperations = operations.filter((operation) => isInDocument(operation, name));
  const groups = [...new Set(documentOperations.map(({ group }) => group))];
  const paths = pathsOf(components, documentOperations);
  return {
    openapi: '3.1.1',
    info: createInfo(name, version),
    servers: placeholderServers,
    tags: groups.map(tagOf),
    paths,
    components: components.toJson(),
  };
}

/** Computers are other clients than people and their programs: what only they call is in a document of its own. */
const isInDocument = (operation: Operation, name: DocumentName): boolean =>
  name === 'all' ? !isOfComputers(operation) : operation.openApiDocuments.includes(name);

/**
 * HEAD and OPTIONS are left out, which every route answers as HTTP requires: generated clients would have methods for
 * them.
 */
function pathsOf(components: Components, operations: readonly Operation[]): Json {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries([...byPath].map(([path, ofPath]) => [path, pathItemOf(components, ofPath)]));
}

const pathItemOf = (components: Components, operations: readonly Operation[]): Json =>
  Object.fromEntries(
    operations.map((operation) => [operation.method.toLowerCase(), createOperationObject(components, operation)]),
  );
