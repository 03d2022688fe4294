// A deprecated operation says in each answer since when it is deprecated and when it ends, and its document says so.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';
import { definePublicOperation } from '../../src/http/operations/operation.ts';
import { noContent } from '../../src/http/operations/response.ts';
import { startOperations } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';

const declared = {
  method: 'GET',
  openApiDocuments: ['public'],
  group: 'Public',
  summary: 'An operation',
  description: 'It does nothing.',
  deadlineMs: 1000,
  response: noContent,
  run: () => {},
} as const;
const staying = definePublicOperation({ ...declared, id: 'Stay', path: '/api/v1/stay' });
const deprecation = { since: '2026-07-01', sunset: '2027-01-01' };
const going = definePublicOperation({ ...declared, id: 'Go', path: '/api/v1/go', deprecation });

serviceSuite({ manager: false }, ({ service }) => {
  test('each answer of a deprecated operation has Deprecation and Sunset, also a refusal', async () => {
    const { call, stop } = await startOperations(service, [staying, going]);
    const fieldsOf = async (path: string): Promise<unknown[]> => {
      const { status, headers } = await call('GET', path);
      return [status, headers['deprecation'], headers['sunset']];
    };
    try {
      const fields = ['@1782864000', 'Fri, 01 Jan 2027 00:00:00 GMT'];
      assert.deepEqual(await fieldsOf('/api/v1/go'), [204, ...fields]);
      assert.deepEqual(await fieldsOf('/api/v1/go?x=1'), [400, ...fields]);
      assert.deepEqual(await fieldsOf('/api/v1/stay'), [204, undefined, undefined]);
    } finally {
      await stop();
    }
  });

  test('an operation ends no earlier than six months after its deprecation', async () => {
    const hasty = { ...going, deprecation: { since: '2026-07-02', sunset: '2027-01-01' } };
    await assert.rejects(startOperations(service, [hasty]), /Go would end less than six months/);
  });
});

test('the document of a deprecated operation says so', () => {
  const document = createOpenApiDocument('all', [staying, going], { version: '1.0.0' }) as {
    paths: Record<string, { get: { deprecated?: boolean; responses: Record<string, { headers: object }> } }>;
  };
  const { get } = document.paths['/api/v1/go'] ?? {};
  assert.equal(get?.deprecated, true);
  const names = Object.keys(get.responses['204']?.headers ?? {});
  assert.deepEqual(names.filter((name) => name === 'Deprecation' || name === 'Sunset').length, 2);
  assert.equal(document.paths['/api/v1/stay']?.get.deprecated, undefined);
});
