// Downloads, with a test operation: a failure before the first byte is a problem, a later one aborts the connection,
// and work ends when the client disconnects.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, constants } from 'node:http2';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { mountOperations } from '../../src/http/routes/mount-operations.ts';
import { defineManagerOperation } from '../../src/http/operations/operation.ts';
import { download } from '../../src/http/operations/response.ts';
import { createRateLimiter } from '../../src/http/limits/rate-limit.ts';
import { createServer } from '../../src/http/server/create-server.ts';
import type { ManagerContext } from '../../src/http/context/operation-context.ts';
import { Problem } from '../../src/lib/problem.ts';
import { waitUntil } from '../support/async.ts';
import { sundHost } from '../support/call.ts';
import { contentCodings, decodeBeginning, decodeBody } from '../support/decode-body.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';
import { serviceFixture } from '../support/service-suite.ts';

const path = '/api/v1/test/file.csv';
const line = 'a line of the file\r\n'.repeat(50);
const deadlineMs = 800;

/** What the next download does, and its outcome. */
const script = {
  content: (_context: ManagerContext): AsyncIterable<string> => lines(1),
  ended: Promise.withResolvers<void>(),
};

async function* lines(count: number): AsyncGenerator<string> {
  for (let made = 0; made < count; made += 1) yield line;
}

const file = defineManagerOperation({
  id: 'GetTestFile',
  method: 'GET',
  path,
  openApiDocuments: [],
  group: 'Test',
  summary: 'A file',
  access: {},
  query: closedObject({}),
  response: download(['text/csv']),
  problemCodes: ['export-too-large'],
  localised: true,
  deadlineMs,
  run: (_input, context) => ({
    mediaType: 'text/csv; charset=utf-8',
    fileName: 'file.csv',
    content: (async function* () {
      try {
        yield* script.content(context);
      } finally {
        script.ended.resolve();
      }
    })(),
  }),
});

const { service, manager, issueToken, started: serviceStarted, onStop } = serviceFixture('sqlite');
let instance: TestInstance & { readonly principalProvider: Parameters<typeof mountOperations>[2]['principalProvider'] };
before(async () => {
  await serviceStarted;
  instance = await startOperations(service, [file]);
  onStop(instance.stop);
});

function play(content: typeof script.content): void {
  Object.assign(script, { content, ended: Promise.withResolvers<void>() });
}

/** Begins a download without reading its body. */
async function begun(acceptEncoding = 'identity'): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  const { port } = instance.app.server.address() as { port: number };
  const headers = { host: sundHost, authorization: `Bearer ${manager.token}`, 'accept-encoding': acceptEncoding };
  const request = get({ host: '127.0.0.1', port, path, headers, agent: false });
  request.on('error', () => {});
  const [response] = await new Promise<[IncomingMessage]>((resolve, reject) => {
    request.on('response', (incoming: IncomingMessage) => resolve([incoming])).on('error', reject);
  });
  return { request, response };
}

async function read(response: IncomingMessage): Promise<{ text: string; whole: boolean }> {
  const chunks: Buffer[] = [];
  const coding = response.headers['content-encoding'] ?? 'identity';
  const textOf = (): string =>
    (coding === 'identity' ? Buffer.concat(chunks) : decodeBeginning(Buffer.concat(chunks), coding)).toString();
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { text: textOf(), whole: response.complete };
  } catch {
    return { text: textOf(), whole: false };
  }
}

/** Accept-Encoding of the request, and Content-Encoding of the answer. */
const codings = ['identity', ...contentCodings];

test('a download is an attachment that is not stored, in the language of the response', async () => {
  play(() => lines(3));
  const reply = await instance.call('GET', path, { token: manager.token, headers: { 'accept-language': 'da' } });
  assert.deepEqual([reply.status, reply.text], [200, line.repeat(3)]);
  const { headers } = reply;
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(headers['content-disposition'], 'attachment; filename="file.csv"');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['content-language'], 'da');
  assert.match(headers['vary'] ?? '', /Accept-Language/);
});

test('an empty file is a file', async () => {
  play(() => lines(0));
  const reply = await instance.call('GET', path, manager);
  assert.deepEqual([reply.status, reply.text], [200, '']);
});

test('[general.33] a failure before the first bytes is a problem like any other', async () => {
  const failing = async function* (error: Error): AsyncGenerator<string> {
    yield* [];
    throw error;
  };
  for (const [error, expected] of [
    [new Problem('export-too-large'), [422, 'export-too-large']],
    [new Error('a defect'), [500, 'internal-error']],
  ] as const) {
    play(() => failing(error));
    const { status, json, headers } = await instance.call('GET', path, manager);
    assert.deepEqual([status, json.code], expected);
    assert.equal(headers['content-disposition'], undefined);
  }
});

