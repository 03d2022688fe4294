// Malformed or oversized HTTP is refused as a problem, and never crashes the service.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { pino } from 'pino';
import { insertTestBank } from '../support/factories.ts';
import { startInstance } from '../support/instances.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';
import { serviceFixture } from '../support/service-suite.ts';

const host = 'Host: api.sund.localhost';
const jsonBody = 'Content-Type: application/json';
const account = '/api/v1/banks/sund-B1001/account';

/** 16 KiB of headers, as Node.js has by default; a KID of 2,048 characters fits, even if each needs three to be encoded. */
const mostHeaderBytes = 16_384;
const mostParamLength = 6_400;

const noRequests = [
  '\r\n\r\n\r\nnonsense\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  '\0\0\0\0',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /livez\nHost: x\n\n',
  'GET /livez HTTP/1.1\nHost: x\n\n',
  'GET /livez HTTP/3.0\r\nHost: x\r\n\r\n',
  'GET /livez HTTP/x\r\n\r\n',
  'get /livez HTTP/1.1\r\nHost: x\r\n\r\n',
  'G\xcbT /livez HTTP/1.1\r\nHost: x\r\n\r\n',
  formatRawRequest('BREW /coffee HTTP/1.1', [host]),
  formatRawRequest('GET livez HTTP/1.1', [host]),
  formatRawRequest('GET /livez HTTP/1.1', [host, 'X : y']),
  formatRawRequest('GET /livez HTTP/1.1', [host, ': y']),
  formatRawRequest('GET /livez HTTP/1.1', [host, 'no colon']),
  formatRawRequest('GET /livez HTTP/1.1', [host, 'X: a\0b']),
  formatRawRequest('GET /livez HTTP/1.1', [host, ' folded']),
  formatRawRequest('POST /api/v1/session/login HTTP/1.1', [host, jsonBody, 'Transfer-Encoding: chunked'], 'zz\r\n'),
];

const { service, manager, issueToken, started } = serviceFixture('sqlite');
before(async () => {
  await started;
  await service.write('sund', (db) => insertTestBank(db));
});

const get = (target: string, ...headers: string[]) =>
  sendRaw(
    service.port,
    formatRawRequest(`GET ${target} HTTP/1.1`, [host, `Authorization: Bearer ${manager.token}`, ...headers]),
  );

const isAlive = async (): Promise<boolean> => (await service.call('GET', '/livez')).status === 200;

test('[general.28] bytes that are not HTTP are 400 as a problem, and the connection is closed', async () => {
  for (const bytes of noRequests) {
    const { status, headers, json: problem } = await sendRaw(service.port, bytes);
    assert.deepEqual([status, problem.code, problem.status], [400, 'invalid-request', 400], JSON.stringify(bytes));
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal(headers['connection'], 'close');
  }
  assert.ok(await isAlive());
});

test('[general.28] so they are in the body of a request whose session is looked up first, also where no body is read', async () => {
  for (const [line, expected] of [
    ['PUT /api/v1/session/me/theme HTTP/1.1', 400],
    ['GET /api/v1/session/me HTTP/1.1', 200],
    ['PUT /api/v1/nothing HTTP/1.1', 404],
  ] as const) {
    const head = [host, jsonBody, `Authorization: Bearer ${await issueToken()}`, 'Transfer-Encoding: chunked'];
    const { status, headers } = await sendRaw(service.port, formatRawRequest(line, head, '2\r\n{"\r\nzz\r\n'));
    assert.deepEqual([status, headers['connection']], [expected, 'close'], line);
  }
});

test('[general.28] a header larger than the service accepts is 431, and a parameter that is too long 414', async () => {
  const room = mostHeaderBytes - 500;
  const large: [expected: number, target: string, ...headers: string[]][] = [
    [200, '/livez', `X-Large: ${'x'.repeat(room)}`],
    [431, '/livez', `X-Large: ${'x'.repeat(mostHeaderBytes)}`],
    [431, '/livez', ...Array.from({ length: 1500 }, (_, at) => `X-${at}: 12345`)],
    [404, `/${'x'.repeat(room)}`],
    [431, `/${'x'.repeat(mostHeaderBytes)}`],
    [400, `/api/v1/banks/${'x'.repeat(mostParamLength)}/account`],
    [414, `/api/v1/banks/${'x'.repeat(mostParamLength + 1)}/account`],
    [400, `${account}?${'x'.repeat(room / 2)}`],
  ];
  for (const [expected, target, ...headers] of large) {
    const { status, json } = await get(target, ...headers);
    assert.equal(status, expected, `${target.slice(0, 40)} of ${target.length}, ${headers.length} fields`);
    if (status >= 400) assert.equal(json.status, status);
  }
  assert.ok(await isAlive());
});

