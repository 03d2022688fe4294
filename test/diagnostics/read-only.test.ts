// Live logs and tenant-status alerts are only read, and only when a client asks: no operation writes, clears or pushes them.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Operation } from '../../src/http/operations/operation.ts';
import { createSample } from '../http/support/operation-samples.ts';
import { readUntilClosed } from '../http/support/raw-http.ts';
import { sundHost } from '../support/call.ts';
import { declareOperations } from '../support/service.ts';
import { serviceSuite } from '../support/service-suite.ts';
import {
  alertsOf,
  insertStatusUnit,
  pagePath,
  readStatusPage,
  readTenantStatus,
  statusPath,
} from '../tenant-status/support/status-units.ts';
import { hourMs, testNow } from '../support/times.ts';

const logsPath = '/api/v1/diagnostics/live-logs';
const paths = [logsPath, statusPath, pagePath];

type Event = { readonly messageTemplate: string; readonly category: string };

serviceSuite({ now: testNow }, ({ service, manager, issueToken }) => {
  let operations: readonly Operation[];
  before(async () => {
    operations = declareOperations(service.dependencies);
    const unit = { last_contact_at: testNow - 3 * hourMs };
    // The samples of other operations name no place of this bank.
    await service.write('sund', (db) => insertStatusUnit(db, 7001, { unit }));
    await service.write('sund', (db) => insertStatusUnit(db, 1001, {}));
  });

  const readEvents = async (): Promise<Event[]> =>
    (await service.call('GET', logsPath, manager)).json.servers[0].events;
  const readAlerts = async (): Promise<unknown[]> => {
    const [{ items }, page] = [await readTenantStatus(service, manager), await readStatusPage(service, manager)];
    return [...items, ...page.status.items].filter(({ kid }) => kid.includes('-B7001-'));
  };

  test('[livelogs.17] only GET, HEAD and OPTIONS are served where live logs and alerts are', async () => {
    for (const path of paths)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await service.call(method, path, manager);
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, OPTIONS'], `${method} ${path}`);
      }
  });

  test('[livelogs.17] no operation that writes clears an event or an alert, or writes one', async () => {
    service.dependencies.log.warn('a marker');
    const alerts = await readAlerts();
    assert.deepEqual(alertsOf({ items: alerts as never[] }), ['Offline:sund-B7001-L1-U1', 'Offline:sund-B7001-L1-U1']);
    const writes = operations.filter(({ method }) => method !== 'GET');
    assert.ok(writes.length > 20);
    for (const operation of writes) {
      const { method, path, body } = createSample(operation);
      // Some of them end their session.
      await service.call(method, path, { token: await issueToken(), body });
    }
    const events = await readEvents();
    assert.deepEqual(
      events.filter(({ category }) => category !== 'request').map(({ messageTemplate }) => messageTemplate),
      ['a marker'],
    );
    assert.deepEqual(await readAlerts(), alerts);
  });

  test('[livelogs.17] nothing is pushed: a client that asks for a stream or an upgrade gets one answer, and nothing after it', async () => {
    const head = ['', `Host: ${sundHost}`, `Authorization: Bearer ${manager.token}`];
    const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`];
    for (const path of paths) {
      const stream = [`GET ${path} HTTP/1.1${head.join('\r\n')}`, 'Accept: text/event-stream, */*'];
      const next = ['GET /livez HTTP/1.1', `Host: ${sundHost}`, 'Connection: close'];
      const [first = '', second = '', ...more] = await readAnswers(service.port, [...stream, '', ...next, '', '']);
      assertWhole(first, path);
      assert.match(second, /^HTTP\/1\.1 200 [^]*"status":"ok"/, path);
      assert.deepEqual(more, []);
      const request = [`GET ${path} HTTP/1.1${head.join('\r\n')}`, 'Connection: upgrade, close', ...upgrade];
      const [only = '', ...others] = await readAnswers(service.port, [...request, '', '']);
      assertWhole(only, path);
      assert.deepEqual(others, []);
    }
  });
});

/** What comes until the service closes the connection, by answers. */
const readAnswers = async (port: number, lines: readonly string[]): Promise<string[]> =>
  (await readUntilClosed(port, lines.join('\r\n'))).split(/(?=HTTP\/1\.1 \d{3} )/);

function assertWhole(answer: string, path: string): void {
  assert.match(answer, /^HTTP\/1\.1 200 [^]*\r\ncontent-type: application\/json/i, path);
  assert.equal(Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1]), answer.split('\r\n\r\n')[1]?.length, path);
}
