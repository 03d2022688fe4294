// Runs a second linter on the combined document, which contains all others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintWithSpectral } from '../../scripts/spectral.ts';
import { createDependenciesWithoutStorage } from '../support/dependencies-without-storage.ts';
import { createOperations } from '../../src/app.ts';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';

test('Spectral’s rules for OpenAPI find no fault', async () => {
  const { operations } = createOperations(createDependenciesWithoutStorage());
  const document = createOpenApiDocument('all', operations, { version: '1.0.0' });
  // The other linter checks examples too; this one would spend most of its time on them.
  const faults = await lintWithSpectral(JSON.stringify(document), ['oas3-valid-media-example']);
  assert.deepEqual(faults, []);
});
