// Measures logins against only the hash function at the same concurrency, and the delay of a small read during logins
// against a server that hashes on its event loop.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword } from '../src/features/passwords/rules/password.ts';
import { host, startDemoService } from './support/demo-service.ts';
import { reportComparison, rounds, type Comparison } from './support/measure.ts';
import { runLoad, startNode, type LoadTarget } from './support/processes.ts';

// Logins of one user from one address wait for each other.
const userNames = ['owner', 'reader', 'bank', 'location', 'clerk', 'notabs'];
/** A login takes a sixth of a second: rounds are long, so that their beginning and end do not count. */
const secondsOfLogins = 8;
const seconds = 3;
const readers = 2;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export async function benchmarkLogins(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  try {
    const service = await startDemoService(`sqlite:${directory}`, 1000);
    const floor = await startNode('bench/support/blocking-login-floor.ts', [], {});
    const status = service.target('/api/v1/public/status');
    const bare: LoadTarget = { port: Number(floor.line['port']), path: '/', host, token: '' };
    await driveLogins(status.port, 1);
    await compareThroughput(status.port);
    await compareReads(status, bare);
    await Promise.all([service.stop(), floor.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const compareThroughput = async (port: number): Promise<void> =>
  reportComparison(
    `Logins of ${userNames.length} users at once against only the hash function`,
    await compareInTurns(() => driveLogins(port, secondsOfLogins), measureHashing),
    { least: 0.9 },
  );

type Measure = () => Promise<number>;

/** The medians of both, and of their ratios. The two swap their order in every round. */
async function compareInTurns(measureSubject: Measure, measureBase: Measure): Promise<Comparison> {
  const pairs: { readonly subject: number; readonly base: number }[] = [];
  for (let round = 0; round < rounds; round += 1)
    if (round % 2 === 0) pairs.push({ subject: await measureSubject(), base: await measureBase() });
    else pairs.push({ base: await measureBase(), subject: await measureSubject() });
  return {
    ratio: median(pairs.map(({ subject, base }) => subject / base)),
    subject: median(pairs.map(({ subject }) => subject)),
    base: median(pairs.map(({ base }) => base)),
  };
}

async function measureHashing(): Promise<number> {
  const args = [userNames.length, secondsOfLogins].map(String);
  const { line } = await startNode('bench/support/hashing-floor.ts', args, {});
  return Number(line['perSecond']);
}

/** Logins a second. */
async function driveLogins(port: number, forSeconds: number): Promise<number> {
  const bodies = userNames.map((userName) => ({ userName, password: demoPassword }));
  const target = { port, path: '/api/v1/session/login', host, token: '', bodies };
  const { perSecond } = await runLoad(target, userNames.length, forSeconds, { method: 'POST' });
  return perSecond;
}

/** The 99th percentile of reads, in milliseconds, while logins run. */
async function measureReads(target: LoadTarget): Promise<number> {
  const [{ p99Ms }] = await Promise.all([runLoad(target, readers, seconds), driveLogins(target.port, seconds + 1)]);
  return p99Ms;
}

const compareReads = async (status: LoadTarget, bare: LoadTarget): Promise<void> =>
  reportComparison(
    'p99 in ms of reads during logins, against hashing on the event loop',
    await compareInTurns(
      () => measureReads(status),
      () => measureReads(bare),
    ),
    { most: 0.2 },
  );
