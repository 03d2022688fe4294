// Uploads, with a test operation: octets reach the operation as they arrive, decompressed and bounded, however large the
// file and however slow the operation; clients that are too slow, too many or gone are told from those that are not.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip, gzipSync, zstdCompressSync } from 'node:zlib';
import { Type } from 'typebox';
import { ClientGoneError } from '../../src/http/context/client-watch.ts';
import type { ManagerContext } from '../../src/http/context/operation-context.ts';
import { createOpenApiDocument } from '../../src/http/openapi/documents.ts';
import { octetsMediaTypes } from '../../src/http/operations/operation-properties.ts';
import { defineManagerOperation, definePublicOperation } from '../../src/http/operations/operation.ts';
import { jsonOf } from '../../src/http/operations/response.ts';
import { closedObject, octets } from '../../src/http/schemas/schema-types.ts';
import { Problem } from '../../src/lib/problem.ts';
import { waitUntil } from '../support/async.ts';
import { sundHost } from '../support/call.ts';
import { mockMonotonicClock, startOperations, type TestInstance } from '../support/instances.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';

const path = '/api/v1/test/upload';
const megabyte = 1_000_000;
const maxBodyBytes = 400 * megabyte;
const largeBytes = 300 * megabyte;
const deadlineMs = 500;

type Octets = AsyncIterable<Uint8Array>;

/** What the operation does with the next bodies, and the error with which an iteration ended. */
const script = { use: countBytes as (body: Octets, context: ManagerContext) => Promise<number> };

async function countBytes(body: Octets): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += chunk.length;
  return bytes;
}

const declared = {
  id: 'UploadTest',
  method: 'POST',
  path,
  openApiDocuments: ['portal'],
  group: 'Units',
  summary: 'Count octets',
  access: { permissions: ['Bank.Read'] },
  query: closedObject({ fails: Type.Optional(Type.Literal('true')) }),
  body: octets('The file.'),
  bodyFormat: 'octets',
  maxBodyBytes,
  response: jsonOf(closedObject({ bytes: Type.Integer() })),
  problemCodes: ['invalid-filter'],
  deadlineMs,
} as const;
const upload = defineManagerOperation({
  ...declared,
  run: async ({ body }, context) => ({ bytes: await script.use(body, context) }),
});

const { service, manager, issueToken, started, onStop } = serviceFixture('sqlite');
let plain: TestInstance;
let secure: TestInstance;
let session: ClientHttp2Session;
before(async () => {
  await started;
  plain = await startOperations(service, [upload]);
  onStop(plain.stop);
  secure = await startOperations(service, [upload], { tls: createSelfSignedCertificate(sundHost) });
  onStop(secure.stop);
  session = connectHttp2(`https://127.0.0.1:${portOf(secure)}`, { rejectUnauthorized: false });
  onStop(() => session.close());
});

const portOf = ({ app }: TestInstance): number => (app.server.address() as AddressInfo).port;

type Reply = {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly json: Record<string, unknown>;
};

type Sending = {
  /** Resolves when the client should continue. */
  write(chunk: Buffer): Promise<void>;
  end(): void;
  /** As a client that goes away. */
  abort(): void;
  readonly reply: Promise<Reply>;
};

type Headers = Readonly<Record<string, string>>;
type Open = (headers?: Headers, token?: string, target?: string) => Sending;

/** Writes as fast as the service reads, and stops when it no longer does. */
async function writeTo(
  stream: ClientRequest | ReturnType<ClientHttp2Session['request']>,
  chunk: Buffer,
): Promise<void> {
  if (stream.destroyed || stream.closed || stream.write(chunk)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stream.once('drain', resolve).once('close', resolve);
  await promise;
  stream.off('drain', resolve).off('close', resolve);
}

async function readReply(
  incoming: AsyncIterable<Buffer>,
  headers: Record<string, unknown>,
  status: number,
): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return { status, headers, json: JSON.parse(Buffer.concat(chunks).toString()) };
}

