// Downloads, with an operation of this test: a failure before the first byte is a problem, a later one aborts the
// connection, and work ends when the client goes away.

import assert from 'node:assert/strict';
import { get, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { closedObject } from '../../src/http/schema-types.ts';
import { mountOperations } from '../../src/http/mount-operations.ts';
import { defineManagerOperation } from '../../src/http/operation.ts';
import { createRateLimiter } from '../../src/http/rate-limit.ts';
import { createServer } from '../../src/http/server/create-server.ts';
import type { ManagerContext } from '../../src/http/context/operation-context.ts';
import { Problem } from '../../src/lib/problem.ts';
import { sundHost } from '../support/call.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';
import { serviceFixture } from '../support/service-suite.ts';

const path = '/api/v1/test/file.csv';
const line = 'a line of the file\r\n'.repeat(50);
const deadlineMs = 400;

/** What the next download does, and what became of it. */
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
  documents: [],
  group: 'Test',
  summary: 'A file',
  access: {},
  query: closedObject({}),
  downloadTypes: ['text/csv'],
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

const { service, manager, started: serviceStarted, onStop } = serviceFixture('sqlite');
let instance: TestInstance & { readonly principalProvider: Parameters<typeof mountOperations>[2]['principalProvider'] };
before(async () => {
  await serviceStarted;
  instance = await startOperations(service, [file]);
  onStop(instance.stop);
});

function play(content: typeof script.content): void {
  Object.assign(script, { content, ended: Promise.withResolvers<void>() });
}

/** Begins a download, whose bytes wait to be read. */
async function begun(): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  const { port } = instance.app.server.address() as { port: number };
  const headers = { host: sundHost, authorization: `Bearer ${manager.token}` };
  const request = get({ host: '127.0.0.1', port, path, headers, agent: false });
  request.on('error', () => {});
  const [response] = await new Promise<[IncomingMessage]>((resolve, reject) => {
    request.on('response', (incoming: IncomingMessage) => resolve([incoming])).on('error', reject);
  });
  return { request, response };
}

async function read(response: IncomingMessage): Promise<{ text: string; whole: boolean }> {
  let text = '';
  try {
    for await (const chunk of response) text += String(chunk);
    return { text, whole: response.complete };
  } catch {
    return { text, whole: false };
  }
}

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

test('[general.33] what fails after the first bytes cuts the connection: no client takes a part for the whole', async () => {
  for (const sound of [1, 2, 2000]) {
    play(async function* () {
      yield* lines(sound);
      await pause(50);
      throw new Error('storage is gone');
    });
    const { response } = await begun();
    assert.equal(response.statusCode, 200);
    const { text, whole } = await read(response);
    assert.equal(whole, false);
    assert.ok(text.length <= sound * line.length);
  }
});

test('[general.33] the same over HTTP/2: the stream is reset', async () => {
  const { cert, key } = createSelfSignedCertificate(sundHost);
  const { config, databases, clock, log, metrics } = service.services;
  const { tenants, domain } = config;
  const limiter = createRateLimiter(undefined);
  const app = await createServer({
    tenants,
    domain,
    allowedOrigins: [],
    tls: { cert, key },
    log,
    limiter,
    metrics,
    operations: [file],
    clock,
  });
  mountOperations(app, [file], { databases, principalProvider: instance.principalProvider, limiter });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const ask = (): Promise<{ code: number; bytes: number }> =>
    new Promise((resolve) => {
      const stream = session.request({
        ':path': path,
        ':authority': sundHost,
        authorization: `Bearer ${manager.token}`,
      });
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
      stream.on('error', () => {});
      stream.on('close', () => resolve({ code: stream.rstCode, bytes }));
    });
  try {
    play(() => lines(20));
    assert.deepEqual(await ask(), { code: 0, bytes: 20 * line.length });
    play(async function* () {
      yield* lines(20);
      await pause(50);
      throw new Error('storage is gone');
    });
    const { code } = await ask();
    assert.notEqual(code, 0, 'the client learns that this is not the end');
  } finally {
    session.close();
    await app.close();
  }
});

test('a client that goes away before the first bytes ends it as well', async () => {
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

test('a client that goes away ends what was being made for it', async () => {
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

test('a file is made no faster than the client reads it, and each later read has a deadline of its own', async () => {
  let made = 0;
  play(async function* (context) {
    for (; made < 60; made += 1) {
      await context.readWithNewDeadline(async (db) => db.selectFrom('health').select('id').execute());
      yield line.repeat(1000);
    }
  });
  const { response } = await begun();
  await pause(deadlineMs + 200);
  const held = made;
  assert.ok(held < 60, `${held} of 60 were made for a client that read none`);
  const { text, whole } = await read(response);
  assert.deepEqual([whole, text.length], [true, 60_000 * line.length]);
});

test('[general.33] a later read that takes too long ends the download, and the work in storage with it', async () => {
  play(async function* (context) {
    yield line;
    await context.readWithNewDeadline(
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

test('HEAD answers the head of a download, and makes no more of it than its beginning', async () => {
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
