// A second linter over the combined document, which has everything that the others have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintWithSpectral } from '../../scripts/spectral.ts';
import { createServicesWithoutStorage } from '../support/services-without-storage.ts';
import { createOperations } from '../../src/app.ts';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';

test('Spectral’s rules for OpenAPI find no fault', async () => {
  const { operations } = createOperations(createServicesWithoutStorage());
  const document = createOpenApiDocument('all', operations, { version: '1.0.0' });
  // The other linter checks examples, too; this one takes most of its time for them.
  const faults = await lintWithSpectral(JSON.stringify(document), ['oas3-valid-media-example']);
  assert.deepEqual(faults, []);
});