test('percent-encoded characters in a path are decoded exactly once', async () => {
  const targets: [target: string, status: number][] = [
    ['/api/v1/banks/sund%2DB1001/account', 200],
    ['/api/v1/banks/%73%75%6e%64-B1001/account', 200],
    ['/api/v1/banks/sund%252DB1001/account', 400],
    ['/api/v1/banks/sund-B1001%00/account', 400],
    ['/api/v1/banks/sund-B1001%20/account', 400],
    ['/api/v1/banks/sund-B1001%2Faccount', 404],
    ['/api/v1/banks/sund-B1001%2F..%2Fsund-B1001/account', 400],
    ['/api/v1/banks/%2e%2e/account', 400],
    ['/api/v1/banks/%c3%a6/account', 400],
    ['/api/v1/banks/%c3%28/account', 400],
    ['/api/v1/banks/%ff/account', 400],
    ['/api/v1/banks/%ed%a0%80/account', 400],
    ['/api/v1/banks/%/account', 400],
    ['/api/v1/banks/%2/account', 400],
    ['/api/v1/banks/%zz/account', 400],
    ['/api/v1/banks/%u0041/account', 400],
    ['/%61pi/v1/session/me', 200],
    ['/api%2Fv1/session/me', 404],
    ['/api/v1/session/me%3Fx=1', 404],
    ['/api/v1/session/me#fragment', 200],
    ['/api/v1/session\\me', 404],
    ['/api/v1/./session/me', 404],
  ];
  for (const [target, expected] of targets) {
    const { status, json } = await get(target);
    assert.equal(status, expected, target);
    if (expected >= 400) assert.equal(json.status, expected);
  }
});

test('a query can be percent-encoded or not, and broken encoding in it is a wrong value', async () => {
  assert.equal((await get(`${account}?%4cimit=%31`)).json.limit, 1);
  assert.equal((await get(`${account}?TimeZone=Europe%2FOslo`)).json.timeZone, 'Europe/Oslo');
  assert.equal((await get(`${account}?TimeZone=Etc/GMT%2B1`)).json.timeZone, 'Etc/GMT+1');
  const broken = [
    'Limit=%',
    'Limit=%zz',
    'Limit=%ff',
    'Limit=1%00',
    '%=1',
    'Limit=1;Offset=1',
    '?Limit=1',
    'Limit=1#',
    'Limit=+1',
  ];
  for (const query of broken) assert.equal((await get(`${account}?${query}`)).status, 400, query);
  assert.equal((await get(`${account}?`)).status, 200);
});

test('an upgrade is ignored, and a tunnel is refused', async () => {
  const asked = formatRawRequest('GET /livez HTTP/1.1', [host, 'Connection: Upgrade', 'Upgrade: h2c']);
  assert.equal((await sendRaw(service.port, asked)).status, 200);
  const tunnel = await sendRaw(service.port, formatRawRequest('CONNECT api.sund.localhost:443 HTTP/1.1', [host]));
  assert.deepEqual([tunnel.status, tunnel.json.code], [400, 'invalid-request']);
  assert.ok(await isAlive());
});

test('a client that disconnects during its request is not reported as a defect', async () => {
  const lines: string[] = [];
  const formatters = { level: (level: string) => ({ level }) };
  const log = pino({ level: 'trace', formatters }, { write: (line) => void lines.push(line) });
  const instance = await startInstance(service, { log });
  try {
    const { port } = instance.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const head = ['POST /api/v1/session/login HTTP/1.1', host, jsonBody, 'Content-Length: 1000'];
    socket.write(`${head.join('\r\n')}\r\n\r\n{"userName":`);
    await once(instance.app.server, 'request');
    socket.destroy();
    const logged = (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line));
    const isLogged = (name: string): boolean => logged().some(({ msg }) => msg === name);
    while (!isLogged('request') || !isLogged('invalid-request')) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(
      logged().every(({ level }) => level === 'info' || level === 'debug'),
      lines.join(''),
    );
    const [request] = logged().filter(({ msg }) => msg === 'request');
    assert.deepEqual([request?.['status'], request?.['operation']], [400, 'LoginManager']);
    assert.match(await service.dependencies.metrics.text(), /^http_server_active_requests 0$/m);
  } finally {
    await instance.stop();
  }
});

test('a client that sends its header or its body too slowly gets a problem, and its connection is closed', async () => {
  const { server } = service.app;
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
  assert.deepEqual([headersTimeout, requestTimeout], [10_000, 30_000]);
  // An idle connection outlives those of common load balancers, which keep theirs for a minute.
  assert.deepEqual([keepAliveTimeout, timeout], [72_000, 60_000]);
  // The same timeouts, but shorter.
  server.headersTimeout = 300;
  server.requestTimeout = 600;
  try {
    const body = ['POST /api/v1/session/login HTTP/1.1', host, jsonBody, 'Content-Length: 100'];
    for (const bytes of [`GET /livez HTTP/1.1\r\n${host}\r\n`, `${body.join('\r\n')}\r\n\r\n{`]) {
      const { status, headers } = await sendRaw(service.port, bytes);
      assert.deepEqual([status, headers['connection']], [408, 'close']);
      assert.ok(headers['x-request-id']);
    }
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout });
  }
});
