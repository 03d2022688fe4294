// Loaded into the threads that own SQLite connections: the n-th statement from the moment of arming on fails there as
// the engine would report it. The memory that it shares with the test is in the environment data of the threads.

import { StatementSync } from 'node:sqlite';
import { getEnvironmentData } from 'node:worker_threads';
import { environmentKey, place, sqliteFailures, type SqliteFailure } from './statement-faults.ts';

const shared = getEnvironmentData(environmentKey) as Int32Array | undefined;

function takeFailure(): SqliteFailure | undefined {
  if (shared === undefined || Atomics.load(shared, place.left) <= 0) return undefined;
  if (Atomics.sub(shared, place.left, 1) !== 1) return undefined;
  Atomics.add(shared, place.fired, 1);
  return sqliteFailures[Atomics.load(shared, place.failure)];
}

type StatementMethod = (...parameters: unknown[]) => unknown;
const methods = StatementSync.prototype as unknown as Record<'all' | 'run', StatementMethod>;

for (const name of ['all', 'run'] as const) {
  const original = methods[name];
  methods[name] = function execute(this: StatementSync, ...parameters: unknown[]): unknown {
    const failure = takeFailure();
    if (failure === undefined) return original.apply(this, parameters);
    if ('code' in failure) throw Object.assign(new Error(failure.name), { errcode: failure.code });
    if (failure.isDone) original.apply(this, parameters);
    // Only of this thread.
    return process.exit();
  };
}
