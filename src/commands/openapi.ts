// `openapi`: writes the OpenAPI documents as files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOperations } from '../app.ts';
import type { Config } from '../config.ts';
import { createOpenApiDocuments } from '../http/openapi/documents.ts';
import { createDependencies } from '../dependencies.ts';
import { version } from '../version.ts';

export function writeOpenApiDocuments(config: Config, { out: directory }: { readonly out: string }): void {
  const { operations } = createOperations(createDependencies(config, { demo: false }));
  mkdirSync(directory, { recursive: true });
  for (const [name, document] of Object.entries(createOpenApiDocuments(operations, version))) {
    const file = join(directory, name);
    writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
    process.stdout.write(`${file}\n`);
  }
}
