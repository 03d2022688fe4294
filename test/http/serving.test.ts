// The process as an operator sees it: the ready line, the metrics on a separate listener, and the log.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { insertTestManager } from '../support/factories.ts';
import { createComputerKey } from '../support/computers.ts';
import { createApiKey } from '../support/services.ts';
import { createStorage, startService, type TestStorage } from '../support/service.ts';
import { getTenant } from '../support/demo-database.ts';
import { reasonWithout } from '../support/programs.ts';
import { readTerminal, runPortal, startServeProcess, type ServeProcess } from '../support/portal-process.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';

const host = 'Host: api.sund.localhost';
const me = '/api/v1/session/me';
const login = '/api/v1/session/login';
const credentials = { userName: 'observed', password: 'a-long-and-secret-passphrase' };

let storage: TestStorage;
let child: ServeProcess;
before(async () => {
  storage = await createStorage('sqlite');
  const service = await startService('sqlite', { storage });
  const passwordHash = await service.dependencies.passwordHasher.hash(credentials.password);
  await service.write('sund', (db) => insertTestManager(db, { userName: credentials.userName, passwordHash }));
  await service.stop();
  child = await startServeProcess({ PORTAL_STORAGE: storage.storageUrl, PORTAL_LOG_LEVEL: 'trace' });
});
after(async () => {
  await child.kill();
  await storage.release();
});

const ask = (method: string, target: string, headers: readonly string[] = [], body = '') => {
  const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return sendRaw(child.port, formatRawRequest(`${method} ${target} HTTP/1.1`, [host, ...length, ...headers], body));
};

