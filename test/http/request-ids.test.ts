// The ids of a request: X-Request-Id on every response, and W3C Trace Context in both directions.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { insertTestBank } from '../support/factories.ts';
import type { TestService } from '../support/service.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';
import { serviceSuite } from '../support/service-suite.ts';

const me = '/api/v1/session/me';
const login = '/api/v1/session/login';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

serviceSuite({}, ({ service, manager }) => {
  before(async () => {
    await service.write('sund', (db) => insertTestBank(db));
  });

  const echoOf = async (requestId: string): Promise<string> => {
    const { headers } = await service.call('GET', '/livez', { headers: { 'x-request-id': requestId } });
    return String(headers['x-request-id']);
  };

  test('[general.51] every answer carries X-Request-Id, a new one if the client sent none', async () => {
    const { etag = '' } = (await service.call('GET', '/api/v1/banks/sund-B1001/account', manager)).headers;
    const requests: [expected: number, method: string, path: string, options?: Parameters<TestService['call']>[2]][] = [
      [200, 'GET', me, manager],
      [200, 'HEAD', me, manager],
      [200, 'GET', '/docs'],
      [200, 'GET', '/openapi/portal-v1.json'],
      [200, 'GET', '/livez', { host: 'anything' }],
      [204, 'OPTIONS', me],
      [304, 'GET', '/api/v1/banks/sund-B1001/account', { token: manager.token, headers: { 'if-none-match': etag } }],
      [400, 'GET', me, { host: 'localhost' }],
      [400, 'GET', '/%zz'],
      [400, 'POST', login, { rawBody: '{' }],
      [401, 'GET', me],
      [404, 'GET', '/nope'],
      [404, 'HEAD', '/nope'],
      [405, 'DELETE', me],
      [413, 'POST', login, { rawBody: 'x'.repeat(9000) }],
      [414, 'GET', `/api/v1/banks/${'x'.repeat(7000)}/account`, manager],
      [415, 'POST', login, { rawBody: 'x', headers: { 'content-type': 'text/plain' } }],
    ];
    const seen = new Set<string>();
    for (const [expected, method, path, options] of requests) {
      const { status, headers } = await service.call(method, path, options);
      assert.equal(status, expected, `${method} ${path}`);
      assert.match(String(headers['x-request-id']), uuid);
      seen.add(String(headers['x-request-id']));
    }
    assert.equal(seen.size, requests.length);
  });

  test('[general.51] bytes that are not a request are answered with an X-Request-Id too', async () => {
    const unreadable: [status: number, bytes: string][] = [
      [400, 'nonsense\r\n\r\n'],
      [400, formatRawRequest('BREW /coffee HTTP/1.1', ['Host: api.sund.localhost'])],
      [431, formatRawRequest('GET /livez HTTP/1.1', [`X-Large: ${'x'.repeat(20_000)}`])],
    ];
    for (const [expected, bytes] of unreadable) {
      const { status, headers } = await sendRaw(service.port, bytes);
      assert.equal(status, expected);
      assert.match(headers['x-request-id'] ?? '', uuid);
    }
    // An unknown Expect is ignored, and the request is answered like any other.
    const expecting = await sendRaw(
      service.port,
      formatRawRequest('GET /livez HTTP/1.1', ['Host: x', 'Expect: magic']),
    );
    assert.equal(expecting.status, 200);
    assert.match(expecting.headers['x-request-id'] ?? '', uuid);
  });

  test('a safe X-Request-Id of the client is kept, on refusals too', async () => {
    for (const id of ['a', '0', 'A-b_c.9', 'x'.repeat(128), '0d4bbd5c-4a5e-4c0c-9d4f-8f2f1f2f7b51'])
      assert.equal(await echoOf(id), id);
    const headers = { 'x-request-id': 'mine' };
    for (const path of [me, '/nope', '/%zz', `${me}?x=1`])
      assert.equal((await service.call('GET', path, { headers })).headers['x-request-id'], 'mine', path);
  });

  test('an unsafe X-Request-Id is replaced', async () => {
    for (const id of [
      '',
      ' ',
      'a b',
      'a,b',
      'a"b',
      '<script>',
      '../a',
      'x'.repeat(129),
      '{"a":1}',
      'a\tb',
      'é',
      '%0a',
      'a;b',
    ])
      assert.match(await echoOf(id), uuid, id);
    const twice = ['Host: api.sund.localhost', 'X-Request-Id: a', 'X-Request-Id: b'];
    const { headers } = await sendRaw(service.port, formatRawRequest('GET /livez HTTP/1.1', twice));
    assert.match(headers['x-request-id'] ?? '', uuid);
  });

  test('a request joins the trace of its caller and passes on its own span', async () => {
    const given = `00-${traceId}-${spanId}-01`;
    for (const path of [me, '/nope', '/livez', '/%zz']) {
      const { headers, json } = await service.call('GET', path, { headers: { traceparent: given } });
      const [version, joined, span, flags] = String(headers['traceparent']).split('-');
      assert.deepEqual([version, joined, flags], ['00', traceId, '01'], path);
      assert.match(span ?? '', /^(?!0{16})[0-9a-f]{16}$/);
      assert.notEqual(span, spanId);
      if (path !== '/livez') assert.equal(json.traceId, traceId);
    }
  });

  test('a request without a trace, or with one that is malformed, begins its own', async () => {
    const malformed = [
      '',
      'x',
      `00-${traceId}-${spanId}`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
    ];
    const seen = new Set<unknown>();
    for (const traceparent of [undefined, ...malformed]) {
      const headers = traceparent === undefined ? {} : { traceparent };
      const { json, headers: answered } = await service.call('GET', me, { headers });
      assert.match(String(answered['traceparent']), new RegExp(`^00-${json.traceId}-[0-9a-f]{16}-00$`));
      assert.notEqual(json.traceId, traceId);
      seen.add(json.traceId);
    }
    assert.equal(seen.size, malformed.length + 1);
  });
});
