// A pool of connections to one tenant's schema on MariaDB or MySQL, some of them only for downloads. Of a cluster, each node
// has connections of its own.

import { createConnection, createPool, type Pool as RawPool, type PoolConnection } from 'mysql2';
import type { Connection, ConnectionGroup, Pool } from '../../connection.ts';
import { StorageError } from '../../errors.ts';
import type { MysqlNode } from '../../storage-address.ts';
import { withTimeout } from '../../with-timeout.ts';
import { createMysqlConnection } from './connection.ts';
import { mysqlDialect } from './mysql-dialect.ts';
import type { NodeChoice } from './node-choice.ts';
import {
  connectTimeoutMs,
  keepAliveDelayMs,
  mysqlPoolOptions,
  type MysqlCredentials,
  type MysqlLogin,
} from './pool-options.ts';

const maxConnections = 10;
const maxDownloadConnections = 2;
/** To get a connection of a cluster, each at the node that is then chosen. */
const maxAttempts = 3;

type MysqlConnection = Connection & { readonly raw: PoolConnection; readonly node: MysqlNode };

function createRawPool(login: MysqlLogin, connectionLimit: number): RawPool {
  const pool = createPool({
    ...mysqlPoolOptions(login),
    connectionLimit,
    maxIdle: connectionLimit,
    queueLimit: 1000,
    waitForConnections: true,
    enableKeepAlive: true,
    keepAliveInitialDelay: keepAliveDelayMs,
  });
  // The pool listens only to the first error of a connection. An error without a listener would end the process.
  pool.on('connection', (raw) => raw.on('error', () => {}));
  return pool;
}

/**
 * A connection has the rights of the time when it was opened. After one was refused something, those that were opened before
 * are not used again: the right may be back, and they would not know it.
 */
class HeldRights {
  /** By the monotonic clock. */
  readonly #openedAtMs = new WeakMap<PoolConnection, number>();
  #refusedAtMs = Number.NEGATIVE_INFINITY;

  opened(raw: PoolConnection): void {
    this.#openedAtMs.set(raw, performance.now());
  }

  refused(): void {
    this.#refusedAtMs = performance.now();
  }

