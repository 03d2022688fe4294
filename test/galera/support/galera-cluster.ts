// A temporary Galera cluster of three nodes on the loopback interface, which ends with its parent.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { StorageAddress } from '../../../src/database/storage-address.ts';
import { installMariaDb, reasonWithoutServer, rootAccountsSql } from '../../support/mariadb-server.ts';
import {
  findFreePorts,
  findProgram,
  hasEnded,
  killProgram,
  startWatchdog,
  type Watchdog,
} from '../../support/programs.ts';

export type NodeCertificate = { readonly cert: string; readonly key: string };

export type GaleraNode = {
  readonly location: Extract<StorageAddress, { engine: 'mysql' }>;
  run(sql: string): Promise<Record<string, unknown>[]>;
  kill(): Promise<void>;
  /** Ends it as an administrator does. */
  terminate(): Promise<void>;
  /** Starts it again after its end: it joins the others, as Debian's unit starts it. Tells how it got what it lacked. */
  restart(options?: RestartOptions): Promise<StateTransfer>;
  /** Cuts it off from the others, or takes it back. */
  isolate(isCut: boolean): Promise<void>;
  /** Replaces its certificate, for connections from now on. */
  setCertificate(certificate: NodeCertificate): Promise<void>;
  /** Stops all of its threads, or lets them go on. */
  suspend(isStopped: boolean): void;
};
export type GaleraCluster = { readonly nodes: readonly GaleraNode[]; stop(): Promise<void> };

/** Nothing was missing, the writes that were missing (IST), or a copy of all data (SST). */
export type StateTransfer = 'none' | 'IST' | 'SST';
type RestartOptions = {
  /** As on a new disk. */
  readonly withoutData?: boolean;
};
export type ClusterOptions = {
  /** 2, the default, keeps what was committed when a server is killed; 1 is what the service asks for. */
  readonly flushLogAtCommit?: 1 | 2;
  /** The certificate of each node and its key; none by default. */
  readonly certificates?: readonly NodeCertificate[];
};

const provider = findProgram('libgalera');
const readyWithinMs = 120_000;
const portsPerNode = 4;
const logSize = '--innodb-log-file-size=32M';

/** Why tests that need a cluster are skipped; false where they run. */
export const noGalera: string | false = reasonWithoutServer('libgalera', 'rsync', 'socat');

/** Starts three nodes; the second and the third copy the first. */
export async function startCluster({
  flushLogAtCommit = 2,
  certificates = [],
}: ClusterOptions = {}): Promise<GaleraCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-galera-'));
  const watchdog = startWatchdog(folder);
  const password = randomBytes(12).toString('hex');
  const first = await findFreePorts(3 * portsPerNode);
  const plans = [0, 1, 2].map((at) => ({ at, folder: join(folder, `n${at}`), port: first + at * portsPerNode }));
  const nodes: GaleraNode[] = [];
  try {
    for (const plan of plans) {
      await mkdir(join(plan.folder, 'data'), { recursive: true });
      const certificate = certificates[plan.at];
      if (certificate !== undefined) await writeCertificate(plan, certificate);
    }
    await chownToMysql(folder);
    await installMariaDb(findProgram('mariadb-install-db') ?? '', join(folder, 'n0'), [logSize, ...userOptions()]);
    await writeFile(join(folder, 'init.sql'), rootAccountsSql(password), { mode: 0o600 });
    await chownToMysql(join(folder, 'init.sql'));
    for (const plan of plans) {
      const tls =
        certificates[plan.at] === undefined ? [] : [`--ssl-cert=${plan.folder}/cert`, `--ssl-key=${plan.folder}/key`];
      const options = [...nodeOptions(plan, plans), `--innodb-flush-log-at-trx-commit=${flushLogAtCommit}`, ...tls];
      const begin = plan.at === 0 ? ['--wsrep-new-cluster', `--init-file=${folder}/init.sql`] : [];
      nodes.push(await startNode(plan, { options, begin }, password, watchdog));
    }
    return { nodes, stop: () => watchdog.end() };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}

type NodePlan = { readonly at: number; readonly folder: string; readonly port: number };

function nodeOptions(plan: NodePlan, all: readonly NodePlan[]): string[] {
  const { folder, port, at } = plan;
  const group = (of: NodePlan): string => `127.0.0.1:${of.port + 1}`;
  const providerOptions = [
    `gmcast.listen_addr=tcp://${group(plan)}`,
    `ist.recv_addr=127.0.0.1:${port + 2}`,
    'gcache.size=64M',
    'evs.suspect_timeout=PT3S',
    'evs.inactive_timeout=PT6S',
    'evs.keepalive_period=PT0.5S',
  ];
  return [
    '--no-defaults',
    ...userOptions(),
    `--datadir=${folder}/data`,
    `--tmpdir=${folder}`,
    `--socket=${folder}/socket`,
    `--pid-file=${folder}/pid`,
    `--log-error=${folder}/server.log`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--performance-schema=OFF',
    '--innodb-buffer-pool-size=64M',
    logSize,
    '--innodb-autoinc-lock-mode=2',
    '--binlog-format=ROW',
    '--wsrep-on=ON',
    `--wsrep-provider=${provider}`,
    '--wsrep-cluster-name=portal',
    `--wsrep-cluster-address=gcomm://${all.map(group).join(',')}`,
    `--wsrep-node-name=n${at}`,
    `--wsrep-node-address=${group(plan)}`,
    `--wsrep-node-incoming-address=127.0.0.1:${port}`,
    '--wsrep-sst-method=rsync',
    `--wsrep-sst-receive-address=127.0.0.1:${port + 3}`,
    `--wsrep-provider-options=${providerOptions.join(';')}`,
  ];
}

