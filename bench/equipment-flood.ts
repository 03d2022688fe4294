// Measures how long a manager waits while one computer floods the service: the slowest percent of GetCurrentManager, which
// are sent at a fixed rate. The floor is the same while the computer floods another service on the same machine: what the
// flood takes of the processor is no concern of the service, only what it takes of the service's turns.

import { mkdtempSync, rmSync } from 'node:fs';
import { request, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDemoService, type BenchService } from './support/demo-service.ts';
import { insertBenchComputer } from './support/equipment-data.ts';
import { reportComparison, type Comparison } from './support/measure.ts';
import { startNode, type RunningProcess } from './support/processes.ts';
import { readTag } from './support/stream-sender.ts';

const rounds = 5;
const reads = { perSecond: 200, count: 1000 };
/** Until the last requests of a flood have their answers. */
const endOfFloodMs = 500;
const unit = 'sund-B1001-L1-U1';

export async function benchmarkEquipmentFlood(): Promise<void> {
  const [flooded, other] = [await startService(), await startService()];
  try {
    await measureReads(flooded.service);
    const figures: Figures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await measureReads(flooded.service);
      const besideOther = await measureDuring(other.flood, flooded.service);
      figures.push({ alone, besideOther, beside: await measureDuring(flooded.flood, flooded.service) });
    }
    console.log(`p99 of GetCurrentManager without a flood: ${median(figures.map(({ alone }) => alone)).toFixed(1)} ms`);
    reportComparison(
      'p99 of GetCurrentManager in ms while a computer floods the service, against while it floods another one',
      compare(figures),
      { most: 1.5 },
    );
  } finally {
    for (const each of [flooded, other]) await each.stop();
  }
}

type Figures = Readonly<Record<'alone' | 'besideOther' | 'beside', number>>;
type FloodedService = { readonly service: BenchService; readonly flood: RunningProcess; stop(): Promise<void> };

async function startService(): Promise<FloodedService> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const storage = `sqlite:${directory}`;
  let key = '';
  const service = await startDemoService(storage, 1000, async () => {
    key = await insertBenchComputer(storage);
  });
  const { port } = service.target('');
  const flood = await startNode('bench/support/flood.ts', [String(port), key, unit, await readTag(port, key)], {});
  return {
    service,
    flood,
    stop: async () => {
      await flood.stop();
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function measureDuring(flood: RunningProcess, service: BenchService): Promise<number> {
  flood.signal('SIGUSR2');
  const figure = await measureReads(service);
  flood.signal('SIGUSR2');
  await pause(endOfFloodMs);
  return figure;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const compare = (figures: readonly Figures[]): Comparison => ({
  ratio: median(figures.map(({ beside, besideOther }) => beside / besideOther)),
  subject: median(figures.map(({ beside }) => beside)),
  base: median(figures.map(({ besideOther }) => besideOther)),
});

/** The 99th percentile in milliseconds. Reads are due at a fixed rate, whether or not those before have ended. */
async function measureReads(service: BenchService): Promise<number> {
  const { port, host, token } = service.target('');
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const startedAt = performance.now();
  const sent: Promise<void>[] = [];
  for (let count = 0; count < reads.count; count += 1) {
    const dueAt = startedAt + (count * 1000) / reads.perSecond;
    const early = dueAt - performance.now();
    if (early > 1) await pause(early);
    sent.push(readOnce({ port, host, token, agent }).then(() => void times.push(performance.now() - dueAt)));
  }
  await Promise.all(sent);
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

type Read = { readonly port: number; readonly host: string; readonly token: string; readonly agent: Agent };

async function readOnce({ port, host, token, agent }: Read): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const headers = { host, authorization: `Bearer ${token}` };
  const outgoing = request({ host: '127.0.0.1', port, path: '/api/v1/session/me', agent, headers });
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))));
    response.resume();
  });
  outgoing.end();
  return promise;
}
