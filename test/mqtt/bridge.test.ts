// The MQTT bridge between a real broker and the service: lines are answered after the commit, desired state is retained,
// and only the computer itself acknowledges.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connectAsync, type MqttClient } from 'mqtt';
import { parseBridgeSettings } from '../../src/providers/mqtt/bridge-settings.ts';
import { startMqttBridge } from '../../src/providers/mqtt/mqtt-bridge.ts';
import { waitUntil } from '../support/async.ts';
import { enrolTestComputer } from '../support/computers.ts';
import { insertTestBank, insertTestResident } from '../support/factories.ts';
import { findFreePorts, findProgram, killProgram, reasonWithout, startWatchdog } from '../support/programs.ts';
import { serviceFixture } from '../support/service-suite.ts';
import { settingPath } from '../support/unit-settings.ts';

describe('MQTT bridge', { skip: reasonWithout('mosquitto') }, () => {
  const { service, manager, started } = serviceFixture('sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'portal-mqtt-'));
  const watchdog = startWatchdog(folder);
  const unit = 'sund-B1001-L1-U1';
  const rights = join(folder, 'rights');
  /** The topics that the bridge may publish, from the next start of the broker on, or from its next signal. */
  const grantBridge = (...topics: readonly string[]): void => {
    const granted = topics.map((topic) => `topic write ${topic}\n`).join('');
    writeFileSync(rights, `topic #\nuser bridge\ntopic read #\n${granted}`, { mode: 0o600 });
  };
  let broker: ChildProcess | undefined;
  let port: number;
  let computer: { kid: string; key: string };
  let bridge: Awaited<ReturnType<typeof startMqttBridge>>;
  let client: MqttClient;
  /** The newest message of each topic. */
  const received = new Map<string, string>();

  const startBroker = async (): Promise<void> => {
    broker = spawn(findProgram('mosquitto') ?? '', ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' });
    watchdog.watch(broker);
    await waitUntil('the broker listens', async () => {
      try {
        await (await connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0 })).endAsync();
        return true;
      } catch {
        return false;
      }
    });
  };

  before(async () => {
    await started;
    await service.write('sund', async (db) => {
      await insertTestBank(db);
      await insertTestResident(db, 1042);
      const key = { key_number: '04A21B33', kind: 'Tag', added_at: 0, held_number: '04A21B33' };
      await db
        .insertInto('resident_keys')
        .values({ bank_id: 1001, resident_id: 1042, ...key })
        .execute();
    });
    computer = await enrolTestComputer(service, { ...manager, units: ['1-1'] });
    port = await findFreePorts();
    writeFileSync(
      join(folder, 'mosquitto.conf'),
      // Started by root, the broker would be a user who may not read the file.
      `listener ${port} 127.0.0.1\nallow_anonymous true\nuser ${userInfo().username}\nacl_file ${rights}\n`,
    );
    grantBridge('#');
    await startBroker();
    const settings = parseBridgeSettings(
      JSON.stringify({
        broker: `mqtt://127.0.0.1:${port}`,
        username: 'bridge',
        computers: [
          {
            computerKid: computer.kid,
            key: computer.key,
            service: `http://127.0.0.1:${service.port}`,
            host: 'api.sund.localhost',
          },
        ],
      }),
    );
    client = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 5, reconnectPeriod: 50 });
    client.on('message', (topic, payload) => received.set(topic, payload.toString()));
    await client.subscribeAsync(`portal/${computer.kid}/#`, { qos: 1 });
    bridge = await startMqttBridge(settings, { log: service.dependencies.log, clock: Date.now });
  });
  after(async () => {
    await bridge?.stop();
    await client?.endAsync(true);
    if (broker !== undefined) await killProgram(broker);
    await watchdog.end();
  });

  const topicOf = (rest: string): string => `portal/${computer.kid}/${rest}`;

  async function publishLines(stream: 'money' | 'samples', ...lines: object[]): Promise<Record<string, unknown>> {
    const answerTopic = topicOf(`${stream}/answer`);
    received.delete(answerTopic);
    const sentAt = new Date().toISOString();
    const [first] = lines as [{ n: number }];
    const header = { epoch: 'mqtt', first: first.n, sentAt, software: '1' };
    const body = [header, ...lines.map((line) => ({ at: sentAt, ...line }))].map((each) => JSON.stringify(each));
    await client.publishAsync(topicOf(stream), body.join('\n'), { qos: 1 });
    await waitUntil('the answer', () => received.has(answerTopic));
    return JSON.parse(received.get(answerTopic) ?? '');
  }

  const use = { n: 1, t: 'use', unit, key: '04A21B33', amountMinor: '-1500', currency: 'DKK', ref: 'A-1' };
  const countPostings = () =>
    service.read('sund', async (db) => (await db.selectFrom('postings').select('posting_id').execute()).length);

  test('lines are answered as over HTTP, and a repeat books nothing twice', async () => {
    const answer = await publishLines('money', use);
    assert.partialDeepStrictEqual(answer, { status: 200, through: 1, repeated: 0, held: [] });
    assert.equal(await countPostings(), 1);
    assert.partialDeepStrictEqual(await publishLines('money', use), { status: 200, through: 1, repeated: 1 });
    assert.equal(await countPostings(), 1);
  });

  test('a problem is an answer, too', async () => {
    const gap = await publishLines('money', { ...use, n: 9, ref: 'A-9' });
    assert.partialDeepStrictEqual(gap, { status: 409, code: 'stream-gap', expected: 2 });
  });

  test('a broker that does not take an answer ends neither the bridge nor what comes after it', async () => {
    const line = { ...use, n: 2, ref: 'A-2' };
    grantBridge('portal/+/desired/#', 'portal/+/samples/answer');
    broker?.kill('SIGHUP');
    const posted = (await countPostings()) + 1;
    const answered = publishLines('money', line);
    await waitUntil('the line is stored', async () => (await countPostings()) === posted);
    assert.equal((await publishLines('samples', { n: 1, t: 'applied', v: 1, ok: true }))['status'], 200);
    grantBridge('#');
    broker?.kill('SIGHUP');
    // The computer sends again what was not answered.
    assert.partialDeepStrictEqual(await publishLines('money', line), { status: 200, through: 2, repeated: 1 });
    await answered;
  });

  test('a changed setting is retained for the computer, and acknowledged only by its own line', async () => {
    const body = { value: 40, expectedRevision: '0' };
    const written = await service.call('PUT', settingPath(unit, 'MaxTemperature'), { ...manager, body });
    assert.equal(written.status, 200, written.text);
    const topic = topicOf(`desired/setting/${unit}/MaxTemperature`);
    await waitUntil('the setting is published', () => received.has(topic));
    const change = JSON.parse(received.get(topic) ?? '');
    assert.partialDeepStrictEqual(change, { kind: 'setting', unit, name: 'MaxTemperature', value: 40 });
    const isSynced = async (): Promise<boolean> => {
      const { json } = await service.call('GET', `/api/v1/units/${unit}/groups/Operation`, manager);
      return json.values.find(({ name }: { name: string }) => name === 'MaxTemperature').synced;
    };
    assert.equal(await isSynced(), false);
    assert.equal((await publishLines('samples', { n: 2, t: 'applied', v: change.v, ok: true }))['status'], 200);
    assert.equal(await isSynced(), true);
    // Who subscribes later gets the retained value.
    received.delete(topic);
    await client.unsubscribeAsync(topicOf('#'));
    await client.subscribeAsync(topicOf('#'), { qos: 1 });
    await waitUntil('the retained setting', () => received.has(topic));
  });

  test('a key that may no longer be used is taken from the broker', async () => {
    const topic = topicOf('desired/key/04A21B33');
    await waitUntil('the key is published', () => (received.get(topic) ?? '') !== '');
    const path = '/api/v1/banks/sund-B1001/users/sund-B1001-R1042/commands/Disable';
    const disabled = await service.call('POST', path, { ...manager, body: { expectedRevision: '1' } });
    assert.equal(disabled.status, 200, disabled.text);
    await waitUntil('the key is empty', () => received.get(topic) === '');
  });

  test('after a restart of the broker, which has forgotten everything, all of it is published again', async () => {
    const topic = topicOf(`desired/setting/${unit}/MaxTemperature`);
    if (broker !== undefined) await killProgram(broker);
    received.clear();
    await startBroker();
    await waitUntil('the setting is published again', () => (received.get(topic) ?? '') !== '');
    const answer = await publishLines('money', { ...use, n: 3, ref: 'A-3', key: 'nobody' });
    assert.partialDeepStrictEqual(answer, { status: 200, through: 3 });
  });
});
