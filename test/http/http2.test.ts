// TLS: HTTP/2 and HTTP/1.1 on the same port, and the tenant selected by :authority.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { contentCodings, decodeBody } from '../support/decode-body.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';
import { sendRaw, formatRawRequest } from './support/raw-http.ts';
import { serviceFixture } from '../support/service-suite.ts';

const me = '/api/v1/session/me';
const sund = 'api.sund.localhost';
const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'));

const settings = { PORTAL_TLS_CERT: join(folder, 'cert.pem'), PORTAL_TLS_KEY: join(folder, 'key.pem') };
let session: ClientHttp2Session;

before(() => {
  const { cert, key } = createSelfSignedCertificate(sund);
  writeFileSync(settings.PORTAL_TLS_CERT, cert);
  writeFileSync(settings.PORTAL_TLS_KEY, key, { mode: 0o600 });
});
after(() => rmSync(folder, { recursive: true }));
const { service, manager, started, onStop } = serviceFixture('sqlite', { tenants: ['sund', 'fjord'], settings });
before(async () => {
  await started;
  session = connect(`https://127.0.0.1:${service.port}`, { rejectUnauthorized: false });
  session.on('error', () => {});
  onStop(() => session.close());
});

type Answer = { readonly headers: Record<string, unknown>; readonly text: string };

function ask(headers: OutgoingHttpHeaders, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers, { endStream: body === undefined });
    let answered: Record<string, unknown> = {};
    let text = '';
    stream.on('response', (each) => (answered = { ...each }));
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => (text += chunk));
    stream.on('error', reject);
    stream.on('close', () => resolve({ headers: answered, text }));
    if (body !== undefined) stream.end(body);
  });
}

test('answers over HTTP/2 are compressed as over HTTP/1.1, with the fields of HEAD', async () => {
  const askFor = async (method: string, path: string, coding: string) => {
    const stream = session.request({
      ':method': method,
      ':path': path,
      ':authority': sund,
      'accept-encoding': coding,
      authorization: `Bearer ${manager.token}`,
    });
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    await once(stream, 'close');
    return { headers, bytes: Buffer.concat(chunks) };
  };
  for (const path of [me, '/api/v1/icon/line/washer~n3.svg', '/openapi/public-v1.json'])
    for (const coding of contentCodings) {
      const plain = await askFor('GET', path, 'identity');
      const coded = await askFor('GET', path, coding);
      const head = await askFor('HEAD', path, coding);
      assert.deepEqual([coded.headers['content-encoding'], head.headers['content-encoding']], [coding, coding]);
      assert.ok(coded.bytes.length < plain.bytes.length);
      assert.ok(decodeBody(coded.bytes, coding).equals(plain.bytes), path);
      assert.equal(Number(coded.headers['content-length']), coded.bytes.length);
      assert.deepEqual([head.headers['content-length'], head.bytes.length], [coded.headers['content-length'], 0]);
      assert.equal(coded.headers.etag, plain.headers.etag === undefined ? undefined : `W/${plain.headers.etag}`);
    }
});

async function tenantHostAnswer(headers: OutgoingHttpHeaders): Promise<string> {
  const { headers: answered, text } = await ask({ ':path': me, authorization: `Bearer ${manager.token}`, ...headers });
  const json = JSON.parse(text);
  return answered[':status'] === 200 ? `${json.tenantKid} ${json.environment}` : `${json.status} ${json.code}`;
}

test('over TLS a document names the host by https', async () => {
  const path = '/openapi/public-v1.json';
  const { text } = await ask({ ':path': path, ':authority': 'api.fjord.localhost:8443' });
  assert.deepEqual(JSON.parse(text).servers, [
    { url: 'https://api.fjord.localhost:8443', description: 'Fjord, production' },
  ]);
  const { text: answer } = await sendRaw(service.port, formatRawRequest(`GET ${path} HTTP/1.1`, [`Host: ${sund}`]), {
    tls: true,
  });
  assert.match(answer, new RegExp(`"servers":\\[\\{"url":"https://${sund}"`));
});

