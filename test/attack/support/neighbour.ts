// A manager of the neighbour who reads, logs in and downloads all the time, and how long each request takes. It has a
// thread of its own, since the attackers keep this one busy.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { AttackedService } from './attacked-service.ts';

/** The greatest p99 of a neighbour’s requests, in milliseconds. */
const toleratedP99Ms = 1000;
/** On a machine that is busy with other things: so many times the p99 without an attack. */
const toleratedRatio = 5;
const quietMs = 3000;

export type NeighbourFigures = {
  readonly requests: number;
  /** Requests that failed, or were not answered with a success. */
  readonly failures: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

export type NeighbourInput = Pick<AttackedService, 'port' | 'tls' | 'neighbourToken'>;

export type Neighbour = { stop(): Promise<Readonly<Record<string, NeighbourFigures>>> };

export async function startNeighbour({ port, tls, neighbourToken }: NeighbourInput): Promise<Neighbour> {
  const worker = new Worker(new URL('neighbour-thread.ts', import.meta.url), {
    workerData: { port, tls, neighbourToken } satisfies NeighbourInput,
  });
  const figures = once(worker, 'message').then(([each]) => each as Readonly<Record<string, NeighbourFigures>>);
  await once(worker, 'online');
  // Where an attack fails, nobody stops the neighbour, and the process ends all the same.
  worker.unref();
  // Some requests before the attack begins.
  await sleep(200);
  return {
    stop: async () => {
      worker.ref();
      worker.postMessage('stop');
      const summary = await figures;
      await worker.terminate();
      return summary;
    },
  };
}

/** The p99 that is tolerated during an attack, in milliseconds: a second, unless the machine is busy by itself. */
export async function measureToleratedP99(service: NeighbourInput): Promise<number> {
  const neighbour = await startNeighbour(service);
  await sleep(quietMs);
  const quiet = Object.values(await neighbour.stop()).map(({ p99Ms }) => p99Ms);
  return Math.max(toleratedP99Ms, toleratedRatio * Math.max(...quiet));
}

/** Throws where a request failed, or took too long; returns the greatest p99, in milliseconds. */
export function assertUndisturbed(
  figures: Readonly<Record<string, NeighbourFigures>>,
  during: string,
  toleratedMs: number,
): number {
  const all = Object.entries(figures);
  for (const [kind, { failures, p99Ms, requests }] of all) {
    if (failures.length > 0) throw new Error(`${during}: ${failures.length} of ${requests} failed: ${failures[0]}`);
    if (p99Ms >= toleratedMs) throw new Error(`${during}: p99 of ${kind} is ${p99Ms} ms of ${requests} requests`);
  }
  return Math.max(...all.map(([, { p99Ms }]) => p99Ms));
}