for (const coding of codings)
  test(`[general.33] a failure after the first bytes closes the connection: no client takes a part for the whole (${coding})`, async () => {
    for (const sound of [1, 2, 2000]) {
      play(async function* () {
        yield* lines(sound);
        await pause(50);
        throw new Error('storage is gone');
      });
      const { response } = await begun(coding);
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers['content-encoding'] ?? 'identity', coding);
      const { text, whole } = await read(response);
      assert.equal(whole, false);
      assert.ok(text.length <= sound * line.length);
    }
  });

test('a failure before a compressed file has begun is a problem that contains nothing of the file', async () => {
  for (const coding of codings) {
    play(async function* () {
      yield '';
      throw new Problem('export-too-large');
    });
    const headers = { 'accept-encoding': coding };
    const reply = await instance.call('GET', path, { token: manager.token, headers });
    assert.deepEqual([reply.status, reply.json.code], [422, 'export-too-large'], coding);
    for (const field of ['content-disposition', 'content-encoding', 'content-language'])
      assert.equal(reply.headers[field], undefined, `${coding}: ${field}`);
  }
});

test('a compressed file has the same content, begins with its first bytes, and grows with each chunk', async () => {
  for (const coding of contentCodings) {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    play(async function* () {
      yield 'first';
      await steps[0]?.promise;
      yield 'second';
      await steps[1]?.promise;
      yield 'third';
    });
    const { response } = await begun(coding);
    const received: Buffer[] = [];
    response.on('data', (chunk: Buffer) => received.push(chunk));
    const textOf = (): string => decodeBeginning(Buffer.concat(received), coding).toString();
    await waitUntil('the first chunk', () => textOf() === 'first');
    steps[0]?.resolve();
    await waitUntil('the second chunk', () => textOf() === 'firstsecond');
    const ended = once(response, 'end');
    steps[1]?.resolve();
    await ended;
    assert.equal(decodeBody(Buffer.concat(received), coding).toString(), 'firstsecondthird');
    assert.deepEqual([response.headers['content-encoding'], response.complete], [coding, true]);
    assert.match(response.headers.vary ?? '', /Accept-Language, Accept-Encoding/);
  }
});

test('[general.33] over HTTP/2 a failure after the first bytes resets the stream', async () => {
  const { cert, key } = createSelfSignedCertificate(sundHost);
  const { config, databases, clock, log, liveLog, equipmentLiveLog, metrics, unsentLimits, passwordHasher } =
    service.dependencies;
  const { tenants, domain, connections } = config;
  const limiter = createRateLimiter(undefined);
  const app = await createServer({
    tenants,
    domain,
    allowedOrigins: [],
    trustedProxies: [],
    connections,
    unsentLimits,
    tls: { cert, key },
    log,
    liveLog,
    equipmentLiveLog,
    limiter,
    metrics,
    operations: [file],
    clock,
  });
  const { principalProvider } = instance;
  mountOperations(app, [file], { databases, principalProvider, limiter, hashSecret: passwordHasher.hashSecret });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const ask = (acceptEncoding: string): Promise<{ code: number; bytes: Buffer }> =>
    new Promise((resolve) => {
      const stream = session.request({
        ':path': path,
        ':authority': sundHost,
        authorization: `Bearer ${manager.token}`,
        'accept-encoding': acceptEncoding,
      });
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', () => {});
      stream.on('close', () => resolve({ code: stream.rstCode, bytes: Buffer.concat(chunks) }));
    });
  try {
    for (const coding of codings) {
      play(() => lines(20));
      const { code: wholeCode, bytes } = await ask(coding);
      const text = decodeBody(bytes, coding === 'identity' ? undefined : coding).toString();
      assert.deepEqual([wholeCode, text], [0, line.repeat(20)], coding);
      for (const sound of [1, 20]) {
        play(async function* () {
          yield* lines(sound);
          await pause(50);
          throw new Error('storage is gone');
        });
        const { code } = await ask(coding);
        assert.notEqual(code, 0, `${coding}: the client learns that this is not the end`);
      }
    }
  } finally {
    session.close();
    await app.close();
  }
});

test('a client that disconnects before the first bytes ends the download as well', async () => {
  const started = Promise.withResolvers<void>();
  play(async function* () {
    started.resolve();
    await pause(200);
    yield* lines(100_000);
  });
  const { port } = instance.app.server.address() as { port: number };
  const headers = { host: sundHost, authorization: `Bearer ${manager.token}` };
  const request = get({ host: '127.0.0.1', port, path, headers, agent: false }).on('error', () => {});
  await started.promise;
  request.destroy();
  await script.ended.promise;
});

