// Clients that read their answers slowly or not at all cost the service only a bounded number of bytes and seconds: those
// of docs/operating.md. The clock by which the service measures them moves only when a test moves it.
import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Type } from 'typebox';
import { createIconRenderer } from '../../src/features/icons/process/icon-renderer.ts';
import { iconsRoutes } from '../../src/features/icons/routes.ts';
import { ImageRenderer } from '../../src/features/images/process/image-renderer.ts';
import { mountOperations } from '../../src/http/routes/mount-operations.ts';
import { defineImageOperation, definePublicOperation, type Operation } from '../../src/http/operations/operation.ts';
import { download, jsonOf, representation } from '../../src/http/operations/response.ts';
import { createRateLimiter } from '../../src/http/limits/rate-limit.ts';
import { closedObject } from '../../src/http/schemas/schema-types.ts';
import { createServer } from '../../src/http/server/create-server.ts';
import type { UnsentLimits } from '../../src/http/limits/unsent-answers.ts';
import { waitUntil } from '../support/async.ts';
import { mockMonotonicClock, startOperations, type TestInstance } from '../support/instances.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { cacheUnderTest } from '../support/variant-caches.ts';
import { createSelfSignedCertificate } from './support/certificate.ts';

const host = 'api.sund.localhost';
/** More than the kernel buffers for a client that does not read; two are less than 32 MiB besides the larger one, three more. */
const largeBytes = 24_000_000;
/** How often answers are checked, in real time. */
const checkIntervalMs = 20;
const largeText = 'x'.repeat(largeBytes);

const common = { method: 'GET', openApiDocuments: [], group: 'Test', summary: 'Test', deadlineMs: 60_000 } as const;
const released = { write: Promise.withResolvers<void>() };
const operations: Operation[] = [
  definePublicOperation({
    ...common,
    id: 'GetTestText',
    path: '/api/v1/test/text',
    query: closedObject({}),
    response: jsonOf(closedObject({ text: Type.String() })),
    run: () => ({ text: largeText }),
  }),
  definePublicOperation({
    ...common,
    id: 'GetTestFile',
    path: '/api/v1/test/file',
    query: closedObject({}),
    response: download(['text/csv']),
    run: () => ({
      mediaType: 'text/csv; charset=utf-8',
      fileName: 'file.csv',
      content: (async function* () {
        for (let sent = 0; sent < largeBytes; sent += 10_000) yield largeText.slice(0, 10_000);
      })(),
    }),
  }),
  definePublicOperation({
    ...common,
    id: 'GetTestNoise',
    path: '/api/v1/test/noise',
    query: closedObject({}),
    response: download(['text/csv']),
    run: () => ({
      mediaType: 'text/csv; charset=utf-8',
      fileName: 'file.csv',
      content: (async function* () {
        // As large as the others after compression, which saves a quarter of base64.
        for (let sent = 0; sent < 1.5 * largeBytes; sent += 100_000) yield randomBytes(75_000).toString('base64');
      })(),
    }),
  }),
  defineImageOperation({
    ...common,
    id: 'GetTestImage',
    path: '/api/v1/test/image/{name}',
    params: closedObject({ name: Type.String() }),
    response: representation(['image/bmp']),
    render: () => ({ body: Buffer.alloc(largeBytes), mediaType: 'image/bmp', etag: '"1"', maxAgeSeconds: 1 }),
  }),
  definePublicOperation({
    ...common,
    id: 'GetTestSmall',
    path: '/api/v1/test/small',
    query: closedObject({}),
    response: jsonOf(closedObject({ text: Type.String() })),
    run: () => ({ text: 'small' }),
  }),
  definePublicOperation({
    ...common,
    method: 'POST',
    id: 'WriteTest',
    path: '/api/v1/test/write',
    query: closedObject({}),
    response: jsonOf(closedObject({ text: Type.String() })),
    run: async () => {
      await released.write.promise;
      return { text: 'written' };
    },
  }),
];
const compressedPath = '/api/v1/test/noise';
const largePaths = ['/api/v1/test/text', '/api/v1/test/file', '/api/v1/test/image/a', compressedPath];
const acceptEncodingOf = (path: string): string => (path === compressedPath ? 'zstd' : 'identity');

/** 67 MB of raw pixels. */
const picturePath = '/api/v1/icon/line/washer/4096.bmp';
const { open: openCache } = cacheUnderTest({ after });
const cache = await openCache({ memoryBytes: 16_000_000, maxVariantBytes: 8_000_000, maxBytes: 64_000_000 });
const renderIcon = createIconRenderer(new ImageRenderer('icons', { cache, renderVersion: () => 'test' }));
operations.push(...iconsRoutes({ clock: Date.now, renderIcon }).filter(({ id }) => id === 'GetIconImageFromSet'));