type NodeOptions = {
  readonly options: readonly string[];
  /** Only for its first start. */
  readonly begin: readonly string[];
};

async function writeCertificate({ folder }: NodePlan, { cert, key }: NodeCertificate): Promise<void> {
  await writeFile(join(folder, 'cert'), cert);
  await writeFile(join(folder, 'key'), key);
}

async function startNode(
  plan: NodePlan,
  { options, begin }: NodeOptions,
  password: string,
  watchdog: Watchdog,
): Promise<GaleraNode> {
  const { folder, port } = plan;
  const nodes = [{ host: '127.0.0.1', port }] as const;
  const location = { engine: 'mysql', nodes, user: 'root', password, prefix: 'g_' } as const;
  const run: GaleraNode['run'] = async (sql) => {
    const connection = await createConnection({ ...nodes[0], user: 'root', password, connectTimeout: 2000 });
    try {
      const [rows] = await connection.query<RowDataPacket[]>(sql);
      return Array.isArray(rows) ? rows : [];
    } finally {
      connection.destroy();
    }
  };
  const isSynced = async (): Promise<boolean> => {
    const rows = await run(`show status like 'wsrep_local_state_comment'`).catch(() => []);
    return rows[0]?.['Value'] === 'Synced';
  };
  const start = async (given: readonly string[]): Promise<ChildProcess> => {
    const daemon = spawn(findProgram('mariadbd') ?? '', given, { stdio: 'ignore', detached: true });
    await once(daemon, 'spawn');
    daemon.unref();
    watchdog.watch(daemon);
    const until = performance.now() + readyWithinMs;
    while (!(await isSynced())) {
      if (hasEnded(daemon) || performance.now() > until)
        throw new Error(`a node did not start:\n${await readFile(join(folder, 'server.log'), 'utf8').catch(String)}`);
      await sleep(50);
    }
    return daemon;
  };
  const restart: GaleraNode['restart'] = async ({ withoutData = false } = {}) => {
    if (withoutData) await rm(join(folder, 'data', stateFile), { force: true });
    const from = await readLog(folder);
    const position = withoutData ? [] : await recoverPosition(folder, options);
    daemon = await start([...options, ...position]);
    return findStateTransfer((await readLog(folder)).slice(from.length));
  };
  let daemon = await start([...options, ...begin]);
  return {
    location,
    run,
    kill: () => killProgram(daemon),
    terminate: async () => {
      const ended = once(daemon, 'exit');
      daemon.ref();
      daemon.kill('SIGTERM');
      await ended;
    },
    restart,
    isolate: async (isCut) => {
      await run(`set global wsrep_provider_options = 'gmcast.isolate=${isCut ? 1 : 0}'`);
    },
    setCertificate: async (certificate) => {
      await writeCertificate(plan, certificate);
      await run('flush local ssl');
    },
    suspend: (isStopped) => void daemon.kill(isStopped ? 'SIGSTOP' : 'SIGCONT'),
  };
}

/** Without it a node knows nothing of its data, and copies those of another one. */
const stateFile = 'grastate.dat';

const readLog = (folder: string): Promise<string> => readFile(join(folder, 'server.log'), 'utf8').catch(() => '');

/** After a crash only the engine knows which write of the cluster was the node's last one. */
async function recoverPosition(folder: string, options: readonly string[]): Promise<string[]> {
  const before = await readLog(folder);
  await promisify(execFile)(findProgram('mariadbd') ?? '', [...options, '--wsrep-recover']);
  const found = /WSREP: Recovered position:? (\S+)/.exec((await readLog(folder)).slice(before.length))?.[1];
  return found === undefined ? [] : [`--wsrep_start_position=${found}`];
}

function findStateTransfer(log: string): StateTransfer {
  if (log.includes('rsync SST completed on joiner')) return 'SST';
  return log.includes('WSREP: IST received') ? 'IST' : 'none';
}

const isRoot = process.getuid?.() === 0;

/** Run as root, the server switches to its own user, since only that user can copy a node's data. */
function userOptions(): string[] {
  return isRoot ? ['--user=mysql'] : [];
}

async function chownToMysql(folder: string): Promise<void> {
  if (isRoot) await promisify(execFile)('chown', ['-R', 'mysql', folder]);
}
