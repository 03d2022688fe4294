// Generates the three OpenAPI 3.1 documents from the operations.

import { Components, type Json } from './components.ts';
import { createInfo, servers } from './document-info.ts';
import { createOperationObject } from './operation-object.ts';
import { nameSchemas } from './schema-names.ts';
import type { OpenApiDocumentName, Operation } from '../operation.ts';

const documentNames = ['public', 'downloads', 'portal'] as const satisfies readonly OpenApiDocumentName[];

export type DocumentFile = `${OpenApiDocumentName}-v1.json`;

/** The documents by file name. */
export function createOpenApiDocuments(
  operations: readonly Operation[],
  version: string,
): Record<DocumentFile, object> {
  const documents = documentNames.map((name) => [
    `${name}-v1.json`,
    createOpenApiDocument(name, operations, { version }),
  ]);
  return Object.fromEntries(documents) as Record<DocumentFile, object>;
}

export function createOpenApiDocument(
  name: OpenApiDocumentName,
  operations: readonly Operation[],
  { version }: { version: string },
): object {
  const components = new Components(nameSchemas(operations));
  const documentOperations = operations.filter(({ documents }) => documents.includes(name));
  const groups = [...new Set(documentOperations.map(({ group }) => group))];
  const paths = pathsOf(components, documentOperations);
  return {
    openapi: '3.1.1',
    info: createInfo(name, version),
    servers,
    tags: groups.map((group) => ({ name: group })),
    paths,
    components: components.toJson(),
  };
}

function pathsOf(components: Components, operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {});
    methods[operation.method.toLowerCase()] = createOperationObject(components, operation);
  }
  return paths;
}