test('an HTTP/2 stream that is reset before the first bytes ends the download as well', async () => {
  const secure = await startOperations(service, [file], { tls: createSelfSignedCertificate(sundHost) });
  const { port } = secure.app.server.address() as { port: number };
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  try {
    for (const coding of codings) {
      const [started, reset] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      play(async function* () {
        started.resolve();
        await reset.promise;
        yield* lines(Infinity);
      });
      const stream = session.request({
        ':path': path,
        ':authority': sundHost,
        authorization: `Bearer ${manager.token}`,
        'accept-encoding': coding,
      });
      stream.on('error', () => {});
      await started.promise;
      stream.close(constants.NGHTTP2_CANCEL);
      await once(stream, 'close');
      // The service answers it after it has read the reset.
      await new Promise((resolve) => session.ping(resolve));
      reset.resolve();
      await script.ended.promise;
    }
  } finally {
    session.destroy();
    await secure.stop();
  }
});

test('a client that disconnects ends the work on its download', async () => {
  play(async function* () {
    for (;;) {
      yield line;
      await pause(1);
    }
  });
  const { request } = await begun();
  request.destroy();
  await script.ended.promise;
});

test('however a download ends, its slot is free again', async () => {
  const { port } = instance.app.server.address() as { port: number };
  const token = await issueToken();
  let request: ClientRequest;
  const endings: [content: () => AsyncIterable<string>, onResponse?: () => void, method?: string][] = [
    [() => lines(3)],
    [() => lines(3), () => {}, 'HEAD'],
    [() => failAfter(0)],
    [() => failAfter(3)],
    [() => lines(Infinity), () => request.destroy()],
    [() => beginAfter(() => request.destroy())],
  ];
  // More of each than there are slots.
  for (let round = 0; round < 20; round += 1)
    for (const [content, onResponse = () => {}, method = 'GET'] of endings) {
      play(content);
      const headers = { host: sundHost, authorization: `Bearer ${token}`, 'accept-encoding': codings[round % 4] };
      request = get({ host: '127.0.0.1', port, path, headers, agent: false, method });
      const closed = new Promise((resolve) => request.on('close', resolve).on('error', () => {}));
      request.on('response', (response) => {
        assert.notEqual(response.statusCode, 503);
        response.resume().on('error', () => {});
        onResponse();
      });
      await Promise.all([closed, script.ended.promise]);
    }
  play(() => lines(3));
  const replies = await Promise.all([1, 2, 3, 4].map(() => instance.call('GET', path, { token })));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200],
  );
});

async function* failAfter(count: number): AsyncGenerator<string> {
  yield* lines(count);
  await pause(5);
  throw new Problem('export-too-large');
}

async function* beginAfter(step: () => void): AsyncGenerator<string> {
  step();
  await pause(20);
  yield* lines(3);
}

for (const coding of codings)
  test(`a file is produced no faster than the client reads it, and each later read has its own deadline (${coding})`, async () => {
    // Incompressible data: a few chunks of anything else would fit in the buffers of the connection.
    const chunk = randomBytes(750_000).toString('base64');
    let made = 0;
    play(async function* (context) {
      for (; made < 60; made += 1) {
        await context.readForDownload(async (db) => db.selectFrom('health').select('id').execute());
        yield chunk.slice(made) + chunk.slice(0, made);
      }
    });
    const { response } = await begun(coding);
    await pause(deadlineMs + 200);
    let held: number;
    do {
      held = made;
      await pause(deadlineMs);
    } while (made > held);
    assert.ok(held < 60, `${held} of 60 were made for a client that read none`);
    const { text, whole } = await read(response);
    assert.deepEqual([whole, text.length], [true, 60 * chunk.length]);
  });

test('[general.33] a later read that takes too long ends the download and its work in storage', async () => {
  play(async function* (context) {
    yield line;
    await context.readForDownload(
      (db) =>
        new Promise(
          (resolve) =>
            void db
              .selectFrom('health')
              .select('id')
              .execute()
              .then(() => setTimeout(resolve, 60_000).unref()),
        ),
    );
    yield line;
  });
  const startedAt = performance.now();
  const { response } = await begun();
  const { whole } = await read(response);
  assert.equal(whole, false);
  assert.ok(performance.now() - startedAt < 10 * deadlineMs);
  await script.ended.promise;
});

test('HEAD answers the header fields of a download, and produces only its beginning', async () => {
  let made = 0;
  play(async function* () {
    for (; made < 1000; made += 1) yield line;
  });
  const reply = await instance.call('HEAD', path, manager);
  assert.deepEqual([reply.status, reply.text], [200, '']);
  assert.equal(reply.headers['content-disposition'], 'attachment; filename="file.csv"');
  assert.equal(reply.headers['content-length'], undefined);
  await script.ended.promise;
  assert.ok(made <= 1, String(made));
});