const { service, started } = serviceFixture('sqlite', { manager: false });
let monotonic: ReturnType<typeof mockMonotonicClock>;
before(async () => {
  await started;
  monotonic = mockMonotonicClock({ standsStill: true });
});
after(() => monotonic.restore());

/** The service's own, but checked more often. */
const unsentLimits = (): UnsentLimits => ({ ...service.dependencies.unsentLimits, checkIntervalMs });

const opened: { destroy(): unknown }[] = [];

/** Moves the clock until the service has cut the answer, and returns by how many seconds. */
async function secondsUntilCut(
  isCut: () => boolean | Promise<boolean>,
  eachSecond?: (second: number) => void,
): Promise<number> {
  for (let seconds = 0; seconds < 300; seconds += 1) {
    if (await isCut()) return seconds;
    eachSecond?.(seconds);
    monotonic.advance(1000);
    await pause(2 * checkIntervalMs);
  }
  throw new Error('the answer is not cut');
}

/** The promise is 30 seconds; a busy machine may begin to send a little later, and check later. */
const assertCutInTime = (seconds: number): void => assert.ok(seconds >= 30 && seconds < 60, `${seconds} seconds`);

const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await service.dependencies.metrics.text())?.[1]);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The growth of buffers in bytes, after a garbage collection. */
async function settledBytes(bytesBefore = 0, most = Number.POSITIVE_INFINITY): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    collect();
    await pause(50);
    const bytes = process.memoryUsage().external - bytesBefore;
    if (tries > 4 && (bytes < most || tries > 40)) return bytes;
  }
}
/** The limit for all clients that do not read their picture. */
const mostPictureBytes = 48_000_000;

afterEach(async () => {
  for (const each of opened.splice(0)) each.destroy();
  await waitUntil('all is closed', async () => (await metric('http_server_open_connections')) === 0);
});

