// Measures the Equipment API over HTTP on SQLite: lines of money against our own append in the process, lines of samples
// against a bare insert, and many requests of one line.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabases, type Databases } from '../src/database/databases.ts';
import { insertEnrolledComputer } from '../test/support/enrolled-computers.ts';
import { openBareInsert } from './support/bare-insert.ts';
import { oneTenantSettings, startDemoService } from './support/demo-service.ts';
import { createAppender } from './support/equipment-data.ts';
import { compareRates, reportComparison } from './support/measure.ts';
import { runPortal } from './support/processes.ts';
import { createStreamSender, createUses, readTag, type StreamSender } from './support/stream-sender.ts';

/** The lines of a request. */
const lines = 100;
const requests = 60;
const bankId = 1001;
const unit = `sund-B${bankId}-L1-U1`;
const rate = { perSecond: 500, seconds: 8, computers: 50, p95Ms: 50 };

export async function benchmarkEquipmentHttp(): Promise<void> {
  const directories = [mkdtempSync(join(tmpdir(), 'portal-bench-')), mkdtempSync(join(tmpdir(), 'portal-bench-'))];
  const [served = '', own = ''] = directories;
  let keys: string[] = [];
  const service = await startDemoService(`sqlite:${served}`, 1000, async () => {
    keys = await insertComputers(openDatabases({ engine: 'sqlite', directory: served }));
  });
  await runPortal(['demo', '--postings', '1000'], oneTenantSettings(`sqlite:${own}`));
  const databases = openDatabases({ engine: 'sqlite', directory: own });
  const bare = openBareInsert(join(own, 'bare.sqlite'));
  try {
    const { port } = service.target('');
    const senders = keys.map((key) => createStreamSender(port, key));
    const tag = await readTag(port, keys[0] ?? '');
    await compareStreams(senders, tag, { append: createAppender(databases.forTenant('sund'), lines), bare });
    await measureSmallRequests(senders, tag);
  } finally {
    bare.close();
    await databases.close();
    await service.stop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  }
}

async function insertComputers(databases: Databases): Promise<string[]> {
  try {
    const keys: string[] = [];
    await databases.forTenant('sund').write({ deadlineMs: 60_000 }, async (db) => {
      for (let at = 0; at < rate.computers; at += 1)
        keys.push(
          await insertEnrolledComputer(db, {
            bankId,
            computerId: 900 + at,
            name: `bench ${at}`,
            units: at === 0 ? [[1, 1]] : [],
          }),
        );
    });
    return keys;
  } finally {
    await databases.close();
  }
}

type Floors = { readonly append: () => Promise<unknown>; readonly bare: ReturnType<typeof openBareInsert> };

async function compareStreams([sender]: readonly StreamSender[], tag: string, { append, bare }: Floors): Promise<void> {
  if (sender === undefined) throw new Error('there is no computer');
  const size = { each: lines, times: requests };
  const sendMoney = () => sender.send('money', createUses(lines, { unit, tag }));
  const money = await compareRates(sendMoney, append, size);
  reportComparison('Lines of money a second over HTTP, 100 at a time, against the append', money, { least: 0.75 });
  let at = Date.now() - 86_400_000;
  const state = (index: number): object => ({
    t: 'state',
    at: new Date((at += 10)).toISOString(),
    unit,
    name: 'Power',
    value: (index % 20) / 10,
  });
  const sendSamples = () =>
    sender.send(
      'samples',
      Array.from({ length: lines }, (_, index) => state(index)),
    );
  const samples = await compareRates(sendSamples, async () => bare.insert(lines), size);
  reportComparison('Lines of samples a second over HTTP, 100 at a time, against a bare insert', samples, {
    least: 0.4,
  });
}

/**
 * Requests are due at a fixed rate, whether or not those before have ended. A computer sends them in turn, as the service
 * takes one at a time from each stream; waiting for its turn counts as time of the request.
 */
async function measureSmallRequests(senders: readonly StreamSender[], tag: string): Promise<void> {
  const line = { t: 'pay', key: tag, amountMinor: '100', currency: 'DKK' };
  const times: number[] = [];
  const lastOf: Promise<void>[] = senders.map(() => Promise.resolve());
  const startedAt = performance.now();
  for (let count = 0; count < rate.perSecond * rate.seconds; count += 1) {
    const beginsAt = startedAt + (count * 1000) / rate.perSecond;
    const early = beginsAt - performance.now();
    if (early > 1) await pause(early);
    const turn = count % senders.length;
    lastOf[turn] = (lastOf[turn] ?? Promise.resolve())
      .then(() => senders[turn]?.send('money', [{ ...line, at: new Date().toISOString() }]))
      .then(() => void times.push(performance.now() - beginsAt));
  }
  await Promise.all(lastOf);
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  const isMet = p95 <= rate.p95Ms * 1.1;
  console.log(`${rate.perSecond} requests of one line a second, p95: ${p95.toFixed(1)} ms${isMet ? '' : ' MISSED'}`);
  if (!isMet) process.exitCode = 1;
}
