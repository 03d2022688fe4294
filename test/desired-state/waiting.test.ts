// Requests that wait for a change: woken by any process, ended with their client and with the service.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { measureMs } from '../support/async.ts';
import { sundHost } from '../support/call.ts';
import { readDesired } from '../support/desired.ts';
import { serviceSuite } from '../support/service-suite.ts';
import { startService } from '../support/service.ts';
import { createEquipment, type TestEquipment } from '../support/streams.ts';

const waitSeconds = 50;

serviceSuite({ now: 834_831_000_000, replicas: 2 }, (suite) => {
  const { service, manager, replicaFor } = suite;
  const putSetting = (by: typeof service, equipment: TestEquipment) =>
    by.call('PUT', `/api/v1/units/${equipment.unit('1-1')}/settings/MaxTemperature`, {
      token: manager.token,
      body: { value: 60, expectedRevision: '0' },
    });
  /** Waits in the process `at` while another request changes a setting in the first process. */
  const wakeBy = async (at: number) => {
    const equipment = await createEquipment(suite);
    const waiting = readDesired(replicaFor(at), equipment.key, 0, { wait: waitSeconds });
    const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
    assert.equal(early, 'waits');
    assert.equal((await putSetting(service, equipment)).status, 200);
    const { status, json } = await waiting;
    assert.deepEqual([status, json.version, json.changes.length], [200, 1, 1]);
  };

  test('a change of this process ends the wait', async () => {
    const ms = await measureMs(wakeBy(0));
    assert.ok(ms < (waitSeconds * 1000) / 2, `after ${ms} ms`);
  });

  test('a change of another process ends the wait', async () => {
    const ms = await measureMs(wakeBy(1));
    assert.ok(ms < (waitSeconds * 1000) / 2, `after ${ms} ms`);
  });

  test('a wait without a change ends with none after its seconds', async () => {
    const equipment = await createEquipment(suite);
    const { status, json } = await readDesired(service, equipment.key, 0, { wait: 1 });
    assert.deepEqual([status, json], [200, { version: 0, more: false, changes: [] }]);
  });

  test('what changes after a waiting client has gone is not sent', async () => {
    const equipment = await createEquipment(suite);
    const headers = { host: sundHost, authorization: `Bearer ${equipment.key}` };
    const path = `/equipment/v1/desired?after=0&wait=${waitSeconds}`;
    const outgoing = request({ host: '127.0.0.1', port: service.port, path, agent: false, headers });
    outgoing.on('error', () => {});
    outgoing.end();
    await new Promise((resolve) => setTimeout(resolve, 300));
    outgoing.destroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal((await putSetting(service, equipment)).status, 200);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const rows = await service.read('sund', (db) =>
      db.selectFrom('device_sync').select('state').where('bank_id', '=', equipment.bankId).execute(),
    );
    assert.deepEqual(rows, [{ state: 'queued' }]);
  });

  test('a service that stops answers those who wait at once, with no changes', async () => {
    const equipment = await createEquipment(suite);
    const stopping = await startService(suite.engine, { storage: suite.storage });
    const waiting = readDesired(stopping, equipment.key, 0, { wait: waitSeconds });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const ms = await measureMs(stopping.stop());
    const { status, json } = await waiting;
    assert.deepEqual([status, json.changes], [200, []]);
    assert.ok(ms < (waitSeconds * 1000) / 2, `after ${ms} ms`);
  });

  test('events have the version as their id, and a client that comes back continues after it', async () => {
    const equipment = await createEquipment(suite);
    await putSetting(service, equipment);
    const read = (lastEventId: string, until: RegExp): Promise<string> =>
      new Promise((resolve, reject) => {
        const outgoing = request({
          host: '127.0.0.1',
          port: service.port,
          path: '/equipment/v1/desired?after=1',
          agent: false,
          headers: {
            host: sundHost,
            authorization: `Bearer ${equipment.key}`,
            accept: 'text/event-stream',
            'last-event-id': lastEventId,
          },
        });
        outgoing.on('error', reject);
        outgoing.on('response', (incoming) => {
          assert.match(incoming.headers['content-type'] ?? '', /^text\/event-stream/);
          let text = '';
          incoming.setEncoding('utf8');
          incoming.on('data', (chunk: string) => {
            text += chunk;
            if (!until.test(text)) return;
            resolve(text);
            outgoing.destroy();
          });
          incoming.on('error', () => resolve(text));
        });
        outgoing.end();
      });
    const text = await read('0', /event: change\ndata: .*\n\n/);
    assert.match(text, /^retry: \d+\n\nid: 1\nevent: change\ndata: \{"v":1,"kind":"setting"/);
    const resumed = read('1', /event: change\ndata: .*\n\n/);
    await service.call('PUT', `/api/v1/units/${equipment.unit('1-1')}/settings/MaxTemperature`, {
      token: manager.token,
      body: { value: 90, expectedRevision: '2' },
    });
    assert.match(await resumed, /id: 2\nevent: change\ndata: \{"v":2,/);
  });
});
