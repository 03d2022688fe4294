// Writes the console's types and limits of the service's operations from the OpenAPI document. With --check the script
// writes nothing, and fails if a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOperations } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createDependencies } from '../src/dependencies.ts';
import { createOpenApiDocuments } from '../src/http/openapi/documents.ts';
import { version } from '../src/version.ts';
import { renderConsoleApi, renderConsoleLimits, type OpenApiDocument } from './console-api-types.ts';

const folder = join(import.meta.dirname, '../console/src/api');

// Nothing is opened: the operations only declare.
const { operations } = createOperations(
  createDependencies(readConfig({ PORTAL_LOG_LEVEL: 'silent' }), { demo: false }),
);
const documents = createOpenApiDocuments(operations, version) as unknown as Record<string, OpenApiDocument>;
const document = documents['all-v1.json'] ?? { paths: {}, components: { schemas: {} } };
// This script is used instead of a generator from the registry, because a generator would add another compiler and some
// thirty packages for a table of types.
const texts = { 'operations.ts': renderConsoleApi(document), 'limits.ts': renderConsoleLimits(document) };
for (const [name, text] of Object.entries(texts)) {
  const file = join(folder, name);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`console/src/api/${name} is out of date: \`npm run console:api\``);
    process.exitCode = 1;
  }
}
process.exit();