/** Waits for the log line of a request, as it is written after the answer. */
async function loggedOf(requestId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const found = child.lines().map((line): Record<string, unknown> => JSON.parse(line));
    const line = found.find((each) => each['requestId'] === requestId && each['msg'] === 'request');
    if (line !== undefined) return line;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function metrics(): Promise<{ type: string | null; samples: Map<string, number>; text: string }> {
  const reply = await fetch(child.metricsUrl);
  const text = await reply.text();
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = samples.map((line): [string, number] => [
    line.slice(0, line.lastIndexOf(' ')),
    Number(line.slice(line.lastIndexOf(' ') + 1)),
  ]);
  return { type: reply.headers.get('content-type'), samples: new Map(pairs), text };
}

test('the ready line is one line of JSON with the address it listens on', async () => {
  const ready = child.lines().filter((line) => line.includes('"msg":"ready"'));
  assert.equal(ready.length, 1);
  const { msg, url, level } = JSON.parse(ready[0] ?? '');
  assert.deepEqual([msg, url, level], ['ready', `http://127.0.0.1:${child.port}`, 'info']);
  assert.equal((await ask('GET', '/livez')).status, 200);
});

test(
  'a terminal gets four lines for people: the portal, the documentation, a login that works, and the Windows app',
  { skip: reasonWithout('python3') },
  async (t) => {
    const demo = await createStorage('sqlite');
    t.after(() => demo.release());
    const tenants = join(mkdtempSync(join(tmpdir(), 'portal-tenants-')), 'tenants.json');
    t.after(() => rmSync(dirname(tenants), { recursive: true }));
    writeFileSync(tenants, JSON.stringify([getTenant('fjord')]));
    const settings = { PORTAL_STORAGE: demo.storageUrl, PORTAL_TENANTS: tenants, PORTAL_SIMULATOR: 'off' };
    assert.equal((await runPortal(['demo', '--postings', '300'], settings)).code, 0);
    const text = await readTerminal(['serve', '--demo'], settings, /^Windows app: [^\n]*\n/m);
    const [, port = ''] = /"msg":"ready","url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(text) ?? [];
    assert.match(port, /^\d+$/, text);
    assert.ok(
      text.includes(
        `\nPortal:        http://api.fjord.localhost:${port}/console/\n` +
          `Documentation: http://api.fjord.localhost:${port}/docs\n` +
          'Login:         user name owner, password demo-Password-1\n' +
          `Windows app:   http://api.fjord.localhost:${port}/download\n`,
      ),
      text,
    );
    // What a program reads is JSON only, as this file shows.
    for (const line of child.lines()) assert.doesNotThrow(() => JSON.parse(line), line);
  },
);

test('tokens, keys and enrolment codes in a path are masked in the log, other paths are not', async () => {
  const token = randomBytes(32).toString('base64url');
  const key = createApiKey(3);
  const computerKey = createComputerKey();
  const code = '7K3M-9XQP-2RTW-HJ4D';
  const encoded = (text: string) => text.replaceAll('_', '%5F').replaceAll('-', '%2d');
  const long = `/${'a/'.repeat(245)}`;
  const masked = {
    [`/api/v1/banks/${token}/account`]: '/api/v1/banks/[masked]/account',
    [`/${key}`]: '/[masked]',
    [`/x/${encoded(key)}/y`]: '/x/[masked]/y',
    [`/x/${encoded(token)}`]: '/x/[masked]',
    [`/equipment/v1/enrol/${code}`]: '/equipment/v1/enrol/[masked]',
    [`/equipment/v1/enrol/${code.toLowerCase()}/x`]: '/equipment/v1/enrol/[masked]/x',
    [`/equipment/v1/streams/${computerKey}`]: '/equipment/v1/streams/[masked]',
    [`/x/${encoded(computerKey)}/y`]: '/x/[masked]/y',
    [`/${computerKey.slice(0, 20)}`]: '/[masked]',
    [`/equipment/v1/streams/${encoded(computerKey.slice(0, 12))}`]: '/equipment/v1/streams/[masked]',
    [`/equipment/v1/streams/key%3D${computerKey.slice(0, 20)}`]: '/equipment/v1/streams/key%3D[masked]',
    [`/x,Bearer%20${key.slice(0, 20)}`]: /^\/x,(?:Bearer%20)?\[masked\]$/,
    [`${long}${token}`]: `${long}[masked]`,
    '/api/v1/banks/sund-B1001/users/sund-B1001-R1042/commands/SetPin': undefined,
    '/download/windows/x64/portal_1.2.3.0_x64.msix': undefined,
    '/api/v1/icons/smoke_detector/bike_rack': undefined,
  };
  for (const [path, expected = path] of Object.entries(masked)) {
    const logged = String((await loggedOf(String((await ask('GET', path)).headers['x-request-id'])))['path']);
    if (expected instanceof RegExp) assert.match(logged, expected);
    else assert.equal(logged, expected);
  }
  for (const line of child.lines())
    for (const secret of [
      token,
      key,
      encoded(key),
      key.slice(0, 20),
      encoded(token),
      computerKey,
      computerKey.slice(0, 12),
      code,
    ])
      assert.ok(!line.includes(secret));
});

test('[public.27] /metrics is Prometheus text with the OpenTelemetry names, on a separate listener', async () => {
  assert.notEqual(new URL(child.metricsUrl).port, String(child.port));
  const labels = `http_request_method="GET",http_route="${me}",http_response_status_code="401",url_scheme="http"`;
  const earlier = (await metrics()).samples.get(`http_server_request_duration_seconds_count{${labels}}`) ?? 0;
  for (let at = 0; at < 3; at += 1) assert.equal((await ask('GET', `${me}?secret=x`)).status, 401);
  await loggedOf(String((await ask('GET', '/nope')).headers['x-request-id']));
  const { type, samples, text } = await metrics();
  assert.match(type ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal(samples.get(`http_server_request_duration_seconds_count{${labels}}`), earlier + 3);
  assert.ok((samples.get(`http_server_request_duration_seconds_sum{${labels}}`) ?? 0) > 0);
  assert.equal(samples.get(`http_server_request_duration_seconds_bucket{le="+Inf",${labels}}`), earlier + 3);
  assert.equal(samples.get('http_server_active_requests'), 0);
  assert.match(text, /^# TYPE http_server_request_duration_seconds histogram$/m);
  assert.match(text, /^# TYPE process_resident_memory_bytes gauge$/m);
  assert.doesNotMatch(text, /nope|secret/);
});

test('an unknown method is logged as it was sent, and adds no label to the metrics', async () => {
  const refused = await ask('PROPFIND', me);
  assert.equal(refused.status, 405);
  assert.equal((await loggedOf(String(refused.headers['x-request-id'])))['method'], 'PROPFIND');
  const { text } = await metrics();
  assert.match(text, new RegExp(`http_request_method="_OTHER",http_route="${me}",http_response_status_code="405"`));
  assert.doesNotMatch(text, /PROPFIND/);
});

test('[public.27] the metrics listener serves only metrics and health, on loopback, and the API listener serves no metrics', async () => {
  assert.equal(new URL(child.metricsUrl).hostname, '127.0.0.1');
  for (const path of ['/metrics', '/metrics/', '/api/v1/metrics'])
    assert.equal((await ask('GET', path)).json.code, 'unknown-route');
  for (const path of ['/', me, '/metrics/x', '/metrics?x'])
    assert.equal((await fetch(new URL(path, child.metricsUrl))).status, 404, path);
  for (const path of ['/livez', '/readyz']) {
    const health = await fetch(new URL(path, child.metricsUrl));
    const { status, json } = await ask('GET', path);
    const body = (await health.json()) as { code?: string };
    assert.deepEqual([health.status, body.code], [status, json.code], path);
  }
  assert.equal((await fetch(child.metricsUrl, { method: 'POST' })).status, 404);
  // Another loopback address, on which a listener on all addresses would answer.
  const elsewhere = connect(Number(new URL(child.metricsUrl).port), '127.0.0.2');
  const outcome = await new Promise((resolve) =>
    elsewhere.on('error', () => resolve('refused')).on('connect', () => resolve('open')),
  );
  elsewhere.destroy();
  assert.equal(outcome, 'refused');
});

test('a request is logged in one line with its ids, its tenant and environment, its operation and its result', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const ids = ['X-Request-Id: logged-1', `traceparent: 00-${traceId}-00f067aa0ba902b7-01`];
  const opened = await ask('POST', login, ids, JSON.stringify(credentials));
  assert.equal(opened.status, 200);
  const { time, ms, ...line } = await loggedOf('logged-1');
  assert.ok(!Number.isNaN(Date.parse(String(time))) && typeof ms === 'number');
  assert.deepEqual(line, {
    level: 'info',
    requestId: 'logged-1',
    method: 'POST',
    path: login,
    status: 200,
    traceId,
    clientAddress: '127.0.0.1',
    tenant: 'sund',
    environment: 'production',
    operation: 'LoginManager',
    msg: 'request',
  });
  await ask('GET', `${me}?x=1`, ['X-Request-Id: logged-2', `Authorization: Bearer ${opened.json.accessToken}`]);
  const refused = await loggedOf('logged-2');
  assert.deepEqual(
    [refused['path'], refused['code'], refused['managerId'], refused['operation']],
    [me, 'invalid-request', 1001, 'GetCurrentManager'],
  );
});

test('no line of the log holds a secret, even at level trace', async () => {
  const { json } = await ask('POST', login, [], JSON.stringify(credentials));
  const token: string = json.accessToken;
  const secrets = [
    token,
    credentials.password,
    'guessed-password',
    'stolen-token',
    'in-the-query',
    'in-a-cookie',
    'dXNlcjpwYXNz',
  ];
  const requests = [
    ask('GET', me, [`Authorization: Bearer ${token}`, 'Cookie: session=in-a-cookie']),
    ask('GET', `${me}?access_token=in-the-query`, [`Authorization: Bearer ${token}`]),
    ask('GET', me, ['Authorization: Bearer stolen-token']),
    ask('GET', me, ['Authorization: Basic dXNlcjpwYXNz']),
    ask('POST', login, [], JSON.stringify({ ...credentials, password: 'guessed-password' })),
    ask('POST', login, [], JSON.stringify({ ...credentials, extra: 1 })),
    ask('POST', login, [], `{"password":"${credentials.password}"`),
    ask('POST', login, [], `{"password":${credentials.password}}`),
    ask('POST', login, [], `{"password":"${credentials.password}${'x'.repeat(10_000)}"}`),
    ask('GET', '/%zz?access_token=in-the-query', [`Authorization: Bearer ${token}`]),
    sendRaw(child.port, `${credentials.password}\r\nAuthorization: Bearer ${token}\r\n\r\n`),
    sendRaw(
      child.port,
      formatRawRequest('GET /livez HTTP/1.1', [`Authorization: Bearer ${token}${'x'.repeat(20_000)}`]),
    ),
    ask('POST', '/api/v1/session/logout', [`Authorization: Bearer ${token}`]),
  ];
  for (const { headers } of await Promise.all(requests)) assert.ok(headers['x-request-id']);
  await ask('GET', '/nope', ['X-Request-Id: the-last-one']);
  await loggedOf('the-last-one');
  const log = child.lines().join('\n') + child.stderr();
  for (const secret of secrets) assert.ok(!log.includes(secret), `${secret} stands in the log`);
  // The log was not empty: it has each of the refusals.
  for (const code of ['malformed-body', 'invalid-credentials', 'payload-too-large'])
    assert.ok(log.includes(code), code);
});