test('[general.14] over HTTP/2 the tenant is that of :authority, in any case and with a port', async () => {
  assert.equal(await tenantHostAnswer({ ':authority': sund }), 'sund production');
  assert.equal(await tenantHostAnswer({ ':authority': 'API.SUND.LOCALHOST:8443' }), 'sund production');
  assert.equal(await tenantHostAnswer({ ':authority': `beta.${sund}` }), '401 unauthenticated');
  assert.equal(await tenantHostAnswer({ ':authority': 'api.fjord.localhost' }), '401 unauthenticated');
  assert.equal(await tenantHostAnswer({ ':authority': 'localhost' }), '400 unknown-host');
  await assert.rejects(tenantHostAnswer({ ':authority': `anyone@${sund}` }), /PROTOCOL_ERROR/);
});

test('[general.14] over HTTP/2 a Host that disagrees with :authority is refused', async () => {
  assert.equal(await tenantHostAnswer({ ':authority': sund, host: sund }), 'sund production');
  // A Host that an intermediary passes on instead of :authority counts as in HTTP/1.1.
  assert.equal(await tenantHostAnswer({ host: sund }), 'sund production');
  assert.equal(await tenantHostAnswer({ host: 'localhost' }), '400 unknown-host');
  for (const host of ['api.fjord.localhost', `beta.${sund}`, 'localhost'])
    assert.equal(await tenantHostAnswer({ ':authority': sund, host }), '400 unknown-host', host);
  assert.equal(await tenantHostAnswer({ ':authority': 'localhost', host: sund }), '400 unknown-host');
});

test('[general.15] over HTTP/2 a forwarded host never changes the tenant', async () => {
  for (const field of ['x-forwarded-host', 'x-forwarded-server', 'x-host']) {
    assert.equal(
      await tenantHostAnswer({ ':authority': sund, [field]: 'api.fjord.localhost' }),
      'sund production',
      field,
    );
    assert.equal(await tenantHostAnswer({ ':authority': 'localhost', [field]: sund }), '400 unknown-host', field);
  }
  assert.equal(
    await tenantHostAnswer({ ':authority': sund, forwarded: 'host=api.fjord.localhost' }),
    'sund production',
  );
});

test('HTTP/1.1 is served on the same port to clients without HTTP/2', async () => {
  const options = { host: '127.0.0.1', port: service.port, rejectUnauthorized: false, agent: false } as const;
  const [version, status] = await new Promise<unknown[]>((resolve, reject) => {
    const headers = { host: sund, authorization: `Bearer ${manager.token}` };
    get({ ...options, path: me, headers }, (reply) => resolve([reply.resume().httpVersion, reply.statusCode])).on(
      'error',
      reject,
    );
  });
  assert.deepEqual([version, status], ['1.1', 200]);
  for (const [offered, chosen] of [
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ] as const) {
    const socket = connectTls({ ...options, ALPNProtocols: [...offered] });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    assert.equal(socket.alpnProtocol, chosen);
    socket.destroy();
  }
});

test('[general.14] over TLS the Host of HTTP/1.1 counts as it does without TLS', async () => {
  const bearer = `Authorization: Bearer ${manager.token}`;
  const status = async (line: string, ...hosts: string[]) =>
    (await sendRaw(service.port, formatRawRequest(line, [...hosts, bearer]), { tls: true })).status;
  assert.equal(await status(`GET ${me} HTTP/1.1`, `Host: ${sund}`), 200);
  assert.equal(await status(`GET ${me} HTTP/1.1`, `Host: ${sund}`, 'Host: api.fjord.localhost'), 400);
  assert.equal(await status(`GET https://${sund}${me} HTTP/1.1`, 'Host: api.fjord.localhost'), 200);
});

