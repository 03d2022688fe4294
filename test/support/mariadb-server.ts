// A throw-away MariaDB server for tests: its own folder, free loopback port and socket, gone when its parent is gone.
// The runner (run.ts) starts one for the whole suite; a test file that is run alone starts its own.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';

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

const URL_VARIABLE = 'PORTAL_TEST_MARIADB_URL';
const READY_WITHIN_MS = 60_000;

/** The URL, ending in `/` and still without a prefix, of the server that the runner has started for the suite. */
export function sharedMariaDbUrl(): string | undefined {
  return process.env[URL_VARIABLE];
}

/** Passes a server on to the test files, which inherit the environment. */
export function shareWithTestFiles(server: MariaDb): void {
  process.env[URL_VARIABLE] = server.url('');
}

/** Why tests that need a MariaDB server are skipped; false where they run. */
export const noMariaDb: string | false =
  process.env['PORTAL_TEST_ENGINES'] === 'sqlite'
    ? 'left out by --quick'
    : findPrograms().some((program) => program === undefined) && 'there is no MariaDB server on this machine';

/** Starts a server, or gives undefined on a machine that has none installed. */
export async function startMariaDb(options: MariaDbOptions = {}): Promise<MariaDb | undefined> {
  const [daemon, installer] = findPrograms();
  if (daemon === undefined || installer === undefined) return undefined;

  const folder = await mkdtemp(join(tmpdir(), 'portal-mariadb-'));
  const watchdog = startWatchdog(folder);
  try {
    const password = randomBytes(12).toString('hex');
    await installDatabase(installer, folder, password);
    const port = await freePort();
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
        await kill(server);
        await endWatchdog(watchdog);
      },
      kill() {
        server.kill('SIGKILL');
      },
      async restart() {
        await kill(server);
        server = await start();
      },
    };
  } catch (error) {
    await endWatchdog(watchdog);
    throw error;
  }
}

/**
 * A shell that outlives this process for a moment, whichever way it ends: when the pipe closes it kills the server whose
 * process id it was last told (0: none is running) and removes the folder.
 */
function startWatchdog(folder: string): ChildProcess {
  const script = `
    pid=0
    while read -r line; do pid=$line; done
    if [ "$pid" = 0 ]; then rm -rf "$1"; exit; fi
    kill -9 "$pid"
    tries=0
    while kill -0 "$pid" && [ $tries -lt 20 ]; do tries=$((tries + 1)); sleep 0.05; done
    rm -rf "$1"`;
  // Detached, as Ctrl-C in a terminal goes to all processes of a group.
  const guard = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.stdin?.on('error', () => {}); // It is gone, and there is nothing left to tell it.
  guard.unref();
  return guard;
}

function reportPid(guard: ChildProcess, pid: number): void {
  guard.stdin?.write(`${pid}\n`);
}

async function endWatchdog(guard: ChildProcess): Promise<void> {
  if (hasEnded(guard)) return;
  guard.ref();
  guard.stdin?.end();
  await once(guard, 'exit');
}

async function installDatabase(installer: string, folder: string, password: string): Promise<void> {
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve'];
  await promisify(execFile)(installer, [
    '--no-defaults',
    `--datadir=${folder}/data`,
    // A server that starts clears the temporary tables out of its own folder, be they of another.
    `--tmpdir=${folder}`,
    ...options,
    LOG_SIZE,
    ...rootOptions(),
  ]);
  // The accounts come without a password; this runs at each start, before the first connection is accepted.
  const sql = [
    `delete from mysql.global_priv where User = 'root' and Host not in ('localhost', '127.0.0.1');`,
    `flush privileges;`,
    `alter user 'root'@'localhost' identified by '${password}', 'root'@'127.0.0.1' identified by '${password}';`,
  ];
  await writeFile(join(folder, 'init.sql'), sql.join('\n') + '\n', { mode: 0o600 });
}

/** Given to the installer as well: the server would otherwise make its log anew at the first start. */
const LOG_SIZE = '--innodb-log-file-size=64M';

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
    // Not what the service needs: it has to ask for its own level.
    '--transaction-isolation=READ-COMMITTED',
    '--max-connections=400',
    '--max-allowed-packet=64M',
    LOG_SIZE,
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
  guard: ChildProcess,
  url: string,
  folder: string,
): Promise<ChildProcess> {
  const server = spawn(daemon, options, { stdio: 'ignore', detached: true });
  await once(server, 'spawn');
  server.unref();
  reportPid(guard, pidOf(server));
  server.once('exit', () => reportPid(guard, 0));
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await acceptsConnections(url))) {
    if (hasEnded(server) || Date.now() > deadline) {
      await kill(server);
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

async function kill(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return;
  server.ref();
  server.kill('SIGKILL');
  await once(server, 'exit');
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

function pidOf(server: ChildProcess): number {
  if (server.pid === undefined) throw new Error('the server has no process');
  return server.pid;
}

function findPrograms(): [daemon: string | undefined, installer: string | undefined] {
  return [findProgram('mariadbd'), findProgram('mariadb-install-db')];
}

function findProgram(name: string): string | undefined {
  // Debian keeps the server where only root's PATH leads.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Below the range from which the system picks ports for outgoing connections, so that a restart finds it free again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
      return port;
    } catch {
      // Taken: try another.
    } finally {
      probe.close();
    }
  }
}
