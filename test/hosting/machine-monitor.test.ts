// What is measured on this machine: across restarts and crashes, over midnight, and next to other processes. Tests set
// the clock; the process, the files and the disk are real.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { HostingSourceError } from '../../src/providers/hosting/hosting.ts';
import {
  createEmbeddedDatabaseGauge,
  createServerGauge,
  type DatabaseGauge,
} from '../../src/providers/hosting/machine/database-gauge.ts';
import { MachineMonitor } from '../../src/providers/hosting/machine/machine-monitor.ts';
import type { Readings } from '../../src/providers/hosting/machine/samples.ts';
import { hourMs, minuteMs } from '../support/times.ts';

let folder: string;
let nowMs: number;
let sentBytes: number;
let logLines: string[];
let monitors: MachineMonitor[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portal-machine-'));
  nowMs = Date.parse('2026-06-15T09:30:00Z');
  sentBytes = 0;
  logLines = [];
  monitors = [];
});
afterEach(async () => {
  for (const monitor of monitors) await monitor.stop();
  rmSync(folder, { recursive: true, force: true });
});

function createMonitor(
  inFolder = folder,
  database: DatabaseGauge = createEmbeddedDatabaseGauge(tmpdir()),
): MachineMonitor {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
  // A new process has sent nothing.
  sentBytes = 0;
  const monitor = new MachineMonitor({
    folder: inFolder,
    clock: () => nowMs,
    log,
    countSentBytes: () => sentBytes,
    database,
  });
  monitors.push(monitor);
  return monitor;
}

const read = (monitor: MachineMonitor, name: keyof Readings, hours = 1) =>
  monitor.readOwnSeries('portal-api', name, { fromMs: nowMs - hours * hourMs, toMs: nowMs });

/** What this process uses from now on, in milliseconds of processor time and of time. */
function measureOwnUse(): () => { readonly cpuMs: number; readonly elapsedMs: number } {
  const [cpuBefore, fromMs] = [process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return { cpuMs: (user + system) / 1000, elapsedMs: performance.now() - fromMs };
  };
}

const later = async (monitor: MachineMonitor, minutes: number): Promise<void> => {
  for (let at = 0; at < minutes; at += 1) {
    nowMs += minuteMs;
    await monitor.sample();
  }
};

test('figures exist from the first request on, before anything was stored', async () => {
  const atMost = measureOwnUse();
  const monitor = createMonitor();
  const atLeast = measureOwnUse();
  // However long the machine takes to give it so much.
  while (atLeast().cpuMs < 100 || atLeast().elapsedMs < 100) Math.sqrt(2);
  const inner = atLeast();
  const [cpu] = await read(monitor, 'cpuPercent');
  const outer = atMost();
  assert.deepEqual([cpu?.component, cpu?.points.length, cpu?.points[0]?.atMs], ['portal-api', 1, nowMs]);
  const busyPercent = cpu?.points[0]?.value ?? 0;
  const percentOf = (cpuMs: number, elapsedMs: number): number => (100 * cpuMs) / elapsedMs / availableParallelism();
  const [least, most] = [percentOf(inner.cpuMs, outer.elapsedMs), percentOf(outer.cpuMs, inner.elapsedMs)];
  assert.ok(least <= busyPercent && busyPercent <= Math.min(100, most), `${least} <= ${busyPercent} <= ${most}`);
  const [memory] = await read(monitor, 'memoryPercent');
  const value = memory?.points[0]?.value ?? 0;
  assert.ok(value > 0.01 && value < 100);
  assert.deepEqual(readdirSync(folder), []);
});

test('[metrics.10] restarts, samples and bytes survive a crash; the time without a service is null', async () => {
  const first = createMonitor();
  await first.start('8080');
  sentBytes = 500;
  await later(first, 2);
  // No stop: the process was killed.
  nowMs += 3 * minuteMs;
  const second = createMonitor();
  await second.start('8080');
  sentBytes = 70;
  await later(second, 1);
  const [restarts] = await read(second, 'restarts');
  assert.deepEqual(
    restarts?.points.map(({ value }) => value),
    [0, 0, null, null, null, 1],
  );
  assert.equal(await second.readSentBytes('2026-06-15'), '570');
  await second.stop();
  const third = createMonitor();
  await third.start('8080');
  const [again] = await read(third, 'restarts');
  assert.equal(again?.points.at(-1)?.value, 1, 'measured by the second');
  nowMs += minuteMs;
  assert.equal((await read(third, 'restarts'))[0]?.points.at(-1)?.value, 2);
});

test('[metrics.08] bytes belong to the day in UTC on which they were sent, and a day without a service has none', async () => {
  nowMs = Date.parse('2026-06-14T23:58:00Z');
  const monitor = createMonitor();
  await monitor.start('8080');
  sentBytes = 100;
  await later(monitor, 1);
  sentBytes = 350;
  // Midnight ends the day before.
  await later(monitor, 1);
  sentBytes = 1000;
  await later(monitor, 1);
  assert.equal(await monitor.readSentBytes('2026-06-14'), '350');
  assert.equal(await monitor.readSentBytes('2026-06-15'), '650');
  assert.equal(await monitor.readSentBytes('2026-06-13'), null);
});

