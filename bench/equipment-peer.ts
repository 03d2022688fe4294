// Measures lines of money over HTTP, 100 at a time, against what a user would build instead: Mosquitto, mqtt.js and
// SQLite, with an answer after the commit. The peer stores lines: it has no ledger, no rights and no account.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { findFreePorts, findProgram, killProgram } from '../test/support/programs.ts';
import { waitUntil } from '../test/support/async.ts';
import { insertBenchComputer } from './support/equipment-data.ts';
import { startDemoService } from './support/demo-service.ts';
import { compareRates, reportComparison } from './support/measure.ts';
import { startNode } from './support/processes.ts';
import { createStreamSender, createUses, readTag } from './support/stream-sender.ts';

const size = { each: 100, times: 60 };
const unit = 'sund-B1001-L1-U1';

export async function benchmarkEquipmentPeer(): Promise<void> {
  const mosquitto = findProgram('mosquitto');
  if (mosquitto === undefined) {
    console.log('SKIPPED the peer of the Equipment API: install the Debian package mosquitto');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const storage = `sqlite:${join(folder, 'data')}`;
  let key = '';
  const service = await startDemoService(storage, 1000, async () => {
    key = await insertBenchComputer(storage);
  });
  const broker = await startBroker(mosquitto, folder);
  const subscriber = await startNode('bench/support/mqtt-peer.ts', [broker.url, join(folder, 'peer.sqlite')], {});
  try {
    const { port } = service.target('');
    const tag = await readTag(port, key);
    const sender = createStreamSender(port, key);
    const publish = await createPublisher(broker.client);
    const createLines = (): object[] => createUses(size.each, { unit, tag });
    const rates = await compareRates(
      () => sender.send('money', createLines()),
      () => publish(createLines()),
      size,
    );
    // No bound: the two do not do the same work.
    reportComparison('Lines of money a second over HTTP, against Mosquitto, mqtt.js and SQLite', rates, { least: 0 });
  } finally {
    await broker.client.endAsync(true);
    await subscriber.stop();
    await killProgram(broker.process);
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Broker = { readonly url: string; readonly client: MqttClient; readonly process: ChildProcess };

async function startBroker(program: string, folder: string): Promise<Broker> {
  const port = await findFreePorts();
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n`);
  const started = spawn(program, ['-c', file], { stdio: 'ignore' });
  process.once('exit', () => started.kill('SIGTERM'));
  const url = `mqtt://127.0.0.1:${port}`;
  let client: MqttClient | undefined;
  await waitUntil('the broker listens', async () => {
    client = await connectAsync(url, { reconnectPeriod: 0 }).catch(() => undefined);
    return client !== undefined;
  });
  if (client === undefined) throw new Error('the broker does not listen');
  return { url, client, process: started };
}

/** Numbers the lines and publishes them; ends when the subscriber has answered that it has them. */
async function createPublisher(client: MqttClient): Promise<(lines: readonly object[]) => Promise<void>> {
  let n = 0;
  let waiting: { readonly through: number; readonly resolve: () => void } | undefined;
  client.on('message', (_topic, payload) => {
    if (Number(payload.toString()) === waiting?.through) waiting.resolve();
  });
  await client.subscribeAsync('lines/900/answer', { qos: 1 });
  return async (lines) => {
    const body = lines.map((line) => JSON.stringify({ n: (n += 1), ...line })).join('\n');
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { through: n, resolve };
    await client.publishAsync('lines/900/money', body, { qos: 1 });
    await promise;
  };
}
