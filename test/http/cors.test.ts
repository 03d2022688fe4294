// Cross-origin calls from browsers are allowed for exactly the configured origins.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { serviceFixture } from '../support/service-suite.ts';

const me = '/api/v1/session/me';
const allowed = ['https://portal.example', 'http://localhost:5173'];
const others = [
  'https://portal.example:8443',
  'http://portal.example',
  'https://www.portal.example',
  'https://portal.example.org',
  'https://xportal.example',
  'https://portal.example/',
  'https://PORTAL.example',
  'https://portal.example, http://localhost:5173',
  'http://localhost',
  'http://localhost:51730',
  'http://api.sund.localhost',
  'null',
  '*',
  '',
];

const { service, manager, started } = serviceFixture('sqlite', {
  settings: { PORTAL_ALLOWED_ORIGINS: allowed.join(', ') },
});
const { service: closed, started: closedStarted } = serviceFixture('sqlite', { manager: false });
before(async () => {
  await Promise.all([started, closedStarted]);
  await service.write('sund', (db) => insertTestBank(db));
});

const corsFieldsOf = ({ headers }: HttpReply): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));
const listed = (field: unknown): string[] => (typeof field === 'string' ? field.split(/, */) : []);

/** The preflight request of a browser. */
const preflight = (origin: string, method = 'GET', fields = 'authorization'): Record<string, string> => ({
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': fields,
});

test('[general.55, general.56] an answer names a configured origin and exposes the header fields that its pages can read', async () => {
  for (const origin of allowed)
    for (const path of [me, '/docs', '/openapi/portal-v1.json', '/livez']) {
      const { status, headers } = await service.call('GET', path, { token: manager.token, headers: { origin } });
      assert.deepEqual([status, headers['access-control-allow-origin']], [200, origin], path);
      const exposed = listed(headers['access-control-expose-headers']).map((name) => name.toLowerCase());
      assert.deepEqual(exposed.toSorted(), ['content-disposition', 'etag', 'x-document-complete', 'x-request-id']);
      assert.equal(headers['access-control-allow-credentials'], undefined);
    }
});

test('[general.55] a page of a configured origin can read refusals as well', async () => {
  const origin = allowed[0] ?? '';
  const requests: [expected: number, method: string, path: string, options: object][] = [
    [400, 'GET', me, { host: 'localhost' }],
    [400, 'GET', `${me}?x=1`, manager],
    [401, 'GET', me, {}],
    [404, 'GET', '/nope', {}],
    [405, 'DELETE', me, {}],
    [415, 'POST', '/api/v1/session/login', { rawBody: 'x' }],
  ];
  for (const [expected, method, path, options] of requests) {
    const { status, headers } = await service.call(method, path, {
      ...options,
      headers: { origin, 'content-type': 'text/plain' },
    });
    assert.deepEqual([status, headers['access-control-allow-origin']], [expected, origin], `${method} ${path}`);
  }
});

test('[general.55, general.56] any other origin gets no CORS field, with or without a preflight', async () => {
  for (const origin of others) {
    assert.deepEqual(
      corsFieldsOf(await service.call('GET', me, { token: manager.token, headers: { origin } })),
      [],
      origin,
    );
    assert.deepEqual(corsFieldsOf(await service.call('OPTIONS', me, { headers: preflight(origin) })), [], origin);
  }
  assert.deepEqual(corsFieldsOf(await service.call('GET', me, manager)), []);
});

test('[general.55] if no origin is configured, no origin gets a CORS field', async () => {
  for (const origin of [...allowed, ...others]) {
    assert.deepEqual(corsFieldsOf(await closed.call('GET', '/livez', { headers: { origin } })), [], origin);
    assert.deepEqual(corsFieldsOf(await closed.call('OPTIONS', me, { headers: preflight(origin) })), [], origin);
  }
});

test('[general.55] a preflight of a configured origin is answered without a token, and allows every method and field', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const fields = 'authorization, content-type, if-none-match, idempotency-key, x-request-id';
    const reply = await service.call('OPTIONS', me, { headers: preflight(allowed[0] ?? '', method, fields) });
    assert.equal(reply.status, 204);
    assert.equal(reply.headers['access-control-allow-origin'], allowed[0]);
    assert.ok(listed(reply.headers['access-control-allow-methods']).includes(method));
    assert.deepEqual(listed(reply.headers['access-control-allow-headers']), listed(fields));
    assert.match(reply.headers['access-control-max-age'] ?? '', /^\d+$/);
    assert.equal(reply.headers.allow, 'GET, HEAD, OPTIONS');
  }
});

test('an answer that depends on the origin has it in Vary, in addition to the language', async () => {
  for (const origin of [allowed[0], 'https://other.example', undefined]) {
    const headers = origin === undefined ? {} : { origin };
    assert.ok(listed((await service.call('GET', '/docs', { headers })).headers.vary).includes('Origin'));
    const account = await service.call('GET', '/api/v1/banks/sund-B1001/account', { token: manager.token, headers });
    assert.deepEqual(listed(account.headers.vary).toSorted(), [
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
      'Origin',
    ]);
  }
});

test('OPTIONS without CORS fields is answered as usual', async () => {
  const { status, headers } = await service.call('OPTIONS', me);
  assert.deepEqual([status, headers.allow], [204, 'GET, HEAD, OPTIONS']);
  for (const options of [{}, { headers: preflight('https://other.example') }])
    assert.equal((await service.call('OPTIONS', '/nope', options)).json.code, 'unknown-route');
});
