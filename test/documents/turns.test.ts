// The slots of searches and renderings: managers take turns, a disconnected client neither holds a slot nor waits for
// one, and endless work is stopped.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect, constants } from 'node:http2';
import { afterEach, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import type { Databases } from '../../src/database/databases.ts';
import { createGraphCache } from '../../src/features/documents/process/graph-cache.ts';
import {
  createDocumentRenderer,
  type DocumentRenderer,
} from '../../src/features/documents/rendering/document-renderer.ts';
import { documentsRoutes } from '../../src/features/documents/routes.ts';
import { createHttpMetrics, type HttpMetrics } from '../../src/http/monitoring/metrics.ts';
import { createSelfSignedCertificate } from '../http/support/certificate.ts';
import { waitUntil } from '../support/async.ts';
import { sundHost, type HttpReply } from '../support/call.ts';
import { insertTestBank } from '../support/factories.ts';
import { startOperations, type TestInstance } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { hourMs, testNow } from '../support/times.ts';
import {
  cyclesAt,
  documentKidOf,
  documentPath,
  formatPaths,
  report,
  samplesOf,
  searchPath,
  unitAt,
} from './support/reports.ts';

const unit = unitAt(1001, 1, 1);
const [endless, usual] = [documentKidOf(unit, 1), documentKidOf(unit, 2)];

/** Longer than any test waits. */
const patientMs = 600_000;

type Sent = { readonly status: Promise<number>; leave(): void };
type Send = (path: string, token: string) => Sent;

type Instance = TestInstance & {
  readonly port: number;
  readonly metrics: HttpMetrics;
  readonly logLines: readonly string[];
};

serviceSuite({ now: testNow }, ({ engine, service, manager, issueToken, onStop }) => {
  let otherToken: string;
  /** The documents that were given to the renderer, in this order. */
  let rendered: string[] = [];
  let rendering = 0;
  /** Continues the reads that have begun, in the order in which they began. */
  const held: (() => void)[] = [];
  let isHolding = false;

  afterEach(() => {
    isHolding = false;
    for (const letGo of held.splice(0)) letGo();
  });
  before(async () => {
    otherToken = await issueToken();
    await service.write('sund', (db) => insertTestBank(db, { places: { 1: [1] } }));
    for (const documentId of [1, 2])
      await report(service, unit, {
        cycles: cyclesAt(documentId, [testNow - (2 * documentId + 1) * hourMs, testNow - 2 * documentId * hourMs]),
        samples: samplesOf('Power', [[testNow - 2 * documentId * hourMs, '1']]),
        syncedThrough: testNow,
      });
  });

  /** The renderer, which renders one of the documents endlessly, until it is stopped. */
  function startRenderer(): DocumentRenderer {
    const renderer = createDocumentRenderer();
    return {
      ...renderer,
      render: async (format, head, samples, options) => {
        rendered.push(head.documentKid);
        rendering += 1;
        try {
          for (;;) {
            const bytes = await renderer.render(format, head, samples, options);
            if (head.documentKid !== endless) return bytes;
            await pause(5);
          }
        } finally {
          rendering -= 1;
        }
      },
    };
  }

  /** The databases of the service, whose reads wait at their beginning while a test holds them. */
  const holdReads = (databases: Databases): Databases => ({
    ...databases,
    forTenant: (tenant) => ({
      ...databases.forTenant(tenant),
      read: async (options, work) => {
        // Sessions are read with another deadline.
        if (isHolding && options.deadlineMs > 5000) {
          const { promise, resolve } = Promise.withResolvers<void>();
          held.push(resolve);
          await promise;
        }
        return databases.forTenant(tenant).read(options, work);
      },
    }),
  });

  type InstanceOptions = {
    readonly deadlineMs?: number;
    readonly maxWaitMs?: number;
    readonly tls?: { readonly cert: string; readonly key: string };
  };

  async function startDocuments({ deadlineMs, maxWaitMs, ...tls }: InstanceOptions): Promise<Instance> {
    rendered = [];
    const logLines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
    const { config, clock, databases } = service.dependencies;
    const graphCache = createGraphCache({ directory: config.cache, log, clock });
    const renderer = startRenderer();
    const operations = documentsRoutes({ renderer, graphCache }, maxWaitMs).map((operation) =>
      deadlineMs === undefined ? operation : { ...operation, deadlineMs },
    );
    const metrics = createHttpMetrics();
    const replaced = { databases: holdReads(databases), log, metrics, ...tls };
    const instance = await startOperations(service, operations, replaced);
    onStop(async () => {
      // Close it first: it ends the work that a request can still wait for.
      await renderer.close();
      await instance.stop();
      await graphCache.close();
    });
    const { port } = instance.app.server.address() as { port: number };
    return { ...instance, port, metrics, logLines };
  }

  const readGauge = async ({ metrics }: Instance, name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await metrics.text())?.[1]);
  const countLogged = ({ logLines }: Instance, pattern: RegExp): number =>
    logLines.filter((line) => pattern.test(line)).length;
  const waitUntilActive = (instance: Instance, count: number): Promise<void> =>
    waitUntil(
      `${count} requests are being answered`,
      async () => (await readGauge(instance, 'http_server_active_requests')) === count,
    );

  function sendHttp1({ port }: Instance): Send {
    return (path, token) => {
      const headers = { host: sundHost, authorization: `Bearer ${token}` };
      const outgoing = request({ host: '127.0.0.1', port, path, headers, agent: false });
      const status = new Promise<number>((resolve) => {
        outgoing.on('error', () => resolve(0));
        outgoing.on('response', (response) => resolve(response.resume().statusCode ?? 0));
      });
      outgoing.end();
      return { status, leave: () => outgoing.destroy() };
    };
  }

  function sendHttp2({ port }: Instance): Send {
    return (path, token) => {
      const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
      const stream = session.request({ ':path': path, ':authority': sundHost, authorization: `Bearer ${token}` });
      const status = new Promise<number>((resolve) => {
        stream.on('response', (headers) => resolve(headers[':status'] ?? 0));
        stream.on('error', () => {}).on('close', () => resolve(0));
      });
      stream.resume();
      onStop(() => session.destroy());
      void status.then(() => session.close());
      // Some close only the stream, others the connection.
      const leave = (): void => (path.includes('svg') ? session.destroy() : stream.close(constants.NGHTTP2_CANCEL));
      return { status, leave };
    };
  }

  for (const [claim, work, path] of [
    ['documents.26', 'search', searchPath(1001)],
    ['documents.58', 'rendering', documentPath(usual)],
  ] as const)
    test(`[${claim}] a manager whose ${work} waits is served after one of another manager who has many`, async () => {
      const instance = await startDocuments({ deadlineMs: patientMs, maxWaitMs: 60_000 });
      const send = sendHttp1(instance);
      // Their sessions are cached from now on, so that a request enters the queue at once.
      for (const token of [manager.token, otherToken]) assert.equal(await send(path, token).status, 200);
      isHolding = true;
      const order: string[] = [];
      const begin = (name: string, token: string): void => {
        void send(path, token).status.then((status) => order.push(`${name} ${status}`));
      };
      for (let count = 1; count <= 6; count += 1) begin('many', manager.token);
      await waitUntilActive(instance, 6);
      for (let count = 1; count <= 2; count += 1) begin('few', otherToken);
      await waitUntilActive(instance, 8);
      for (let answered = 1; answered <= 8; answered += 1) {
        await waitUntil('a read has begun', () => held.length > 0);
        held.shift()?.();
        await waitUntil('it is answered', () => order.length === answered);
      }
      // Two got a slot at once.
      const expected = ['many', 'many', 'many', 'few', 'many', 'few', 'many', 'many'];
      assert.deepEqual(
        order,
        expected.map((name) => `${name} 200`),
      );
    });

  for (const [version, sender] of [
    ['HTTP/1.1', sendHttp1],
    ['HTTP/2', sendHttp2],
  ] as const)
    test(`[documents.58] ${version}: clients that disconnect free their slots, leave the queue, and cause no errors`, async () => {
      const tls = version === 'HTTP/2' ? { tls: createSelfSignedCertificate(sundHost) } : {};
      const instance = await startDocuments({ deadlineMs: patientMs, maxWaitMs: 60_000, ...tls });
      const send = sender(instance);
      const formats = ['table.xls', 'graph.svg'] as const;
      const sendForms = (kid: string): Sent[] =>
        formats.map((format) => send(documentPath(kid, format), manager.token));
      const served = sendForms(endless);
      await waitUntil('two are being rendered', () => rendering === 2);
      const queued = Array.from({ length: 10 }, () => sendForms(endless)).flat();
      const other = send(documentPath(usual), otherToken);
      await waitUntilActive(instance, 23);
      for (const { leave } of queued) leave();
      await waitUntilActive(instance, 3);
      for (const { leave } of served) leave();
      assert.equal(await other.status, 200);
      await waitUntil('their renderings have ended', () => rendering === 0);
      assert.equal(await send(documentPath(usual), manager.token).status, 200);
      assert.deepEqual(rendered, [endless, endless, usual, usual]);
      await waitUntil('all are logged', () => countLogged(instance, /"msg":"request"/) === 24);
      assert.equal(countLogged(instance, /"status":499/), 22);
      assert.equal(countLogged(instance, /"code":|"level":"?(?:warn|error|[45]0)/), 0, instance.logLines.join(''));
      assert.doesNotMatch(await instance.metrics.text(), /status_code="5/);
    });

  test('[documents.26] clients that disconnect do not wait for a search', async () => {
    const instance = await startDocuments({ deadlineMs: patientMs, maxWaitMs: 60_000 });
    const send = sendHttp1(instance);
    const path = searchPath(1001);
    // The first list of a tenant also reads the key of its cursors.
    assert.equal(await send(path, manager.token).status, 200);
    isHolding = true;
    const searching = [send(path, manager.token), send(path, manager.token)];
    await waitUntil('two are being searched', () => held.length === 2);
    const gone = Array.from({ length: 10 }, () => send(path, manager.token));
    const waiting = send(path, otherToken);
    await waitUntilActive(instance, 13);
    for (const { leave } of gone) leave();
    await waitUntilActive(instance, 3);
    for (const letGo of held.splice(0)) letGo();
    for (const { status } of searching) assert.equal(await status, 200);
    await waitUntil('the other manager is being served', () => held.length > 0);
    isHolding = false;
    assert.equal(held.length, 1);
    held[0]?.();
    assert.equal(await waiting.status, 200);
    assert.equal(countLogged(instance, /"code":/), 0);
  });

  /** Together they are all formats. */
  const formatPairs = [
    ['table', 'graph.svg'],
    ['table.html', 'table.csv'],
    ['table.xls', 'graph.svg'],
  ] as const;

  test('[documents.58] two formats are rendered at once, whichever they are; a third one of any format waits a second, and is then document-busy', async () => {
    const instance = await startDocuments({ deadlineMs: patientMs });
    const send = sendHttp1(instance);
    for (const pair of formatPairs) {
      const running = pair.map((format) => send(documentPath(endless, format), manager.token));
      await waitUntil('two are being rendered', () => rendering === 2);
      const refused = await Promise.all(
        formatPaths.map(async (format) => {
          const startedAt = performance.now();
          // No graph of this width is cached.
          const query = format === 'graph.svg' ? 'width=801' : '';
          const reply = await instance.call('GET', documentPath(usual, format, query), { token: otherToken });
          return { ...reply, format, ms: performance.now() - startedAt };
        }),
      );
      for (const { status, json, headers, format, ms } of refused) {
        assert.deepEqual([status, json.code, headers['retry-after']], [503, 'document-busy', '1'], format);
        assert.ok(ms >= 950, `${format} after ${ms} ms`);
      }
      assert.equal(rendering, 2);
      for (const { leave } of running) leave();
      await waitUntil('both slots are free', () => rendering === 0);
    }
    assert.deepEqual(new Set(rendered), new Set([endless]));
    for (const format of formatPaths)
      assert.equal((await instance.call('GET', documentPath(usual, format), manager)).status, 200, format);
  });

  // This test is slow, and does not depend on the database.
  if (engine === 'sqlite')
    test('[documents.57, documents.59] in each format a rendering that never ends is stopped after twelve seconds, and frees its slot', async () => {
      const readPair = async (pair: (typeof formatPairs)[number]): Promise<void> => {
        const instance = await startDocuments({});
        const read = (kid: string): Promise<HttpReply>[] =>
          pair.map((format) => instance.call('GET', documentPath(kid, format), manager));
        const startedAt = performance.now();
        const replies = await Promise.all(read(endless));
        const ms = performance.now() - startedAt;
        for (const [index, { status, json, headers }] of replies.entries()) {
          assert.deepEqual([pair[index], status, json.code], [pair[index], 503, 'document-busy']);
          assert.match(json.detail, /not be prepared in time/);
          assert.equal(headers['retry-after'], '10');
        }
        assert.ok(ms >= 11_800, `after ${ms} ms`);
        assert.deepEqual(
          (await Promise.all(read(usual))).map(({ status }) => status),
          [200, 200],
        );
      };
      await Promise.all(formatPairs.map(readPair));
      assert.equal(rendering, 0);
    });
});
