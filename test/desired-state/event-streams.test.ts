// Server-sent events of what a computer has to know: they show that the stream is still there, and end.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createDesiredWaiters } from '../../src/features/desired-state/process/desired-waiters.ts';
import { desiredStateRoutes } from '../../src/features/desired-state/routes.ts';
import {
  eventStreamLimits,
  type EventStreamLimits,
} from '../../src/features/desired-state/rules/event-stream-limits.ts';
import { waitUntil } from '../support/async.ts';
import { sundHost } from '../support/call.ts';
import { startOperations } from '../support/instances.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';

test('a stream says every 20 seconds that it is there, and ends after ten minutes', () => {
  assert.deepEqual(eventStreamLimits, { heartbeatMs: 20_000, lifetimeMs: 600_000 });
});

serviceSuite({ now: 834_831_000_000 }, (suite) => {
  const { service, manager, clock } = suite;
  /** The operations of computers with other limits. */
  const startStreams = async (limits: Partial<EventStreamLimits>) => {
    const waiters = createDesiredWaiters(service.dependencies.databases, () => () => {});
    const routes = desiredStateRoutes({ waiters, eventStreamLimits: { ...eventStreamLimits, ...limits } });
    const instance = await startOperations(service, routes);
    return {
      port: (instance.app.server.address() as AddressInfo).port,
      stop: async () => {
        waiters.close();
        await instance.stop();
      },
    };
  };
  /** Opens a stream; `text` is what has come so far. */
  const openStream = async (port: number, { key }: TestEquipment, after = 0) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: `/equipment/v1/desired?after=${after}`,
      agent: false,
      headers: { host: sundHost, authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    });
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    const stream = { status: Number(incoming.statusCode), text: '', hasEnded: false, close: () => outgoing.destroy() };
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => (stream.text += chunk));
    incoming.on('end', () => (stream.hasEnded = true));
    incoming.on('error', () => {});
    return stream;
  };
  const countHeartbeats = (text: string): number =>
    text.split('\n\n').filter((each) => /^id: \d+\n: $/.test(each)).length;
  const putSetting = async (equipment: TestEquipment, value: number, expectedRevision: string) => {
    const path = `/api/v1/units/${equipment.unit('1-1')}/settings/MaxTemperature`;
    assert.equal((await service.call('PUT', path, { ...manager, body: { value, expectedRevision } })).status, 200);
  };

  test('a stream without changes has heartbeats, with the version from which to go on, and changes come between them', async () => {
    const equipment = await createEquipment(suite);
    const { port, stop } = await startStreams({ heartbeatMs: 100 });
    const stream = await openStream(port, equipment);
    await waitUntil('three heartbeats', () => countHeartbeats(stream.text) >= 3);
    assert.match(stream.text, /^retry: 5000\n\nid: 0\n: \n\nid: 0\n: \n\n/);
    await putSetting(equipment, 60, '0');
    await waitUntil('the change and a heartbeat after it', () => /data: .*\n\nid: 1\n: \n\n/.test(stream.text));
    assert.match(stream.text, /id: 1\nevent: change\ndata: \{"v":1,"kind":"setting"/);
    assert.equal(stream.hasEnded, false);
    stream.close();
    await stop();
  });

  test('a stream without a heartbeat to send is silent', async () => {
    const equipment = await createEquipment(suite);
    const { port, stop } = await startStreams({});
    const stream = await openStream(port, equipment);
    await putSetting(equipment, 60, '0');
    await waitUntil('the change', () => stream.text.includes('event: change'));
    assert.equal(countHeartbeats(stream.text), 0);
    stream.close();
    await stop();
  });

  test('a stream ends by itself, and its client is checked again when it comes back', async () => {
    const equipment = await createEquipment(suite);
    const { port, stop } = await startStreams({ lifetimeMs: 700 });
    const stream = await openStream(port, equipment);
    await service.write('sund', (db) =>
      db.updateTable('computers').set({ revoked_at: clock.now }).where('bank_id', '=', equipment.bankId).execute(),
    );
    assert.deepEqual([stream.status, stream.hasEnded], [200, false]);
    await waitUntil('the stream ends', () => stream.hasEnded);
    assert.match(stream.text, /id: 0\n: \n\n$/, 'a whole event is the last one');
    assert.equal((await openStream(port, equipment)).status, 401);
    await stop();
  });
});