describe('over HTTP/1.1', () => {
  let instance: TestInstance;
  let port: number;
  before(async () => {
    instance = await startOperations(service, operations, { unsentLimits: unsentLimits() });
    port = (instance.app.server.address() as AddressInfo).port;
  });
  after(() => instance.stop());

  /** A request whose answer is not read. */
  async function ask(path: string, localAddress = '127.0.0.1', method = 'GET', at = port): Promise<Socket> {
    const socket = connect({ port: at, host: '127.0.0.1', localAddress });
    opened.push(socket);
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.pause();
    // A request with a length would leave the fast path.
    const length = method === 'GET' ? '' : 'Content-Length: 0\r\n';
    const coding = `Accept-Encoding: ${acceptEncodingOf(path)}\r\n`;
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${coding}${length}\r\n`);
    return socket;
  }
  const readHead = async (socket: Socket): Promise<string> => {
    const chunk = await new Promise((resolve) => {
      socket.once('data', resolve).once('close', () => resolve('closed'));
      socket.resume();
    });
    socket.pause();
    return String(chunk).slice(0, 2000);
  };
  const openConnections = (): Promise<number> => metric('http_server_open_connections');
  const oneIsOpen = (): Promise<void> => waitUntil('one is open', async () => (await openConnections()) === 1);
  const noneIsOpen = async (): Promise<boolean> => (await openConnections()) === 0;

  for (const path of largePaths) {
    test(`an answer that is not read is cut: ${path}`, async () => {
      await ask(path);
      await oneIsOpen();
      assertCutInTime(await secondsUntilCut(noneIsOpen));
      const [last] = service.dependencies.liveLog.list('sund');
      assert.deepEqual([last?.messageTemplate, last?.tenant], ['answer cut off ({bytes})', 'sund']);
    });

    test(`an answer that is read too slowly is cut: ${path}`, async () => {
      const socket = await ask(path);
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        socket.pause();
      });
      await oneIsOpen();
      // At most 64 KiB every 16 seconds: half of 8 KiB/s.
      await secondsUntilCut(noneIsOpen, (second) => void (second % 16 === 0 && socket.resume()));
      assert.ok(bytes < largeBytes, `${bytes} bytes`);
    });

    test(`an answer that is read steadily arrives whole: ${path}`, async () => {
      const socket = await ask(path);
      let bytes = 0;
      let last = '';
      for (;;) {
        const chunk = socket.read() as Buffer | null;
        if (chunk !== null) {
          bytes += chunk.length;
          // Longer than 30 seconds in all.
          monotonic.advance(chunk.length / 600);
          last = chunk.subarray(-5).toString('latin1');
        }
        if (bytes > largeBytes && (path.includes('image') || last === '0\r\n\r\n' || last.endsWith('"}'))) break;
        assert.ok(!socket.destroyed, `cut after ${bytes} bytes`);
        await pause(1);
      }
      assert.equal(socket.destroyed, false);
    });
  }

  test('a large raw picture takes little memory for clients that do not read it, and arrives completely if it is read', async () => {
    const patient = await startOperations(service, operations, { unsentLimits: unsentLimits() });
    const patientPort = (patient.app.server.address() as AddressInfo).port;
    const whole = await patient.call('GET', picturePath);
    assert.equal(whole.headers['content-length'], String(whole.bytes.length));
    const expected = hash('sha256', whole.bytes);
    const bytesBefore = await settledBytes();
    for (let at = 0; at < 24; at += 1) {
      const socket = await ask(picturePath, `127.0.1.${at + 1}`, 'GET', patientPort);
      assert.match(await readHead(socket), /^HTTP\/1\.1 200 [^]*content-length: 67108986\r/i);
    }
    const heldBytes = await settledBytes(bytesBefore, mostPictureBytes);
    assert.ok(heldBytes < mostPictureBytes, `${heldBytes} bytes`);
    for (const headers of [{}, { 'if-none-match': '"another"' }]) {
      const again = await patient.call('GET', picturePath, { headers });
      assert.equal(hash('sha256', again.bytes), expected);
      assert.equal(again.headers['content-length'], String(whole.bytes.length));
    }
    for (const each of opened.splice(0)) each.destroy();
    await patient.stop();
  });

  test('a large raw picture that is read too slowly or not at all is cut', async () => {
    const socket = await ask(picturePath);
    assert.match(await readHead(socket), /^HTTP\/1\.1 200 /);
    assertCutInTime(await secondsUntilCut(noneIsOpen));
  });

  test('answers pipelined after one that is not read are cut with it', async () => {
    const socket = await ask('/api/v1/test/text');
    for (let times = 0; times < 20; times += 1) socket.write(`GET /livez HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await oneIsOpen();
    assertCutInTime(await secondsUntilCut(noneIsOpen));
  });

  test('an address with 32 MiB unread besides the largest answer gets no further answers, and others do', async () => {
    const [text = ''] = largePaths;
    for (let at = 0; at < 2; at += 1) assert.match(await readHead(await ask(text)), /^HTTP\/1\.1 200 /);
    const refused = await readHead(await ask(text));
    assert.match(refused, /^HTTP\/1\.1 429 [^]*retry-after: \d+/i);
    assert.match(refused, /"code":"unread-answers"/);
    assert.match(await readHead(await ask('/api/v1/test/image/a')), /^HTTP\/1\.1 429 [^]*"unread-answers"/);
    assert.match(await readHead(await ask('/api/v1/test/small')), /^HTTP\/1\.1 200 /);
    assert.match(await readHead(await ask(text, '127.0.0.2')), /^HTTP\/1\.1 200 /);
  });

  test('the answer to a write that began is never replaced', async () => {
    // The buffers of two streams fill it.
    const narrow = await startOperations(service, operations, {
      unsentLimits: { ...unsentLimits(), addressBytes: 200_000 },
    });
    const narrowPort = (narrow.app.server.address() as AddressInfo).port;
    const askNarrow = (path: string, method = 'GET') => ask(`/api/v1/test/${path}`, '127.0.0.1', method, narrowPort);
    const write = await askNarrow('write', 'POST');
    await waitUntil('the write runs', async () => (await metric('http_server_active_requests')) === 1);
    for (const path of ['text', 'file', 'file']) await askNarrow(path);
    await waitUntil('the address is full', async () => / 429 /.test(await readHead(await askNarrow('small'))));
    released.write.resolve();
    assert.match(await readHead(write), /^HTTP\/1\.1 200 /);
    for (const each of opened.splice(0)) each.destroy();
    await narrow.stop();
  });

  test('beyond the total limit of unread bytes, the oldest answer of the address with the most is cut', async () => {
    const patient = await startOperations(service, operations, {
      unsentLimits: { ...unsentLimits(), addressBytes: 2 * largeBytes, totalBytes: 60_000_000 },
    });
    const patientPort = (patient.app.server.address() as AddressInfo).port;
    const askPatient = async (from: string): Promise<Socket> => {
      const socket = await ask('/api/v1/test/text', from, 'GET', patientPort);
      assert.match(await readHead(socket), /^HTTP\/1\.1 200 /);
      return socket;
    };
    const other = await askPatient('127.0.0.2');
    const [oldest] = [await askPatient('127.0.0.3'), await askPatient('127.0.0.3')];
    await new Promise((resolve) => oldest.once('close', resolve).resume());
    assert.equal(await openConnections(), 2);
    assert.equal(other.closed, false);
    for (const each of opened.splice(0)) each.destroy();
    await patient.stop();
  });
});