  async acquire(from: RawPool): Promise<PoolConnection> {
    for (;;) {
      const raw = await acquireRaw(from);
      if ((this.#openedAtMs.get(raw) ?? Infinity) > this.#refusedAtMs) return raw;
      raw.destroy();
    }
  }
}

type NodePools = Readonly<Record<'shared' | 'download', RawPool>>;
type MysqlSchema = MysqlCredentials & { readonly database: string };

export function openMysqlPool(schema: MysqlSchema, choice: NodeChoice): Pool {
  const nodePools = createNodePools(schema);
  const connectionsByRaw = new WeakMap<PoolConnection, Promise<MysqlConnection>>();
  const acquired = new Set<PoolConnection>();
  const rights = new HeldRights();
  let isClosed = false;
  let notifyIdle = (): void => {};

  const prepare = async (raw: PoolConnection, node: MysqlNode): Promise<MysqlConnection> => {
    rights.opened(raw);
    const made = createMysqlConnection(raw, { onRefused: () => rights.refused() });
    const connection = await withTimeout(connectTimeoutMs, 'unavailable', made);
    const begin = beginElsewhere(connection.begin, node, choice);
    return { ...connection, begin, raw, node, cancel: () => killQuery(raw.threadId, { ...schema, ...node }) };
  };
  const release = (raw: PoolConnection, node: MysqlNode, broken: boolean): void => {
    acquired.delete(raw);
    if (broken) {
      choice.doubt(node);
      raw.destroy();
    } else raw.release();
    if (acquired.size === 0) notifyIdle();
  };
  const acquireAt = async (node: MysqlNode, group: ConnectionGroup): Promise<MysqlConnection> => {
    const raw = await rights.acquire(nodePools.of(node)[group === 'download' ? 'download' : 'shared']);
    acquired.add(raw);
    if (isClosed) {
      release(raw, node, false);
      throw new StorageError('unavailable');
    }
    try {
      return await connectionsByRaw.getOrInsertComputed(raw, () => prepare(raw, node));
    } catch (error) {
      release(raw, node, true);
      throw error;
    }
  };
  return {
    dialect: mysqlDialect,
    acquire: async (group) => {
      for (let attempt = 1; ; attempt += 1) {
        if (isClosed) throw new StorageError('unavailable');
        const node = await choice.choose();
        if (isClosed) throw new StorageError('unavailable');
        try {
          const giveBack = ({ raw }: MysqlConnection): void => release(raw, node, false);
          return await waitWhileChosen({ choice, node }, acquireAt(node, group), giveBack);
        } catch (error) {
          // A node that answers can refuse all the same, for example because of too many connections.
          if (!choice.hasOthers || attempt === maxAttempts || isNoFaultOfNode(error)) throw error;
          choice.doubt(node);
        }
      }
    },
    release: (connection, broken) => {
      const { raw, node } = connection as MysqlConnection;
      release(raw, node, broken);
    },
    close: async () => {
      isClosed = true;
      if (acquired.size > 0) await new Promise<void>((resolve) => (notifyIdle = resolve));
      await nodePools.close();
    },
  };
}

function createNodePools(schema: MysqlSchema): { of(node: MysqlNode): NodePools; close(): Promise<void> } {
  const poolsByNode = new Map<MysqlNode, NodePools>();
  return {
    of: (node) =>
      poolsByNode.getOrInsertComputed(node, () => ({
        shared: createRawPool({ ...schema, ...node }, maxConnections),
        download: createRawPool({ ...schema, ...node }, maxDownloadConnections),
      })),
    close: async () => {
      // A connection that never opened reports its error once more. There is nothing left to close.
      const pools = [...poolsByNode.values()].flatMap(({ shared, download }) => [shared, download]);
      await Promise.all(pools.map((each) => new Promise<void>((resolve) => each.end(() => resolve()))));
    },
  };
}

/** Another node is used now. */
class NodeLeftError extends StorageError {
  constructor() {
    super('unavailable');
  }
}

/** Whoever waits for a connection has sent nothing yet. Throws NodeLeftError as soon as another node is chosen. */
async function waitWhileChosen<T>(
  { choice, node }: { readonly choice: NodeChoice; readonly node: MysqlNode },
  acquiring: Promise<T>,
  giveBack: (acquired: T) => void,
): Promise<T> {
  if (!choice.hasOthers) return acquiring;
  const left = Promise.withResolvers<never>();
  const endWatch = choice.watch(node, () => left.reject(new NodeLeftError()));
  try {
    return await Promise.race([acquiring, left.promise]);
  } catch (error) {
    // A failure of what nobody waits for any more says nothing new of a node that has been left.
    if (error instanceof NodeLeftError) acquiring.then(giveBack, () => {});
    throw error;
  } finally {
    endWatch();
  }
}

/** Nothing was done yet when a node of a cluster cannot begin: the transaction begins at another one. */
function beginElsewhere(begin: Connection['begin'], node: MysqlNode, choice: NodeChoice): Connection['begin'] {
  if (!choice.hasOthers) return begin;
  return async (mode) => {
    try {
      return await begin(mode);
    } catch (error) {
      const failure = mysqlDialect.classifyError(error);
      if (failure !== 'unavailable' && failure !== 'outcome-unknown') throw error;
      choice.doubt(node);
      throw new StorageError('rolled-back', error);
    }
  };
}

// https://mariadb.com/docs/server/reference/error-codes/mariadb-error-code-reference
const sameAtEveryNode: ReadonlySet<unknown> = new Set([1044, 1045, 1049]);

/** No right, a wrong password, no schema; or so many requests wait here that another one would only do the same elsewhere. */
function isNoFaultOfNode(error: unknown): boolean {
  const { cause = {} } = error as { readonly cause?: { readonly errno?: number; readonly message?: string } };
  const { errno, message } = cause;
  return sameAtEveryNode.has(errno) || message === 'Queue limit reached.';
}

const acquireRaw = (from: RawPool): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    from.getConnection((error, connection) => {
      if (error) reject(new StorageError('unavailable', error));
      else resolve(connection);
    });
  });

// Giving up waiting would leave the query running in the server.
function killQuery(threadId: number | null, login: MysqlLogin): void {
  if (threadId === null) return;
  const controlConnection = createConnection(mysqlPoolOptions(login));
  const timer = setTimeout(() => controlConnection.destroy(), connectTimeoutMs);
  controlConnection.on('error', () => controlConnection.destroy());
  controlConnection.query(`kill query ${threadId}`, () => {
    clearTimeout(timer);
    controlConnection.destroy();
  });
}
