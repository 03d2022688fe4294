// Measures what a second worker buys: the same requests to two workers and to one process, over the same SQLite file. The
// client that sends them takes a processor core for itself, so that on a machine with two cores the second worker has to
// share its core with the client: there a ratio near one says that workers cost little, and only a machine with more cores
// shows what they gain.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPassword } from '../src/features/passwords/rules/password.ts';
import { host, oneTenantSettings, serveDemoData } from './support/demo-service.ts';
import { compareRates, compareTargets, reportComparison } from './support/measure.ts';
import { runPortal, type LoadTarget } from './support/processes.ts';
import { fetchText } from './support/request.ts';
import { accountPath } from './support/time-window.ts';

const postings = 20_000;
// Logins of one user from one address wait for each other.
const userNames = ['owner', 'reader', 'bank', 'location', 'clerk', 'notabs'];
const roundsOfLogins = 5;

export async function benchmarkWorkers(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'portal-bench-'));
  process.stdout.write(`Two workers against one, client included on ${availableParallelism()} cores:\n`);
  try {
    const settings = oneTenantSettings(`sqlite:${directory}`);
    await runPortal(['demo', '--postings', String(postings)], settings);
    const one = await serveDemoData(settings);
    const two = await serveDemoData({ ...settings, PORTAL_WORKERS: '2' });
    for (const [name, path] of [
      ['GetCurrentManager', '/api/v1/session/me'],
      ['Page of an account', accountPath(30)],
      ['Icon, cached', '/api/v1/icon/line/house.svg'],
      ['Gradient at first sight', '/api/v1/gradients/linear/{new}-00ff80/30.svg'],
    ] as const)
      reportComparison(name, await compareTargets(two.target(path), one.target(path)), { least: 0.3 });
    const size = { each: userNames.length, times: roundsOfLogins };
    const logins = await compareRates(
      () => logInAll(two.target('')),
      () => logInAll(one.target('')),
      size,
    );
    reportComparison(`Logins of ${userNames.length} users at once`, logins, { least: 0.3 });
    await Promise.all([one.stop(), two.stop()]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const logInAll = ({ port }: LoadTarget): Promise<unknown> =>
  Promise.all(
    userNames.map((userName) =>
      fetchText({ port, path: '/api/v1/session/login', host, body: { userName, password: demoPassword } }),
    ),
  );