test('a day on which nothing was sent has zero bytes, since that was measured', async () => {
  const monitor = createMonitor();
  await monitor.start('8080');
  await later(monitor, 1);
  assert.equal(await monitor.readSentBytes('2026-06-15'), '0');
});

test('processes of one machine see each other, and the sum of their bytes', async () => {
  const one = createMonitor();
  await one.start('8081');
  sentBytes = 10;
  await later(one, 1);
  const two = createMonitor();
  await two.start('8082');
  sentBytes = 5;
  await later(two, 1);
  const series = await read(two, 'memoryPercent');
  assert.deepEqual(
    series.map(({ component, instance }) => [component, instance]),
    [
      ['portal-api', '8082'],
      ['portal-api', '8081'],
    ],
  );
  assert.equal(await two.readSentBytes('2026-06-15'), '15');
  nowMs += 25 * hourMs;
  assert.equal((await read(two, 'memoryPercent', 24)).length, 1, 'what has not been measured for a day is no series');
});

test('a process replaces its own unreadable file, and ignores that of another process', async () => {
  writeFileSync(join(folder, '8080.json'), '{"version":1');
  writeFileSync(join(folder, '8081.json'), 'x');
  writeFileSync(join(folder, 'notes.txt'), 'x');
  const monitor = createMonitor();
  await monitor.start('8080');
  assert.match(logLines.join(''), /measuring starts again/);
  await later(monitor, 1);
  assert.equal((await read(monitor, 'restarts')).length, 1);
  assert.equal(JSON.parse(readFileSync(join(folder, '8080.json'), 'utf8')).starts, 1);
});

test('if nothing can be stored, the figures are kept in memory, and the log says so', async () => {
  const monitor = createMonitor(join(import.meta.filename, 'nowhere'));
  await monitor.start('8080');
  await later(monitor, 2);
  assert.equal((await read(monitor, 'memoryPercent'))[0]?.points.length, 2);
  assert.equal(logLines.filter((line) => line.includes('cannot be stored')).length, 1, 'and not every minute');
});

test('the disk of an embedded database is that of its folder; it has no connections', async () => {
  // The folder of temporary files can be in memory and almost empty.
  const monitor = createMonitor(folder, createEmbeddedDatabaseGauge(process.cwd()));
  const window = { fromMs: nowMs - hourMs, toMs: nowMs };
  const [disk] = await monitor.readDatabaseSeries('mysql', 'diskPercent', window);
  const value = disk?.points[0]?.value ?? -1;
  assert.ok(value > 0 && value <= 100, `${value}`);
  for (const name of ['connections', 'databaseCpuPercent', 'databaseMemoryPercent'] as const)
    assert.deepEqual(await monitor.readDatabaseSeries('mysql', name, window), []);
});

const status = { connections: 7, hostname: hostname(), dataFolder: tmpdir(), pidFile: '/nowhere/server.pid' };

test('a server on another machine shows only its connections', async () => {
  const gauge = createServerGauge(async () => ({ ...status, hostname: 'another-machine' }));
  const readings = { connections: 7, diskPercent: null, databaseCpuPercent: null, databaseMemoryPercent: null };
  assert.deepEqual(await gauge.sample(), readings);
});

test('a process that is not a database server is not measured as one, whatever the file says', async () => {
  const pidFile = join(folder, 'server.pid');
  writeFileSync(pidFile, `${process.pid}\n`);
  const { databaseCpuPercent, databaseMemoryPercent, diskPercent } = await createServerGauge(async () => ({
    ...status,
    pidFile,
  })).sample();
  assert.deepEqual([databaseCpuPercent, databaseMemoryPercent], [null, null]);
  assert.ok(diskPercent !== null);
});

test('a database that does not answer is a failed source, with a gap only in its own samples', async () => {
  let isDown = false;
  const gauge = createServerGauge(async () => {
    if (isDown) throw new Error('gone');
    return { ...status, hostname: 'another-machine' };
  });
  const monitor = createMonitor(folder, gauge);
  await monitor.start('8080');
  await later(monitor, 1);
  isDown = true;
  await later(monitor, 1);
  const window = () => ({ fromMs: nowMs - hourMs, toMs: nowMs });
  await assert.rejects(monitor.readDatabaseSeries('mysql', 'connections', window()), HostingSourceError);
  isDown = false;
  await later(monitor, 1);
  const [connections] = await monitor.readDatabaseSeries('mysql', 'connections', window());
  assert.deepEqual(
    connections?.points.map(({ value }) => value),
    [7, null, 7],
  );
  const [memory] = await read(monitor, 'memoryPercent');
  assert.ok(memory?.points.every(({ value }) => value !== null));
});
