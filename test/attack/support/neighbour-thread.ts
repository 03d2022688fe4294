// The thread of the neighbour: it sends requests until it is told to stop, and then reports how long they took.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ask, credentials, neighbourHost, type PlainRequest } from './attacked-service.ts';
import type { NeighbourFigures, NeighbourInput } from './neighbour.ts';

const { port, tls, neighbourToken: token } = workerData as NeighbourInput;

const address = '127.0.0.77';
/** Between two requests of a kind. A login is counted against limits of its own. */
const pauseMs = 30;
const loginPauseMs = 150;

const requests: Readonly<Record<string, PlainRequest>> = {
  reads: { path: '/api/v1/session/me', token },
  accounts: { path: '/api/v1/banks/fjord-B1001/account?Limit=20', token },
  logins: { method: 'POST', path: '/api/v1/session/login', body: JSON.stringify(credentials) },
  downloads: { path: '/api/v1/banks/fjord-B1001/users/export.csv', token },
};

const stopping = new AbortController();

async function repeat(kind: string, request: PlainRequest): Promise<readonly [string, NeighbourFigures]> {
  const timesMs: number[] = [];
  const failures: string[] = [];
  while (!stopping.signal.aborted) {
    const from = performance.now();
    try {
      const { status } = await ask(port, { ...request, host: neighbourHost, from: address, tls });
      if (status >= 300) failures.push(`${kind}: ${status}`);
    } catch (error) {
      failures.push(`${kind}: ${String(error)}`);
    }
    timesMs.push(performance.now() - from);
    await sleep(kind === 'logins' ? loginPauseMs : pauseMs);
  }
  return [kind, summarise(timesMs, failures)];
}

function summarise(timesMs: readonly number[], failures: readonly string[]): NeighbourFigures {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return { requests: sorted.length, failures, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

const loops = Object.entries(requests).map(([kind, request]) => repeat(kind, request));
if (parentPort === null) throw new Error('this is a thread');
await once(parentPort, 'message');
stopping.abort();
parentPort.postMessage(Object.fromEntries(await Promise.all(loops)));
