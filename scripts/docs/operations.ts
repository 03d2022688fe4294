// Generates docs/operations.md from the operations and their combined OpenAPI document: access, parameters and
// responses.

import type { Json } from '../../src/http/openapi/components.ts';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import { code, page, table } from './markdown.ts';
import { typeSections } from './operation-schemas.ts';
import { operationSection, type DescribedOperation, type DescribedParameter } from './operation-section.ts';

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly parameters: Readonly<Record<string, DescribedParameter>>;
  };
};

export function createOperationsPage(operations: readonly Operation[]): string {
  // The page has the operations of computers, too.
  const listed = operations.map((operation): Operation => ({ ...operation, openApiDocuments: [] }));
  const document = createOpenApiDocument('all', listed, { version: '' }) as unknown as Document;
  const groups = Map.groupBy(operations, ({ group }) => group);
  const sectionOf = (operation: Operation): string[] => operationSection(operation, describe(document, operation));
  return page(
    '# Operations',
    'The same is in the OpenAPI documents (`/openapi/all-v1.json`) and on the page `/docs`. The codes are explained in [errors.md](errors.md), the rights in [permissions.md](permissions.md), the settings of units in [settings.md](settings.md). Fields of a type are always there unless they are optional.',
    'Generated from the operations by `npm run docs`.',
    table(['Operation', 'Method', 'Path', 'Documents', 'Summary'], operations.map(overviewRow)),
    ...[...groups].flatMap(([group, members]) => [`## ${group}`, ...members.flatMap(sectionOf)]),
    '## Types',
    ...typeSections(document.components.schemas),
  );
}

function describe({ paths, components }: Document, { path, method }: Operation): DescribedOperation {
  const described = paths[path]?.[method.toLowerCase()] as DescribedOperation;
  // A header field that several operations take is a reference.
  const parameters = (described.parameters ?? []).map(
    (parameter) => components.parameters[parameter.$ref?.replace('#/components/parameters/', '') ?? ''] ?? parameter,
  );
  return { ...described, parameters };
}

function overviewRow({ id, method, path, openApiDocuments, summary }: Operation): string[] {
  return [`[${code(id)}](#${id.toLowerCase()})`, method, code(path), openApiDocuments.join(', '), summary];
}