describe('over HTTP/2', () => {
  let port: number;
  const apps: Awaited<ReturnType<typeof createServer>>[] = [];
  before(async () => {
    port = await start(unsentLimits());
  });
  after(() => Promise.all(apps.map((app) => app.close())));

  async function start(bounds: UnsentLimits): Promise<number> {
    const { config, databases, clock, log, liveLog, equipmentLiveLog, metrics } = service.dependencies;
    const limiter = createRateLimiter(undefined);
    const app = await createServer({
      tenants: config.tenants,
      domain: config.domain,
      allowedOrigins: [],
      trustedProxies: [],
      connections: config.connections,
      unsentLimits: bounds,
      tls: createSelfSignedCertificate(host),
      log,
      liveLog,
      equipmentLiveLog,
      limiter,
      metrics,
      operations,
      clock,
    });
    const notUsed = undefined as never;
    mountOperations(app, operations, { databases, principalProvider: notUsed, limiter, hashSecret: notUsed });
    await app.listen({ host: '127.0.0.1', port: 0 });
    apps.push(app);
    return (app.server.address() as AddressInfo).port;
  }

  /** A session with this window size for each stream. */
  async function openSession(initialWindowSize: number, at = port): Promise<ClientHttp2Session> {
    const session = connectHttp2(`https://127.0.0.1:${at}`, {
      rejectUnauthorized: false,
      settings: { initialWindowSize },
    });
    opened.push(session);
    session.on('error', () => {});
    await once(session, 'remoteSettings');
    return session;
  }
  async function ask(
    session: ClientHttp2Session,
    path: string,
  ): Promise<{ stream: ClientHttp2Stream; status: number }> {
    const stream = session.request({
      ':path': path,
      ':authority': host,
      'accept-encoding': acceptEncodingOf(path),
    });
    stream.on('error', () => {});
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    return { stream, status: Number(headers[':status']) };
  }

  for (const path of [...largePaths, '/api/v1/test/small'])
    test(`a stream whose window stays closed is cut: ${path}`, async () => {
      const { stream, status } = await ask(await openSession(0), path);
      assert.equal(status, 200);
      assertCutInTime(await secondsUntilCut(() => stream.closed));
      assert.notEqual(stream.rstCode, 0);
    });

  test('a stream that is read at half of 8 KiB/s is cut, and one that is read at twice is not', async () => {
    for (const [bytesPerSecond, isKept] of [
      [4096, false],
      [16_384, true],
    ] as const) {
      // A small window: the service soon sees what the client reads.
      const { stream } = await ask(await openSession(16_384), '/api/v1/test/image/a');
      let seconds = 0;
      for (; seconds < 120 && !stream.closed; seconds += 1) {
        let missingBytes = bytesPerSecond;
        await waitUntil('the next second has arrived', () => {
          missingBytes -= (stream.read(Math.min(missingBytes, stream.readableLength)) as Buffer | null)?.length ?? 0;
          return missingBytes === 0 || stream.closed;
        });
        monotonic.advance(1000);
        await pause(2 * checkIntervalMs);
      }
      if (isKept) assert.equal(stream.closed, false, `cut after ${seconds} seconds`);
      else assertCutInTime(seconds);
      stream.destroy();
    }
  });

  test('many streams of one connection have one budget', async () => {
    const session = await openSession(1000);
    const statuses: number[] = [];
    for (let at = 0; at < 8; at += 1) statuses.push((await ask(session, '/api/v1/test/text')).status);
    assert.deepEqual(statuses, [200, 200, 429, 429, 429, 429, 429, 429]);
  });

  test('a large raw picture takes little memory for streams that do not read it', async () => {
    const defaultPort = await start(unsentLimits());
    const reader = await openSession(1_000_000, defaultPort);
    const { stream } = await ask(reader, picturePath);
    let bytes = 0;
    for await (const chunk of stream) bytes += (chunk as Buffer).length;
    assert.equal(bytes, 67_108_986);
    reader.destroy();
    const bytesBefore = await settledBytes();
    const session = await openSession(1000, defaultPort);
    const statuses: number[] = [];
    for (let at = 0; at < 100; at += 1) statuses.push((await ask(session, picturePath)).status);
    assert.ok(statuses.filter((status) => status === 200).length >= 24, String(statuses));
    const heldBytes = await settledBytes(bytesBefore, mostPictureBytes);
    assert.ok(heldBytes < mostPictureBytes, `${heldBytes} bytes`);
  });

  test('a stream that is read arrives completely', async () => {
    for (const path of largePaths) {
      const { stream } = await ask(await openSession(65_535), path);
      let bytes = 0;
      for await (const chunk of stream) bytes += (chunk as Buffer).length;
      assert.ok(bytes >= largeBytes, `${path}: ${bytes}`);
    }
  });
});
