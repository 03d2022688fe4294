// Measures requests that wait for changes: what an idle one holds, and while thousands wait for other banks, how soon a
// change wakes those of its bank, in the process that writes and in another one on the same database.

import { request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabases } from '../src/database/databases.ts';
import { parseStorage } from '../src/setting-parsers.ts';
import { insertEnrolledComputer } from '../test/support/enrolled-computers.ts';
import { oneTenantSettings, startDemoService, type BenchService } from './support/demo-service.ts';
import { startPortal } from './support/processes.ts';
import { fetchText } from './support/request.ts';

const pollCount = 5000;
const rounds = 5;
/** As many as the computers of a large bank. */
const wokenCount = 50;
const unit = 'sund-B1001-L1-U1';
const bounds = { pollKilobytes: 60, wakeInProcessMs: 300, wakeAcrossProcessesMs: 1500 };

export async function benchmarkPolls(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  const storage = `sqlite:${directory}`;
  let keys: Keys = { changing: '', idle: '' };
  const service = await startDemoService(storage, 1000, async () => {
    keys = await insertComputers(storage);
  });
  const other = await startPortal(oneTenantSettings(storage));
  try {
    await measure(service, Number(new URL(String(other.line['url'])).port), keys);
  } finally {
    await Promise.all([service.stop(), other.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Of a computer in the bank that changes, and of one in a bank that does not. */
type Keys = { readonly changing: string; readonly idle: string };

async function insertComputers(storage: string): Promise<Keys> {
  const databases = openDatabases(parseStorage(storage));
  try {
    return await databases.forTenant('sund').write({ deadlineMs: 10_000 }, async (db) => ({
      changing: await insertEnrolledComputer(db, { bankId: 1001, computerId: 900, name: 'bench', units: [[1, 1]] }),
      idle: await insertEnrolledComputer(db, { bankId: 1002, computerId: 900, name: 'bench' }),
    }));
  } finally {
    await databases.close();
  }
}

async function measure(service: BenchService, otherPort: number, keys: Keys): Promise<void> {
  const { port, host, token } = service.target('');
  const idle = { host, key: keys.idle, port };
  const before = service.residentMegabytes();
  const waiting = await openPolls({ ...idle, count: pollCount, after: await readVersion(idle) });
  const kilobytes = ((service.residentMegabytes() - before) * 1000) / pollCount;
  report(`an idle poll of ${pollCount}`, `${kilobytes.toFixed(1)} kB`, kilobytes <= bounds.pollKilobytes * 1.1);
  const own: number[] = [];
  const across: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const poll = { host, key: keys.changing, port };
    const options = { count: wokenCount, after: await readVersion(poll) };
    const ofProcess = await openPolls({ ...poll, ...options });
    const ofOther = await openPolls({ ...poll, port: otherPort, ...options });
    const changedAt = await changeSetting({ port, host, token });
    own.push(await percentile95(ofProcess, changedAt));
    across.push(await percentile95(ofOther, changedAt));
  }
  reportWake('in the process', own, bounds.wakeInProcessMs);
  reportWake('across processes', across, bounds.wakeAcrossProcessesMs);
  await Promise.all(waiting);
}

function reportWake(name: string, values: readonly number[], bound: number): void {
  const median = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  report(`waking ${name}, p95`, `${median.toFixed(0)} ms`, median <= bound * 1.1);
}

function report(name: string, figure: string, isMet: boolean): void {
  console.log(`${name}: ${figure}${isMet ? '' : ' MISSED'}`);
  if (!isMet) process.exitCode = 1;
}

type Poll = { readonly port: number; readonly host: string; readonly key: string };

async function readVersion({ port, host, key }: Poll): Promise<number> {
  const lines = (await fetchText({ port, host, path: '/equipment/v1/snapshot', token: key })).trim().split('\n');
  return (JSON.parse(lines.at(-1) ?? '{}') as { version: number }).version;
}

/** Resolves when all of them wait; then the times at which they were answered. */
async function openPolls({
  port,
  host,
  key,
  count,
  after,
}: Poll & { readonly count: number; readonly after: number }): Promise<Promise<number[]>[]> {
  const answered: Promise<number[]>[] = [];
  for (let from = 0; from < count; from += 250) {
    const batch = Array.from({ length: Math.min(250, count - from) }, () => sendPoll({ port, host, key }, after));
    answered.push(Promise.all(batch));
    await pause(100);
  }
  await pause(1000);
  return answered;
}

function sendPoll({ port, host, key }: Poll, after: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const path = `/equipment/v1/desired?after=${after}&wait=55`;
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    headers: { host, authorization: `Bearer ${key}` },
  });
  sent.on('error', reject);
  sent.on('response', (response) => {
    response.resume();
    response.on('end', () => resolve(performance.now()));
  });
  sent.end();
  return promise;
}

async function percentile95(batches: readonly Promise<number[]>[], changedAt: number): Promise<number> {
  const times = (await Promise.all(batches)).flat().map((at) => at - changedAt);
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

type Writer = { readonly port: number; readonly host: string; readonly token: string };

/** Returns when the change was committed, or a moment before. */
async function changeSetting({ port, host, token }: Writer): Promise<number> {
  const group = JSON.parse(await fetchText({ port, host, token, path: `/api/v1/units/${unit}/groups/General` })) as {
    values: { name: string; value: unknown; revision: string }[];
  };
  const note = group.values.find(({ name }) => name === 'Note');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = request({
    host: '127.0.0.1',
    port,
    path: `/api/v1/units/${unit}/settings/Note`,
    method: 'PUT',
    agent: false,
    headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  const at = performance.now();
  sent.on('error', reject);
  sent.on('response', (response) => {
    response.resume();
    if (response.statusCode === 200) resolve(at);
    else reject(new Error(`the setting was answered ${response.statusCode}`));
  });
  sent.end(JSON.stringify({ value: `note ${at}`, expectedRevision: note?.revision }));
  return promise;
}
