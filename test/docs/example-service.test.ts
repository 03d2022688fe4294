// The examples of the OpenAPI documents are what the service answers today, and match their schemas.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TSchema } from 'typebox';
import { exampleFilePath, readExample } from '../../src/http/openapi/examples.ts';
import type { Operation } from '../../src/http/operations/operation.ts';
import {
  drawReadmePicture,
  readmePicture,
  recordExample,
  startExampleService,
  type ExampleService,
} from '../../scripts/docs/example-service.ts';

let exampleService: ExampleService;
before(async () => {
  exampleService = await startExampleService();
});
after(() => exampleService.close());

test('every operation has an example that equals its current answer (npm run docs)', async () => {
  for (const operation of exampleService.operations) {
    const written = readFileSync(exampleFilePath(operation.id), 'utf8');
    assert.equal(written.replaceAll('\r\n', '\n'), await recordExample(exampleService, operation), operation.id);
  }
});

test('the picture of README.md equals the current one (npm run docs)', async () => {
  const committed = readFileSync(join(import.meta.dirname, '../..', readmePicture), 'utf8').replaceAll('\r\n', '\n');
  assert.equal(committed, await drawReadmePicture(exampleService));
});

test('no example is left of an operation that does not exist', () => {
  const files = readdirSync(dirname(exampleFilePath(''))).map((file) => file.replace(/\.json$/, ''));
  const ids = new Set(exampleService.operations.map(({ id }) => id));
  assert.deepEqual(
    files.filter((id) => !ids.has(id)),
    [],
  );
});

test('examples match the schemas of their operations', () => {
  for (const operation of exampleService.operations) {
    const example = readExample(operation.id);
    assert.equal(example?.response?.status, operation.response.status, operation.id);
    // Lines are a text, and no JSON of one schema.
    if (operation.bodyFormat !== 'jsonl') assertFits(operation, operation.body, example?.request.body);
    assertFits(operation, operation.response.schema, example?.response?.body);
  }
});

function assertFits({ id }: Operation, schema: TSchema | undefined, value: unknown): void {
  if (schema === undefined) {
    assert.equal(value, undefined, id);
    return;
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  assert.ok(ajv.validate(schema, value), `${id}: ${ajv.errorsText()}`);
}
