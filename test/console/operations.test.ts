// The console's types and limits of the operations are those of the service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { addresses } from '../../console/src/api/operations.ts';
import { renderConsoleApi, renderConsoleLimits, type OpenApiDocument } from '../../scripts/console-api-types.ts';
import { createOperations } from '../../src/app.ts';
import { createOpenApiDocuments } from '../../src/http/openapi/documents.ts';
import { version } from '../../src/version.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';

test('the types and limits of the console are current: npm run console:api', async () => {
  const { operations, close } = createOperations(createDependenciesWithoutStorage());
  const documents = createOpenApiDocuments(operations, version) as unknown as Record<string, OpenApiDocument>;
  const document = documents['all-v1.json'];
  assert.ok(document !== undefined);
  const read = (name: string): string =>
    readFileSync(new URL(`../../console/src/api/${name}`, import.meta.url), 'utf8');
  assert.equal(read('operations.ts'), renderConsoleApi(document));
  assert.equal(read('limits.ts'), renderConsoleLimits(document));
  const paths = new Map(operations.map(({ id, method, path }) => [id, `${method} ${path}`]));
  for (const [id, address] of Object.entries(addresses)) assert.equal(address, paths.get(id), id);
  await close();
});
