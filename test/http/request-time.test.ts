// The time of a request: the clock is read once, when the request arrives.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Type } from 'typebox';
import { createToken } from '../support/factories.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';
import { defineManagerOperation } from '../../src/http/operations/operation.ts';
import { jsonOf } from '../../src/http/operations/response.ts';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { toMs2000 } from '../../src/lib/time/ms2000.ts';

const path = '/api/v1/test/times';
const epoch = Date.parse('2026-06-15T09:30:00Z');

const operation = defineManagerOperation({
  id: 'StoreTime',
  method: 'POST',
  path,
  openApiDocuments: [],
  group: 'Test',
  summary: 'Store the time of the request',
  access: {},
  response: jsonOf(closedObject({ before: Type.Integer(), inside: Type.Integer() })),
  acceptsIdempotencyKey: true,
  deadlineMs: 10_000,
  run: (_input, context) => {
    const earlier = context.now;
    return context.write({
      grant: (scope) => scope,
      requireObject: async (_db, scope) => scope,
      work: async () => ({ before: earlier, inside: context.now }),
    });
  },
});

let service: TestService;
let instance: TestInstance;
let clockReads = 0;
before(async () => {
  // A clock that advances with every read.
  service = await startService('sqlite', { clock: () => epoch + clockReads++ });
  instance = await startOperations(service, [operation]);
});
after(async () => {
  await instance.stop();
  await service.stop();
});

test('a request reads the clock once, for all uses of the time', async () => {
  const { token } = await createToken(service);
  const headers = { 'idempotency-key': 'once' };
  for (const replayed of [undefined, 'true']) {
    clockReads = 0;
    const reply = await instance.call('POST', path, { token, headers });
    assert.deepEqual([reply.status, reply.headers['idempotency-replayed']], [200, replayed], reply.text);
    assert.deepEqual(reply.json, { before: toMs2000(epoch), inside: toMs2000(epoch) });
    assert.equal(clockReads, 1);
  }
});