const openHttp1: Open = (headers = {}, token = manager.token, target = path) => {
  const outgoing = request({
    port: portOf(plain),
    host: '127.0.0.1',
    method: 'POST',
    path: target,
    agent: false,
    headers: { host: sundHost, authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
  });
  const reply = once(outgoing, 'response').then(([incoming]: IncomingMessage[]) => {
    assert.ok(incoming !== undefined);
    return readReply(incoming, incoming.headers, incoming.statusCode ?? 0);
  });
  // A test that does not wait for it expects none.
  reply.catch(() => {});
  outgoing.on('error', () => {});
  return {
    write: (chunk) => writeTo(outgoing, chunk),
    end: () => outgoing.end(),
    abort: () => outgoing.destroy(),
    reply,
  };
};

const openHttp2: Open = (headers = {}, token = manager.token, target = path) => {
  const stream = session.request({
    ':method': 'POST',
    ':path': target,
    ':authority': sundHost,
    authorization: `Bearer ${token}`,
    'content-type': 'text/csv',
    ...headers,
  });
  const reply = once(stream, 'response').then(([answered]: Record<string, unknown>[]) =>
    readReply(stream, answered ?? {}, Number(answered?.[':status'])),
  );
  reply.catch(() => {});
  stream.on('error', () => {});
  return {
    write: (chunk) => writeTo(stream, chunk),
    end: () => stream.end(),
    // `close` would end the body first.
    abort: () => stream.destroy(),
    reply,
  };
};

async function send(open: Open, body: Buffer, headers?: Headers, token?: string, target?: string): Promise<Reply> {
  const sending = open(headers, token, target);
  await sending.write(body);
  sending.end();
  return sending.reply;
}

/** The growth of the process's memory in bytes while something runs. */
async function measurePeak(work: () => Promise<void>): Promise<number> {
  const bytesBefore = process.memoryUsage.rss();
  let peak = bytesBefore;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  await work();
  clearInterval(timer);
  return peak - bytesBefore;
}

const mostGrowthBytes = largeBytes / 2;

for (const [protocol, open] of [
  ['HTTP/1.1', openHttp1],
  ['HTTP/2', openHttp2],
] as const)
  describe(`over ${protocol}`, () => {
    test('[general.59] 300 MB reach the operation, and never are in memory', async (t) => {
      script.use = countBytes;
      const chunk = randomBytes(100_000);
      const growth = await measurePeak(async () => {
        const sending = open();
        for (let sent = 0; sent < largeBytes; sent += chunk.length) await sending.write(chunk);
        sending.end();
        assert.deepEqual((await sending.reply).json, { bytes: largeBytes });
      });
      t.diagnostic(`the memory of service and client grew by ${Math.round(growth / megabyte)} MB`);
      assert.ok(growth < mostGrowthBytes, `${growth} bytes`);
    });

    test('[general.60] a slow operation slows its client down, whatever the clock says', async (t) => {
      const opened = Promise.withResolvers<void>();
      script.use = async (body) => {
        let bytes = 0;
        for await (const chunk of body) {
          bytes += chunk.length;
          await opened.promise;
        }
        return bytes;
      };
      const clock = mockMonotonicClock();
      const chunk = randomBytes(100_000);
      let sent = 0;
      let isDone = false;
      try {
        const growth = await measurePeak(async () => {
          const sending = open();
          const writing = (async () => {
            for (; sent < 100 * megabyte; sent += chunk.length) await sending.write(chunk);
            isDone = true;
            sending.end();
          })();
          for (let minutes = 0; minutes < 4; minutes += 1) {
            await pause(600);
            clock.advance(60_000);
          }
          const waiting = sent;
          await pause(300);
          assert.deepEqual([sent, isDone], [waiting, false]);
          t.diagnostic(`${Math.round(sent / 1000)} kB were sent before the client had to wait`);
          opened.resolve();
          await writing;
          assert.deepEqual((await sending.reply).json, { bytes: sent });
        });
        assert.ok(growth < mostGrowthBytes, `${growth} bytes`);
      } finally {
        clock.restore();
      }
    });

    test('[general.60] a client that sends less than 8 KiB/s over 30 seconds is cut with 408; one that sends more is not', async () => {
      script.use = countBytes;
      const clock = mockMonotonicClock();
      try {
        const [fast, slow] = [open(), open()];
        const chunk = Buffer.alloc(250_000);
        for (let seconds = 0; seconds < 80; seconds += 20) {
          await fast.write(chunk);
          await slow.write(chunk.subarray(0, 100_000));
          // The service looks once a second.
          await pause(1500);
          clock.advance(20_000);
        }
        const { status, json, headers } = await slow.reply;
        assert.deepEqual([status, json['code']], [408, 'request-timeout']);
        if (protocol === 'HTTP/1.1') assert.equal(headers['connection'], 'close');
        fast.end();
        assert.deepEqual((await fast.reply).json, { bytes: 4 * chunk.length });
      } finally {
        clock.restore();
      }
    });

    test('[general.59] an abort ends the iteration with an error, and never as if the file were whole', async () => {
      const text = Buffer.from('a line\n'.repeat(50_000));
      const aborted: [headers: Headers, begun: Buffer][] = [
        [{}, text],
        [{ 'content-length': '1000000' }, text],
        [{ 'content-encoding': 'gzip' }, gzipSync(randomBytes(500_000)).subarray(0, 400_000)],
        [{ 'content-encoding': 'zstd' }, zstdCompressSync(randomBytes(500_000)).subarray(0, 400_000)],
      ];
      for (const [headers, begun] of aborted)
        for (const delayMs of [0, 200]) {
          const reached = Promise.withResolvers<void>();
          const ended = Promise.withResolvers<unknown>();
          script.use = async (body) => {
            try {
              reached.resolve();
              await pause(delayMs);
              ended.resolve(await countBytes(body));
            } catch (error) {
              ended.resolve(error);
              throw error;
            }
            return 0;
          };
          const sending = open(headers);
          await sending.write(begun);
          await reached.promise;
          if (delayMs === 0) await pause(50);
          sending.abort();
          const result = await ended.promise;
          assert.ok(result instanceof ClientGoneError, `${JSON.stringify(headers)}, ${delayMs} ms: ${String(result)}`);
        }
    });

    for (const [status, code, refuse] of [
      [403, 'forbidden', { rights: { permissions: [] } }],
      [400, 'invalid-request', { target: `${path}?fails=maybe` }],
      [400, 'invalid-filter', {}],
      [400, 'invalid-filter', { reads: 3 }],
    ] as const)
      test(`a refused upload of 50 MB gets its ${status}: ${code}, ${JSON.stringify(refuse)}`, async () => {
        script.use = 'reads' in refuse ? readThreeChunks : async () => Promise.reject(new Problem('invalid-filter'));
        const token = 'rights' in refuse ? await issueToken(refuse.rights) : manager.token;
        const sending = open({}, token, 'target' in refuse ? refuse.target : path);
        const chunk = Buffer.alloc(100_000);
        for (let sent = 0; sent < 50 * megabyte; sent += chunk.length) await sending.write(chunk);
        sending.end();
        const reply = await sending.reply;
        assert.deepEqual([reply.status, reply.json['code']], [status, code]);
        script.use = countBytes;
        assert.deepEqual((await send(open, chunk)).json, { bytes: chunk.length });
      });

    test('[general.60] a manager has two uploads at a time and all together four; a further one is 429', async () => {
      const tokens = [await issueToken(), await issueToken()];
      let running = 0;
      script.use = (body) => {
        running += 1;
        return countBytes(body);
      };
      const busy = [manager.token, manager.token, ...tokens].map((token) => open({}, token));
      for (const each of busy) await each.write(Buffer.alloc(1000));
      await waitUntil('all of them run', () => running === 4);
      assert.equal((await send(open, Buffer.alloc(9), {}, tokens[1])).status, 429);
      const { status, json, headers } = await send(open, Buffer.alloc(9));
      assert.deepEqual([status, json['code'], headers['retry-after']], [429, 'uploads-busy', '5']);
      busy[3]?.abort();
      await waitUntil('another manager has the place', async () => {
        const reply = await send(open, Buffer.alloc(9), {}, tokens[1]);
        return reply.status === 200;
      });
      assert.equal((await send(open, Buffer.alloc(9))).status, 429);
      for (const each of busy.slice(0, 3)) each.end();
      for (const each of busy.slice(0, 3)) assert.deepEqual((await each.reply).json, { bytes: 1000 });
    });

    test('[general.59] more bytes than the operation takes are 413, with and without their length, and after decompression', async () => {
      script.use = countBytes;
      const declaredLength = open({ 'content-length': String(maxBodyBytes + 1) });
      await declaredLength.write(Buffer.alloc(1));
      assert.deepEqual((await declaredLength.reply).json['code'], 'payload-too-large');
      declaredLength.abort();
      const bomb = createGzip();
      const compressed: Buffer[] = [];
      bomb.on('data', (chunk: Buffer) => compressed.push(chunk));
      const zeros = Buffer.alloc(megabyte);
      for (let made = 0; made <= maxBodyBytes; made += megabyte) if (!bomb.write(zeros)) await once(bomb, 'drain');
      bomb.end();
      await once(bomb, 'end');
      const growth = await measurePeak(async () => {
        const reply = await send(open, Buffer.concat(compressed), { 'content-encoding': 'gzip' });
        assert.deepEqual([reply.status, reply.json['code']], [413, 'payload-too-large']);
      });
      assert.ok(growth < mostGrowthBytes, `${growth} bytes`);
    });

    test('[general.59] octets may be compressed; a broken or cut compression is 400, and another coding or type is 415', async () => {
      script.use = countBytes;
      const text = Buffer.from('a;b;c\n'.repeat(100_000));
      for (const [coding, bytes] of [
        ['gzip', gzipSync(text)],
        ['GZIP', gzipSync(text)],
        ['zstd', zstdCompressSync(text)],
        ['identity', text],
      ] as const)
        assert.deepEqual(
          (await send(open, bytes, { 'content-encoding': coding })).json,
          { bytes: text.length },
          coding,
        );
      for (const [coding, bytes] of [
        ['gzip', text],
        ['gzip', gzipSync(text).subarray(0, -20)],
        ['zstd', text],
        ['zstd', zstdCompressSync(text).subarray(0, -5)],
      ] as const) {
        const { status, json } = await send(open, bytes, { 'content-encoding': coding });
        assert.deepEqual([status, json['code']], [400, 'malformed-body'], `${coding}, ${bytes.length} bytes`);
      }
      for (const headers of [
        { 'content-encoding': 'br' },
        { 'content-encoding': 'gzip, gzip' },
        { 'content-encoding': 'toString' },
        { 'content-type': 'application/json' },
        { 'content-type': 'multipart/form-data; boundary=x' },
        { 'content-type': '' },
      ]) {
        const { status, json } = await send(open, Buffer.from('{}'), headers);
        assert.deepEqual([status, json['code']], [415, 'unsupported-media-type'], JSON.stringify(headers));
      }
    });

    test('each type of a file is taken, and the operation sees its charset', async () => {
      for (const type of octetsMediaTypes) {
        script.use = async (body, context) => {
          assert.equal(context.requestHeader('content-type'), `${type}; charset=windows-1252`);
          return countBytes(body);
        };
        const { json } = await send(open, Buffer.from('x'), { 'content-type': `${type}; charset=windows-1252` });
        assert.deepEqual(json, { bytes: 1 }, type);
      }
      script.use = countBytes;
      assert.deepEqual((await send(open, Buffer.alloc(0))).json, { bytes: 0 });
    });

    test('the deadline of an operation does not run while its octets arrive', async () => {
      script.use = async (body, context) => {
        const bytes = await countBytes(body);
        await context.read((db) => db.selectFrom('banks').select('bank_id').execute());
        return bytes;
      };
      const sending = open();
      await sending.write(Buffer.alloc(10));
      await pause(2 * deadlineMs);
      sending.end();
      assert.deepEqual((await sending.reply).json, { bytes: 10 });
    });
  });

test('an upload may take longer than the time limit of other requests on its connection', async () => {
  const { server } = plain.app;
  const { requestTimeout } = server;
  // The same time limit, but shorter.
  server.requestTimeout = 300;
  try {
    script.use = countBytes;
    const sending = openHttp1();
    for (let at = 0; at < 6; at += 1) {
      await sending.write(Buffer.alloc(10));
      await pause(500);
    }
    sending.end();
    assert.deepEqual((await sending.reply).json, { bytes: 60 });
  } finally {
    server.requestTimeout = requestTimeout;
  }
});

test('what a refused client still sends is received and discarded, and the connection serves its next request', async () => {
  for (const [code, use, rights] of [
    ['forbidden', countBytes, { permissions: [] }],
    ['invalid-filter', async () => Promise.reject(new Problem('invalid-filter')), {}],
    ['invalid-filter', readThreeChunks, {}],
  ] as const) {
    script.use = use;
    const token = await issueToken(rights);
    const socket = connect(portOf(plain), '127.0.0.1');
    let answers = '';
    const headOf = (bearer: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: ${sundHost}\r\nAuthorization: Bearer ${bearer}\r\nContent-Type: text/csv\r\nContent-Length: ${length}\r\n\r\n`;
    const chunk = Buffer.alloc(100_000);
    socket.write(headOf(token, 50 * megabyte));
    for (let sent = 0; sent < 50 * megabyte; sent += chunk.length)
      if (!socket.write(chunk)) await once(socket, 'drain');
    socket.setEncoding('latin1').on('data', (text: string) => (answers += text));
    await waitUntil('the refusal', () => answers.includes(`"code":"${code}"`));
    script.use = countBytes;
    socket.write(`${headOf(manager.token, 3)}abc`);
    await waitUntil('the next answer', () => answers.includes('{"bytes":3}'));
    socket.destroy();
  }
});

test('a client that goes away while its upload is behind another one frees both places', async () => {
  for (let round = 0; round < 3; round += 1) {
    let running = 0;
    script.use = async (body) => {
      running += 1;
      const bytes = await countBytes(body);
      await pause(300);
      return bytes;
    };
    const socket = connect(portOf(plain), '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nHost: ${sundHost}\r\nAuthorization: Bearer ${manager.token}\r\nContent-Type: text/csv\r\n`;
    socket.write(`${head}Content-Length: 3\r\n\r\nabc${head}Content-Length: 3\r\n\r\nabc`);
    await waitUntil('both run', () => running === 2);
    socket.destroy();
    script.use = countBytes;
    await waitUntil('a place is free', async () => (await send(openHttp1, Buffer.alloc(9))).status === 200);
    await pause(1200);
  }
});

async function readThreeChunks(body: Octets): Promise<number> {
  const chunks = body[Symbol.asyncIterator]();
  for (let read = 0; read < 3; read += 1) await chunks.next();
  await chunks.return?.();
  throw new Problem('invalid-filter');
}

for (const [name, token] of [
  ['is being read', async () => manager.token],
  // Its session is looked up first.
  ['is not read yet', issueToken],
] as const)
  test(`a body whose chunks are not HTTP is 400 while it ${name}`, async () => {
    script.use = countBytes;
    const head = [`POST ${path} HTTP/1.1`, `Host: ${sundHost}`, `Authorization: Bearer ${await token()}`];
    const socket = connect(portOf(plain), '127.0.0.1');
    socket.write(
      [...head, 'Content-Type: text/csv', 'Transfer-Encoding: chunked', '', '2', 'ab', 'zz', ''].join('\r\n'),
    );
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    assert.match(answer, /^HTTP\/1\.1 400 [^]*"code":"invalid-request"/);
  });

test('an operation that cannot take octets as it is declared is refused at the start', async () => {
  const { maxBodyBytes: _bytes, ...unbounded } = declared;
  const run = async (): Promise<{ bytes: number }> => ({ bytes: 0 });
  const { access: _access, ...ofAnyone } = declared;
  for (const [operation, message] of [
    [defineManagerOperation({ ...declared, acceptsIdempotencyKey: true, run }), /Idempotency-Key/],
    [defineManagerOperation({ ...unbounded, run }), /how many/],
    [definePublicOperation({ ...ofAnyone, run }), /managers/],
  ] as const)
    await assert.rejects(startOperations(service, [operation]), message);
});

test('the documents have the types of a file, whose content is binary', () => {
  const document = createOpenApiDocument('portal', [upload], { version: '1.0.0' }) as {
    paths: Record<string, { post: { requestBody: { content: Record<string, { schema: unknown }> } } }>;
  };
  const { content } = document.paths[path]?.post.requestBody ?? { content: {} };
  assert.deepEqual(Object.keys(content), octetsMediaTypes);
  for (const { schema } of Object.values(content))
    assert.deepEqual(schema, { type: 'string', format: 'binary', description: 'The file.' });
});
