// A request that is refused before routing is answered like every other problem: counted, measured, and logged in one
// line.
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, test } from 'node:test';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { startInstance, type TestInstance } from '../support/instances.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { formatRawRequest, readUntilClosed, sendRaw, type RawReply } from './support/raw-http.ts';

const host = 'Host: api.sund.localhost';
const me = '/api/v1/session/me';
const login = '/api/v1/session/login';
const gradient = '/api/v1/gradients/linear/ff0000-0000ff/30.svg';
const requestsPerMinute = 200;

const get = (target: string, version = 'HTTP/1.1', ...headers: string[]): string =>
  formatRawRequest(`GET ${target} ${version}`, [host, ...headers]);
const postCoded = (coding: string, body = '2\r\n{}\r\n0\r\n\r\n'): string =>
  formatRawRequest(
    `POST ${login} HTTP/1.1`,
    [host, 'Content-Type: application/json', `Transfer-Encoding: ${coding}`],
    body,
  );
const postChunked = (body: string): string => postCoded('chunked', body);

const refusals: [status: number, code: string, bytes: string][] = [
  ...['/livez', me, gradient, '/nope', '/'].flatMap((target): [number, string, string][] => [
    [400, 'invalid-request', get(target, 'HTTP/2.0')],
    [400, 'invalid-request', get(target, 'HTTP/2.0', 'Connection: keep-alive')],
    [400, 'invalid-request', get(target, 'HTTP/0.9')],
  ]),
  [400, 'invalid-request', formatRawRequest(`POST ${login} HTTP/2.0`, [host, 'Content-Length: 2'], '{}')],
  [400, 'invalid-request', 'nonsense\r\n\r\n'],
  [400, 'invalid-request', get('/livez', 'HTTP/3.0')],
  [400, 'invalid-request', formatRawRequest('BREW /coffee HTTP/1.1', [host])],
  [400, 'invalid-request', formatRawRequest('CONNECT api.sund.localhost:443 HTTP/1.1', [host])],
  [400, 'invalid-request', get('livez')],
  [400, 'invalid-request', get('/livez', 'HTTP/1.1', 'no colon')],
  [400, 'invalid-request', postChunked('zz\r\n')],
  [400, 'invalid-request', get('/%zz')],
  [400, 'invalid-request', get('/%ff?x=%zz')],
  [400, 'invalid-request', get('/api/v1/banks/%c3%28/account')],
  [400, 'invalid-request', get('http://api.sund.localhost/%zz')],
  ...['gzip', 'x', 'identity', 'gzip, chunked', 'chunked, gzip', 'chunked, chunked', 'chunked;q=1'].flatMap(
    (coding): [number, string, string][] => [
      [501, 'unsupported-transfer-coding', postCoded(coding)],
      [501, 'unsupported-transfer-coding', get(gradient, 'HTTP/1.1', `Transfer-Encoding: ${coding}`)],
    ],
  ),
  [400, 'invalid-request', postCoded('')],
  [400, 'invalid-request', postCoded('chunked\r\nContent-Length: 5')],
  [400, 'invalid-request', postCoded('gzip\r\nContent-Length: 5')],
  [414, 'uri-too-long', get(`/api/v1/banks/${'x'.repeat(6_401)}/account`)],
  [431, 'header-too-large', get(`/${'x'.repeat(16_384)}`)],
  [400, 'unknown-host', formatRawRequest(`GET ${me} HTTP/1.1`)],
  [400, 'unknown-host', formatRawRequest(`GET ${me} HTTP/1.1`, [host, host])],
  [400, 'unknown-host', formatRawRequest('GET /%zz HTTP/1.1', ['Host: elsewhere.example'])],
  [400, 'unknown-host', formatRawRequest(`GET ${gradient} HTTP/1.1`, ['Host: elsewhere.example'])],
];

const { service, started } = serviceFixture('sqlite', {
  settings: { PORTAL_RATE_LIMIT: `1000,${requestsPerMinute}` },
  manager: false,
});

