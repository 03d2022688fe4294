// The three OpenAPI 3.1 documents, generated from the operations.

import { Components, schemaNames, type Json } from './openapi/components.ts';
import { infoOf, servers } from './openapi/info.ts';
import { operationObject } from './openapi/operation-object.ts';
import type { DocumentName, Operation } from './operation.ts';

const documentNames = ['public', 'downloads', 'portal'] as const satisfies readonly DocumentName[];

export type DocumentFile = `${DocumentName}-v1.json`;

export const documentFiles: readonly DocumentFile[] = documentNames.map((name): DocumentFile => `${name}-v1.json`);

/** The documents by their file names. */
export function openApiDocuments(operations: readonly Operation[], version: string): Record<DocumentFile, object> {
  const documents = documentNames.map((name) => [`${name}-v1.json`, openApiDocument(name, operations, { version })]);
  return Object.fromEntries(documents) as Record<DocumentFile, object>;
}

export function openApiDocument(
  name: DocumentName,
  operations: readonly Operation[],
  { version }: { version: string },
): object {
  const components = new Components(schemaNames(operations));
  const described = operations.filter(({ documents }) => documents.includes(name));
  const groups = [...new Set(described.map(({ group }) => group))];
  const paths = pathsOf(components, described);
  return {
    openapi: '3.1.1',
    info: infoOf(name, version),
    servers,
    tags: groups.map((group) => ({ name: group })),
    paths,
    components: components.collected(),
  };
}

function pathsOf(components: Components, operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {});
    methods[operation.method.toLowerCase()] = operationObject(components, operation);
  }
  return paths;
}
