// Makes the n-th statement that a service sends to its database fail, on either engine: on SQLite inside the threads
// that own the connections, on MariaDB in a proxy before the server.

import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';
import type { MySqlProxy, ProxyAction } from '../../database/support/mysql-proxy.ts';
import type { Engine } from '../../support/service.ts';

export type StatementFaults = {
  readonly kinds: readonly string[];
  /** The n-th statement from now on fails, n from 1. */
  arm(n: number, kind: string): void;
  /** Whether the statement has come. Nothing fails any more. */
  disarm(): boolean;
  /** For services that are started later. */
  remove(): void;
};

export type SqliteFailure = { readonly name: string } & (
  | {
      /** What the engine reports, of https://www.sqlite.org/rescode.html; it has not done what it was asked for. */
      readonly code: number;
    }
  | { /** The thread ends, and nobody learns whether the statement was done. */ readonly isDone: boolean }
);

export const sqliteFailures: readonly SqliteFailure[] = [
  { name: 'disk I/O error', code: 10 },
  { name: 'database or disk is full', code: 13 },
  { name: 'thread ends before', isDone: false },
  { name: 'thread ends after', isDone: true },
];

export const environmentKey = 'statement faults';

/** Of the shared numbers: statements until the failure, which failure, and how many there were. */
export const place = { left: 0, failure: 1, fired: 2 } as const;

const proxyActions = ['refuse', 'cut-before', 'cut-answer'] as const satisfies readonly ProxyAction[];

export const createStatementFaults = (engine: Engine, proxy: MySqlProxy | undefined): StatementFaults =>
  engine === 'sqlite' || proxy === undefined ? createThreadFaults() : createProxyFaults(proxy);

/** Only threads that start after this have it. */
function createThreadFaults(): StatementFaults {
  const shared = new Int32Array(new SharedArrayBuffer(12));
  workerThreads.setEnvironmentData(environmentKey, shared);
  const original = workerThreads.Worker;
  const preload = new URL('./failing-statements.ts', import.meta.url).href;
  class FaultyWorker extends original {
    constructor(file: string | URL, options: workerThreads.WorkerOptions = {}) {
      const isSqlite = options.name?.startsWith('sqlite') === true;
      super(file, isSqlite ? { ...options, execArgv: ['--import', preload] } : options);
    }
  }
  workerThreads.Worker = FaultyWorker;
  syncBuiltinESMExports();
  return {
    kinds: sqliteFailures.map(({ name }) => name),
    arm: (n, kind) => {
      Atomics.store(
        shared,
        place.failure,
        sqliteFailures.findIndex(({ name }) => name === kind),
      );
      Atomics.store(shared, place.fired, 0);
      Atomics.store(shared, place.left, n);
    },
    disarm: () => {
      Atomics.store(shared, place.left, 0);
      return Atomics.load(shared, place.fired) > 0;
    },
    remove: () => {
      workerThreads.Worker = original;
      syncBuiltinESMExports();
    },
  };
}

function createProxyFaults(proxy: MySqlProxy): StatementFaults {
  let left = 0;
  let hasFired = false;
  let action: ProxyAction = 'pass';
  proxy.decide = () => {
    if (left === 0) return 'pass';
    left -= 1;
    if (left > 0) return 'pass';
    hasFired = true;
    return action;
  };
  return {
    kinds: proxyActions,
    arm: (n, kind) => {
      action = kind as ProxyAction;
      hasFired = false;
      left = n;
    },
    disarm: () => {
      left = 0;
      return hasFired;
    },
    remove: () => {
      proxy.decide = () => 'pass';
    },
  };
}
