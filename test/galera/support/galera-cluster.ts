// A throw-away Galera cluster of three nodes on the loopback interface, gone when its parent is gone.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { StorageAddress } from '../../../src/database/databases.ts';

export type GaleraNode = {
  readonly location: Extract<StorageAddress, { engine: 'mysql' }>;
  run(sql: string): Promise<Record<string, unknown>[]>;
  kill(): Promise<void>;
};
export type GaleraCluster = { readonly nodes: readonly GaleraNode[]; stop(): Promise<void> };

const provider = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera/libgalera_smm.so'].find((path) =>
  existsSync(path),
);
const readyWithinMs = 40_000;
const portsPerNode = 4;

/** What a cluster needs and this machine lacks; undefined where nothing does. */
export function missingGaleraProgram(): string | undefined {
  if (provider === undefined) return 'galera-4';
  return ['mariadbd', 'mariadb-install-db', 'rsync', 'socat'].find((name) => findProgram(name) === undefined);
}

/** Starts three nodes; the second and the third copy the first. */
export async function startCluster(): Promise<GaleraCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-galera-'));
  const guard = startWatchdog(folder);
  const password = randomBytes(12).toString('hex');
  const first = await freePorts(3 * portsPerNode);
  const plans = [0, 1, 2].map((at) => ({ at, folder: join(folder, `n${at}`), port: first + at * portsPerNode }));
  const nodes: GaleraNode[] = [];
  try {
    for (const plan of plans) await mkdir(join(plan.folder, 'data'), { recursive: true });
    await chownToMysql(folder);
    await install(join(folder, 'n0'));
    await writeFile(join(folder, 'init.sql'), accounts(password), { mode: 0o600 });
    await chownToMysql(join(folder, 'init.sql'));
    for (const plan of plans) {
      const options = nodeOptions(plan, plans);
      if (plan.at === 0) options.push('--wsrep-new-cluster', `--init-file=${folder}/init.sql`);
      nodes.push(await startNode(plan, options, password, guard));
    }
    return { nodes, stop: () => endWatchdog(guard) };
  } catch (error) {
    await endWatchdog(guard);
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
    ...asUser(),
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
    '--innodb-log-file-size=32M',
    '--innodb-flush-log-at-trx-commit=2',
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

async function startNode(
  { folder, port }: NodePlan,
  options: string[],
  password: string,
  guard: ChildProcess,
): Promise<GaleraNode> {
  const daemon = spawn(findProgram('mariadbd') ?? '', options, { stdio: 'ignore', detached: true });
  await once(daemon, 'spawn');
  daemon.unref();
  guard.stdin?.write(`${daemon.pid}\n`);
  const location = { engine: 'mysql', host: '127.0.0.1', port, user: 'root', password, prefix: 'g_' } as const;
  const run: GaleraNode['run'] = async (sql) => {
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      password,
      connectTimeout: 2000,
    });
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
  const until = performance.now() + readyWithinMs;
  while (!(await isSynced())) {
    if (hasEnded(daemon) || performance.now() > until)
      throw new Error(`a node did not start:\n${await readFile(join(folder, 'server.log'), 'utf8').catch(String)}`);
    await sleep(50);
  }
  return {
    location,
    run,
    kill: async () => {
      daemon.ref();
      daemon.kill('SIGKILL');
      if (!hasEnded(daemon)) await once(daemon, 'exit');
    },
  };
}

async function install(folder: string): Promise<void> {
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'];
  const place = [`--datadir=${folder}/data`, '--innodb-log-file-size=32M'];
  await promisify(execFile)(findProgram('mariadb-install-db') ?? '', [
    '--no-defaults',
    ...place,
    ...options,
    ...asUser(),
  ]);
}

/** The accounts come without a password; this runs before the first connection is accepted. */
function accounts(password: string): string {
  return [
    `delete from mysql.global_priv where User = 'root' and Host not in ('localhost', '127.0.0.1');`,
    'flush privileges;',
    `alter user 'root'@'localhost' identified by '${password}', 'root'@'127.0.0.1' identified by '${password}';`,
    '',
  ].join('\n');
}

/** A shell that outlives this process for a moment: when the pipe closes it kills what it was told of. */
function startWatchdog(folder: string): ChildProcess {
  const script = `
    pids=''
    while read -r line; do pids="$pids $line"; done
    [ -z "$pids" ] || kill -9 $pids 2>/dev/null
    for pid in $pids; do
      tries=0
      while kill -0 "$pid" 2>/dev/null && [ $tries -lt 40 ]; do tries=$((tries + 1)); sleep 0.05; done
    done
    rm -rf "$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.stdin?.on('error', () => {}); // It is gone, and there is nothing left to tell it.
  guard.unref();
  return guard;
}

async function endWatchdog(guard: ChildProcess): Promise<void> {
  if (hasEnded(guard)) return;
  guard.ref();
  guard.stdin?.end();
  await once(guard, 'exit');
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

const isRoot = process.getuid?.() === 0;

/** Run as root, the server takes its own user, as whom alone it can copy a node's data. */
function asUser(): string[] {
  return isRoot ? ['--user=mysql'] : [];
}

async function chownToMysql(folder: string): Promise<void> {
  if (isRoot) await promisify(execFile)('chown', ['-R', 'mysql', folder]);
}

function findProgram(name: string): string | undefined {
  // Debian keeps the server where only root's PATH leads.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** The first of so many neighbouring ports that are free, below those that the system gives to outgoing connections. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const free = await Promise.all(Array.from({ length: count }, (_, at) => isFree(first + at)));
    if (free.every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
