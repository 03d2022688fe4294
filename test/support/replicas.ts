// Runs many concurrent calls on two replicas of the service on one storage, and counts the outcomes.

import type { HttpReply } from './call.ts';
import { createStorage, startService, type Engine, type TestService, type TestStorage } from './service.ts';

export type Replicas = {
  readonly storage: TestStorage;
  readonly service: TestService;
  readonly other: TestService;
  /** The first for even numbers, the other for odd ones. */
  replicaFor(at: number): TestService;
  stop(): Promise<void>;
};

/** `clock` is in epoch milliseconds. */
export async function startReplicas(
  engine: Engine,
  options: { readonly clock?: () => number } = {},
): Promise<Replicas> {
  const storage = await createStorage(engine);
  const service = await startService(engine, { ...options, storage });
  const other = await startService(engine, { ...options, storage });
  return {
    storage,
    service,
    other,
    replicaFor: (at) => (at % 2 === 0 ? service : other),
    stop: async () => {
      await service.stop();
      await other.stop();
      await storage.release();
    },
  };
}

/** More would wait for those before them longer than a request may take on a busy machine. */
const maxAtOnce = 200;

/** Runs all calls, as many at once as permitted; the results are in the order of their numbers, from 0 on. */
export async function runInParallel<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const runOneAfterAnother = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) results[at] = await work(at);
  };
  await Promise.all(Array.from({ length: Math.min(count, maxAtOnce) }, runOneAfterAnother));
  return results;
}

/** The number of replies with each outcome: `200`, `409 setting-conflict`. */
export function countOutcomes(replies: readonly HttpReply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const outcome = status === 200 ? '200' : `${status} ${json.code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
