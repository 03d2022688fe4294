// Measures how long a manager waits while one computer floods the service, against how long without the flood: the slowest
// percent of GetCurrentManager, which are sent at a fixed rate.

import { mkdtempSync, rmSync } from 'node:fs';
import { request, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startDemoService, type BenchService } from './support/demo-service.ts';
import { insertBenchComputer } from './support/equipment-data.ts';
import { reportComparison, type Comparison } from './support/measure.ts';
import { createStreamSender, readTag, type StreamSender } from './support/stream-sender.ts';

const rounds = 5;
const reads = { perSecond: 200, count: 1000 };
const linesOfRequest = 100;
const unit = 'sund-B1001-L1-U1';

export async function benchmarkEquipmentFlood(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const storage = `sqlite:${directory}`;
  let key = '';
  const service = await startDemoService(storage, 1000, async () => {
    key = await insertBenchComputer(storage);
  });
  try {
    const { port } = service.target('');
    const flood = createFlood(createStreamSender(port, key), await readTag(port, key));
    await measureReads(service);
    const figures: { alone: number; beside: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const alone = await measureReads(service);
      const stopFlood = flood();
      const beside = await measureReads(service);
      await stopFlood();
      figures.push({ alone, beside });
    }
    reportComparison('p99 of GetCurrentManager in ms beside a computer that floods, against alone', compare(figures), {
      most: 1.5,
    });
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const compare = (figures: readonly { readonly alone: number; readonly beside: number }[]): Comparison => ({
  ratio: median(figures.map(({ alone, beside }) => beside / alone)),
  subject: median(figures.map(({ beside }) => beside)),
  base: median(figures.map(({ alone }) => alone)),
});

/** Returns what begins a flood on both streams, each without a pause; that returns what ends it. */
function createFlood(sender: StreamSender, tag: string): () => () => Promise<void> {
  const use = { t: 'use', unit, key: tag, amountMinor: '-1500', currency: 'DKK' };
  const state = { t: 'state', unit, name: 'CycleCount' };
  let value = 0;
  const linesOf = {
    money: (at: string) => ({ ...use, at }),
    samples: (at: string) => ({ ...state, at, value: ++value }),
  };
  return () => {
    const ending = new AbortController();
    const run = async (stream: 'money' | 'samples'): Promise<void> => {
      while (!ending.signal.aborted) {
        const at = new Date().toISOString();
        await sender.send(
          stream,
          Array.from({ length: linesOfRequest }, () => linesOf[stream](at)),
        );
      }
    };
    const running = Promise.all([run('money'), run('samples')]);
    return async () => {
      ending.abort();
      await running;
    };
  };
}

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