test('[general.51] over HTTP/2 every answer has its request id, and every error is a problem', async () => {
  const requests: [expected: number, headers: OutgoingHttpHeaders, body?: string][] = [
    [200, { ':path': me, authorization: `Bearer ${manager.token}` }],
    [200, { ':path': '/livez' }],
    [204, { ':path': me, ':method': 'OPTIONS' }],
    [400, { ':path': '/%zz' }],
    [400, { ':path': '/api/v1/session/login', ':method': 'POST', 'content-type': 'application/json' }, '{'],
    [401, { ':path': me }],
    [404, { ':path': '/nope' }],
    [405, { ':path': me, ':method': 'PROPFIND' }],
    [
      413,
      { ':path': '/api/v1/session/login', ':method': 'POST', 'content-type': 'application/json' },
      `"${'x'.repeat(8192)}"`,
    ],
    [415, { ':path': '/api/v1/session/login', ':method': 'POST', 'content-type': 'text/plain' }, 'x'],
  ];
  for (const [expected, given, body] of requests) {
    const { headers, text } = await ask({ ':authority': sund, ...given }, body);
    assert.equal(headers[':status'], expected, String(given[':path']));
    assert.match(String(headers['x-request-id']), /^[\w-]{36}$/);
    if (expected >= 400) assert.equal(JSON.parse(text).status, expected);
  }
  const metrics = await service.dependencies.metrics.text();
  assert.match(metrics, /status_code="415",url_scheme="https"/);
  assert.doesNotMatch(metrics, /status_code="499"/);
});

test('over TLS browsers are told to use only TLS', async () => {
  const { headers } = await ask({ ':authority': sund, ':path': '/livez' });
  assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains');
});

test('the TLS listener has the limits that are documented, and those of HTTP/2', async () => {
  const server = service.app.server as unknown as Record<string, number>;
  assert.equal(server['headersTimeout'], 10_000);
  assert.equal(server['requestTimeout'], 30_000);
  assert.equal(server['keepAliveTimeout'], 72_000);
  assert.equal(server['connectionsCheckingInterval'], 1000);
  assert.equal(server['maxHeaderSize'], 16_384);
  assert.equal(session.remoteSettings.maxConcurrentStreams, 100);
  assert.equal(session.remoteSettings.maxHeaderListSize, 16_384);
  const oversized = { ':authority': sund, ':path': '/livez', 'x-large': 'x'.repeat(16_384) };
  await assert.rejects(ask(oversized), /ENHANCE_YOUR_CALM|REFUSED_STREAM/);
  // One refused stream does not end the connection.
  assert.equal((await ask({ ':authority': sund, ':path': '/livez' })).headers[':status'], 200);
});

test('a client of TLS 1.2 cannot have the keys of its connection agreed anew', async () => {
  const socket = connectTls({
    port: service.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    maxVersion: 'TLSv1.2',
  });
  await once(socket, 'secureConnect');
  assert.equal(socket.getProtocol(), 'TLSv1.2');
  const outcome = await new Promise<string>((resolve) => {
    socket.on('error', ({ message }) => resolve(message));
    socket.renegotiate({}, (error) => resolve(error === null ? 'agreed' : error.message));
  });
  socket.destroy();
  assert.match(outcome, /no renegotiation/);
});

test('an unknown method is handled like any other', async () => {
  const at = async (authority: string, path: string): Promise<unknown[]> => {
    const { headers, text } = await ask({ ':method': 'EVIL', ':authority': authority, ':path': path });
    assert.ok(headers['x-request-id']);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    return [headers[':status'], JSON.parse(text).code];
  };
  assert.deepEqual(await at(sund, me), [405, 'method-not-allowed']);
  assert.deepEqual(await at(sund, '/nope'), [404, 'unknown-route']);
  assert.deepEqual(await at('elsewhere.example', me), [400, 'unknown-host']);
  const tunnel = await ask({ ':method': 'CONNECT', ':authority': sund });
  // Without a path the request is for the path /.
  assert.deepEqual([tunnel.headers[':status'], JSON.parse(tunnel.text).code], [405, 'method-not-allowed']);
  assert.ok(tunnel.headers['x-request-id']);
});
