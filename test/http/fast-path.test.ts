// Responses of the fast path are those of the framework, with the same limits, log and metrics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { startInstance } from '../support/instances.ts';
import { startService, type TestService } from '../support/service.ts';
import type { CallOptions, HttpReply } from '../support/call.ts';

const gradient = '/api/v1/gradients/linear/ff0000-0000ff/30.svg';
const icon = '/api/v1/icon/line/house/32.png';
// A request with a condition is served by the framework.
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

test('every way counts against the limit once, refusals too, and beyond it nothing is drawn', async () => {
  await withService({ PORTAL_RATE_LIMIT: '5,5' }, async ({ call }) => {
    const left = async (path: string, options?: CallOptions): Promise<[number, string]> => {
      const { status, headers } = await call('GET', path, options);
      return [status, /r=(\d+)/.exec(String(headers['ratelimit']))?.[1] ?? ''];
    };
    assert.deepEqual(await left(gradient), [200, '4']);
    assert.deepEqual(await left(gradient, conditionalRequest), [200, '3']);
    assert.deepEqual(await left('/api/v1/gradients/linear/nothing/30.svg'), [400, '2']);
    assert.deepEqual(await left('/api/v1/icon/nothing/house.svg'), [404, '1']);
    assert.deepEqual(await left(icon), [200, '0']);
    for (const path of [gradient, icon, '/api/v1/icon/line/door/4096.png'])
      assert.equal((await call('GET', path)).json.code, 'too-many-requests', path);
  });
});

test('each is logged once with its operation and its ids, and none stays active', async () => {
  await withService({}, async (service) => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const instance = await startInstance(service, { log });
    const given = { 'x-request-id': 'mine', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
    for (const path of [gradient, icon, '/api/v1/gradients/linear/nothing/30.svg'])
      await instance.call('GET', path, { headers: given });
    await instance.stop();
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      requests.map(({ requestId, traceId, operation, status }) => [requestId, traceId, operation, status]),
      [
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetLinearGradient', 200],
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetIconImageFromSet', 200],
        ['mine', '4bf92f3577b34da6a3ce929d0e0e4736', 'GetLinearGradient', 400],
      ],
    );
    assert.match(await service.services.metrics.text(), /^http_server_active_requests 0$/m);
  });
});

test('on a host of no tenant there are no images either', async () => {
  await withService({}, async ({ call }) => {
    assert.equal((await call('GET', gradient)).status, 200);
    assert.equal((await call('GET', gradient, { host: 'api.oslo.localhost' })).json.code, 'unknown-host');
  });
});
