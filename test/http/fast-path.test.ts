// Answers of the fast path are those that the framework has sent, with the same limits, log and metrics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Type } from 'typebox';
import { defineImageOperation, definePublicOperation } from '../../src/http/operations/operation.ts';
import { jsonOf, representation } from '../../src/http/operations/response.ts';
import { PreparedJson } from '../../src/http/representations/results.ts';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { startInstance, startOperations } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';

const gradient = '/api/v1/gradients/linear/ff0000-0000ff/30.svg';
const icon = '/api/v1/icon/line/house/32.png';
// The framework serves a request with a condition.
const conditionalRequest: CallOptions = { headers: { 'if-none-match': '"another"' } };

const lasting = ({ headers }: HttpReply): unknown =>
  Object.entries(headers)
    .filter(([name]) => !['date', 'traceparent', 'x-request-id', 'ratelimit'].includes(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

async function withService(
  settings: Record<string, string>,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startService('sqlite', { settings });
  try {
    await work(service);
  } finally {
    await service.stop();
  }
}

test('[images.29] an image has the same headers and body on either path, with and without other origins', async () => {
  for (const PORTAL_ALLOWED_ORIGINS of ['', 'https://portal.example'])
    await withService({ PORTAL_ALLOWED_ORIGINS, PORTAL_RATE_LIMIT: '6000,12000' }, async ({ call }) => {
      for (const path of [gradient, icon, '/api/v1/icon/line/house/600.ppm', '/api/v1/icon/catalog/g']) {
        const replies = [await call('GET', path, conditionalRequest), await call('GET', path), await call('GET', path)];
        for (const reply of replies) {
          assert.equal(reply.status, 200);
          assert.deepEqual([lasting(reply), reply.text], [lasting(replies[0] as HttpReply), replies[0]?.text], path);
        }
      }
    });
});

test('each request counts once against the limit, refusals too, and beyond it nothing is rendered', async () => {
  await withService({ PORTAL_RATE_LIMIT: '7,7' }, async ({ call }) => {
    const left = async (path: string, options?: CallOptions): Promise<[number, string]> => {
      const { status, headers } = await call('GET', path, options);
      return [status, /r=(\d+)/.exec(String(headers['ratelimit']))?.[1] ?? ''];
    };
    // The third is sent again.
    for (const count of ['6', '5', '4']) assert.deepEqual(await left(gradient), [200, count]);
    assert.deepEqual(await left(gradient, conditionalRequest), [200, '3']);
    assert.deepEqual(await left('/api/v1/gradients/linear/nothing/30.svg'), [400, '2']);
    assert.deepEqual(await left('/api/v1/icon/nothing/house.svg'), [404, '1']);
    assert.deepEqual(await left(icon), [200, '0']);
    for (const path of [gradient, icon, '/api/v1/icon/line/door/4096.png'])
      assert.equal((await call('GET', path)).json.code, 'too-many-requests', path);
  });
});

test('each request is logged once with its operation and its ids, and none stays active', async () => {
  await withService({}, async (service) => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const instance = await startInstance(service, { log });
    const given = { 'x-request-id': 'mine', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
    // The third of the gradient is sent again.
    for (const path of [gradient, gradient, gradient, icon, '/api/v1/gradients/linear/nothing/30.svg'])
      await instance.call('GET', path, { headers: given });
    await instance.stop();
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests.map(({ requestId, traceId, operation, status }) => [requestId, traceId, operation, status]),
      [
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetLinearGradient', 200],
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetLinearGradient', 200],
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetLinearGradient', 200],
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetIconImageFromSet', 200],
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetLinearGradient', 400],
      ],
    );
    assert.match(await service.dependencies.metrics.text(), /^http_server_active_requests 0$/m);
  });
});

test('on a host of no tenant there are no images either', async () => {
  await withService({}, async ({ call }) => {
    assert.equal((await call('GET', gradient)).status, 200);
    assert.equal((await call('GET', gradient, { host: 'api.oslo.localhost' })).json.code, 'unknown-host');
  });
});

const common = { method: 'GET', openApiDocuments: [], group: 'Test', summary: 'Test', deadlineMs: 60_000 } as const;

test('an image is drawn again after two seconds, in another minute, and where it was drawn for its first request', async () => {
  await withService({}, async (service) => {
    let nowMs = Date.UTC(2026, 0, 1, 12, 0, 57);
    let drawn = 0;
    const image = defineImageOperation({
      ...common,
      id: 'GetTestImage',
      path: '/api/v1/pictures/{name}',
      params: closedObject({ name: Type.String() }),
      response: representation(['image/svg+xml']),
      render: ({ name }) => {
        const body = `<svg>${(drawn += 1)}</svg>`;
        return { body, mediaType: 'image/svg+xml', etag: '"1"', maxAgeSeconds: 1, isNewlyRendered: name === 'new' };
      },
    });
    const { call, stop } = await startOperations(service, [image], { clock: () => nowMs });
    const drawingOf = async (name: string, options?: CallOptions): Promise<number> =>
      Number(/\d+/.exec((await call('GET', `/api/v1/pictures/${name}`, options)).text)?.[0]);
    assert.equal(await drawingOf('old'), 1);
    nowMs += 1999;
    assert.equal(await drawingOf('old'), 1);
    assert.equal(await drawingOf('old', { headers: { accept: 'image/*' } }), 2, 'answers may vary by Accept');
    assert.equal(await drawingOf('old', { host: 'api.fjord.localhost' }), 3, 'another tenant has its own');
    assert.equal(await drawingOf('old', conditionalRequest), 4);
    assert.equal(await drawingOf('old'), 1);
    nowMs += 1;
    assert.equal(await drawingOf('old'), 5, 'after two seconds');
    nowMs += 1001;
    assert.equal(await drawingOf('old'), 6, 'in another minute');
    assert.equal(await drawingOf('new'), 7);
    assert.equal(await drawingOf('new'), 8);
    await stop();
  });
});

test('a known answer is sent again for as long as it is known', async () => {
  await withService({}, async (service) => {
    let known = new PreparedJson<{ text: string }>('{"text":"one"}');
    let runs = 0;
    const read = definePublicOperation({
      ...common,
      id: 'GetTestRead',
      path: '/api/v1/reads',
      query: closedObject({}),
      response: jsonOf(closedObject({ text: Type.String() })),
      run: () => {
        runs += 1;
        return known;
      },
      knownAnswer: () => known,
    });
    const { call, stop } = await startOperations(service, [read]);
    const readText = async (): Promise<string> => (await call('GET', '/api/v1/reads')).json.text;
    assert.deepEqual([await readText(), await readText(), runs], ['one', 'one', 1]);
    known = new PreparedJson('{"text":"Ærø"}');
    assert.deepEqual([await readText(), await readText(), runs], ['Ærø', 'Ærø', 2]);
    await stop();
  });
});
