// A temporary MariaDB server for tests, with its own folder, free loopback port and socket, which ends with its parent.
// The runner (run.ts) starts one for the whole suite; a test file that is run by itself starts its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import {
  findFreePorts,
  findProgram,
  hasEnded,
  killProgram,
  leftOutByQuick,
  pidOf,
  reasonWithout,
  startWatchdog,
  type Program,
  type Watchdog,
} from './programs.ts';

export interface MariaDbOptions {
  /** `innodb_flush_log_at_trx_commit`: 1 (the default) is what the service asks of its server. */
  flushLogAtCommit?: 0 | 1 | 2;
  bufferPoolMegabytes?: number;
  /** More options of mariadbd, each as `--name=value`; they win over those chosen here. */
  settings?: string[];
}

export interface MariaDb {
  /** `mysql://root:…@127.0.0.1:port/prefix`: what the service takes as PORTAL_STORAGE. */
  url(prefix: string): string;
  readonly socketPath: string;
  readonly port: number;
  readonly pid: number;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** A crash: SIGKILL at once, the data stay. */
  kill(): void;
  /** Starts the server again on the same data and port, after `kill`. */
  restart(): Promise<void>;
}

const urlVariable = 'PORTAL_TEST_MARIADB_URL';
const readyWithinMs = 60_000;

/** The URL, ending in `/` and still without a prefix, of the server that the runner has started for the suite. */
export function sharedMariaDbUrl(): string | undefined {
  return process.env[urlVariable];
}

/** Passes a server on to the test files, which inherit the environment. */
export function shareWithTestFiles(server: MariaDb): void {
  process.env[urlVariable] = server.url('');
}

/** Whether and why tests that need a MariaDB server, and perhaps these programs, are skipped. */
export const reasonWithoutServer = (...more: readonly Program[]): string | false =>
  process.env['PORTAL_TEST_ENGINES'] === 'sqlite'
    ? leftOutByQuick
    : reasonWithout('mariadbd', 'mariadb-install-db', ...more);

/** Why tests that need a MariaDB server are skipped; false if they run. */
export const noMariaDb: string | false = reasonWithoutServer();

/** Starts a server; returns undefined if none is installed. */
export async function startMariaDb(options: MariaDbOptions = {}): Promise<MariaDb | undefined> {
  const daemon = findProgram('mariadbd');
  const installer = findProgram('mariadb-install-db');
  if (daemon === undefined || installer === undefined) return undefined;

  const folder = await mkdtemp(join(tmpdir(), 'portal-mariadb-'));
  const watchdog = startWatchdog(folder);
  try {
    const password = randomBytes(12).toString('hex');
    await installDatabase(installer, folder, password);
    const port = await findFreePorts();
    const socketPath = join(folder, 'socket');
    const url = (prefix: string) => `mysql://root:${password}@127.0.0.1:${port}/${prefix}`;
    const start = () =>
      startServer(daemon, serverOptions(folder, socketPath, port, options), watchdog, url(''), folder);

    let server = await start();
    return {
      url,
      socketPath,
      port,
      get pid() {
        return pidOf(server);
      },
      async stop() {
        // Nobody will read the data again, so that a clean shutdown would only cost time.
        await killProgram(server);
        await watchdog.end();
      },
      kill() {
        server.kill('SIGKILL');
      },
      async restart() {
        await killProgram(server);
        server = await start();
      },
    };
  } catch (error) {
    await watchdog.end();
    throw error;
  }
}

async function installDatabase(installer: string, folder: string, password: string): Promise<void> {
  // A starting server deletes all temporary tables in its folder, even those of another server.
  await installMariaDb(installer, folder, [`--tmpdir=${folder}`, logSize, ...rootOptions()]);
  await writeFile(join(folder, 'init.sql'), rootAccountsSql(password), { mode: 0o600 });
}

/** Makes the folder `data` of a server in this folder. */
export async function installMariaDb(installer: string, folder: string, options: readonly string[]): Promise<void> {
  await promisify(execFile)(installer, [
    '--no-defaults',
    `--datadir=${folder}/data`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    ...options,
  ]);
}

/** The accounts come without a password; a server runs this as it starts, before it accepts a connection. */
export const rootAccountsSql = (password: string): string => `
  delete from mysql.global_priv where User = 'root' and Host not in ('localhost', '127.0.0.1');
  flush privileges;
  alter user 'root'@'localhost' identified by '${password}', 'root'@'127.0.0.1' identified by '${password}';
`;

/** Given to the installer as well: the server would otherwise make its log anew at the first start. */
const logSize = '--innodb-log-file-size=64M';

function serverOptions(folder: string, socketPath: string, port: number, options: MariaDbOptions): string[] {
  return [
    '--no-defaults',
    `--datadir=${folder}/data`,
    `--tmpdir=${folder}`,
    `--log-error=${folder}/server.log`,
    `--pid-file=${folder}/server.pid`,
    `--init-file=${folder}/init.sql`,
    `--socket=${socketPath}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--performance-schema=OFF',
    // Not the level that the service needs: it must set its own.
    '--transaction-isolation=READ-COMMITTED',
    '--max-connections=400',
    '--max-allowed-packet=64M',
    logSize,
    `--innodb-buffer-pool-size=${options.bufferPoolMegabytes ?? 256}M`,
    `--innodb-flush-log-at-trx-commit=${options.flushLogAtCommit ?? 1}`,
    ...rootOptions(),
    ...(options.settings ?? []),
  ];
}

/** The server refuses to run as root unless it is told so. */
function rootOptions(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

async function startServer(
  daemon: string,
  options: string[],
  watchdog: Watchdog,
  url: string,
  folder: string,
): Promise<ChildProcess> {
  const server = spawn(daemon, options, { stdio: 'ignore', detached: true });
  await once(server, 'spawn');
  server.unref();
  watchdog.watch(server);
  const deadline = Date.now() + readyWithinMs;
  while (!(await acceptsConnections(url))) {
    if (hasEnded(server) || Date.now() > deadline) {
      await killProgram(server);
      throw new Error(`MariaDB did not start:\n${await readFile(join(folder, 'server.log'), 'utf8').catch(String)}`);
    }
    await sleep(20);
  }
  return server;
}

async function acceptsConnections(url: string): Promise<boolean> {
  try {
    const connection = await createConnection({ uri: url, connectTimeout: 2000 });
    await connection.end();
    return true;
  } catch {
    return false;
  }
}