let instance: TestInstance;
let port: number;
const lines: Record<string, unknown>[] = [];
before(() => started);
beforeEach(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  instance = await startInstance(service, { log });
  port = (instance.app.server.address() as AddressInfo).port;
  lines.splice(0);
});
afterEach(() => instance.stop());

/** Waits for so many lines about ended requests, and returns them. */
async function requestLines(count: number): Promise<Record<string, unknown>[]> {
  const logged = (): Record<string, unknown>[] => lines.filter(({ msg }) => msg === 'request');
  while (logged().length < count) await new Promise((resolve) => setImmediate(resolve));
  return logged();
}

const remaining = ({ headers }: RawReply): number =>
  Number(/^"address";r=(\d+);t=\d+$/.exec(headers['ratelimit'] ?? '')?.[1]);

test('[general.28, general.51] each refusal has the RateLimit fields and an X-Request-Id, and closes the connection if necessary', async () => {
  let left = requestsPerMinute;
  for (const [status, code, bytes] of refusals) {
    const reply = await sendRaw(port, bytes);
    const asked = JSON.stringify(bytes.slice(0, 80));
    assert.deepEqual([reply.status, reply.json.code], [status, code], asked);
    assert.equal(remaining(reply), (left -= 1), asked);
    assert.equal(reply.headers['ratelimit-policy'], `"address";q=${requestsPerMinute};w=60`, asked);
    for (const field of ['x-request-id', 'traceparent', 'x-content-type-options', 'content-security-policy'])
      assert.ok(reply.headers[field] !== undefined, `${field} of ${asked}`);
  }
});

test('each refusal is logged in one line with its status and its client, and measured', async () => {
  for (const [at, [status, code, bytes]] of refusals.entries()) {
    const { headers } = await sendRaw(port, bytes);
    const line = (await requestLines(at + 1)).at(-1);
    assert.deepEqual(
      [line?.['status'], line?.['code'], line?.['requestId'], line?.['clientAddress']],
      [status, code, headers['x-request-id'], '127.0.0.1'],
      JSON.stringify(bytes.slice(0, 80)),
    );
  }
  assert.equal((await requestLines(refusals.length)).length, refusals.length);
  assert.ok(
    lines.every(({ level }) => level === 'info'),
    'none is a defect',
  );
  assert.match(await service.dependencies.metrics.text(), /^http_server_active_requests 0$/m);
});

test('[general.52] beyond the limit of its address each request is 429', async () => {
  for (let left = requestsPerMinute; left > 0; left -= 1) await instance.call('GET', '/nope');
  for (const [, , bytes] of refusals) {
    const { status, json, headers } = await sendRaw(port, bytes);
    assert.deepEqual([status, json.code], [429, 'too-many-requests'], JSON.stringify(bytes.slice(0, 80)));
    assert.ok(Number(headers['retry-after']) >= 1);
  }
});

test('complete requests before unreadable bytes get their own answers first, in order', async () => {
  const whole = (target: string): string => `GET ${target} HTTP/1.1\r\n${host}\r\n\r\n`;
  for (const targets of [[me], [gradient], [gradient, me, '/livez'], ['/openapi/portal-v1.json', gradient]]) {
    const answers = await readUntilClosed(port, `${targets.map(whole).join('')}nonsense\r\n\r\n`);
    const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    assert.deepEqual(statuses, [...targets.map((target) => (target === me ? 401 : 200)), 400], targets.join(' '));
  }
});

test('`chunked` is recognised in any case', async () => {
  for (const coding of ['chunked', 'Chunked', 'CHUNKED'])
    assert.equal((await sendRaw(port, postCoded(coding))).json.errors[0].path, 'body.userName', coding);
});

test('only the request of an unreadable body is answered with a problem', async () => {
  const { status, headers } = await sendRaw(port, postChunked('zz\r\n'));
  const [line, ...others] = await requestLines(1);
  assert.deepEqual([status, line?.['status'], line?.['operation'], others], [400, 400, 'LoginManager', []]);
  assert.equal(line?.['requestId'], headers['x-request-id']);
  assert.equal(headers['connection'], 'close');
});
