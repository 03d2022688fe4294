// Programs of this machine that tests start: where they are, which package brings each, and what ends them with the test.

import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';

/** The programs that tests need besides npm packages: the names of each, and its Debian package. */
const programs = {
  mariadbd: { names: ['mariadbd'], debianPackage: 'mariadb-server' },
  'mariadb-install-db': { names: ['mariadb-install-db'], debianPackage: 'mariadb-server' },
  mariadb: { names: ['mariadb'], debianPackage: 'mariadb-client-core' },
  'mariadb-dump': { names: ['mariadb-dump'], debianPackage: 'mariadb-client' },
  'mariadb-binlog': { names: ['mariadb-binlog'], debianPackage: 'mariadb-client' },
  libgalera: {
    names: ['../lib/galera/libgalera_smm.so', '../lib64/galera/libgalera_smm.so'],
    debianPackage: 'galera-4',
  },
  rsync: { names: ['rsync'], debianPackage: 'rsync' },
  haproxy: { names: ['haproxy'], debianPackage: 'haproxy' },
  socat: { names: ['socat'], debianPackage: 'socat' },
  chromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], debianPackage: 'chromium' },
  curl: { names: ['curl'], debianPackage: 'curl' },
  osslsigncode: { names: ['osslsigncode'], debianPackage: 'osslsigncode' },
  xls2csv: { names: ['xls2csv'], debianPackage: 'catdoc' },
  zdump: { names: ['zdump'], debianPackage: 'libc-bin' },
  mosquitto: { names: ['mosquitto'], debianPackage: 'mosquitto' },
  prometheus: { names: ['prometheus'], debianPackage: 'prometheus' },
  slowhttptest: { names: ['slowhttptest'], debianPackage: 'slowhttptest' },
  sqlmap: { names: ['sqlmap'], debianPackage: 'sqlmap' },
  testssl: { names: ['testssl', 'testssl.sh'], debianPackage: 'testssl.sh' },
  strace: { names: ['strace'], debianPackage: 'strace' },
  faketime: { names: ['faketime'], debianPackage: 'faketime' },
  python3: { names: ['python3'], debianPackage: 'python3' },
} as const;

export type Program = keyof typeof programs;

/** The Debian packages of all programs. */
export const debianPackages: readonly string[] = [
  ...new Set(Object.values(programs).map(({ debianPackage }) => debianPackage)),
];

export function findProgram(program: Program): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => [
    folder,
    // Debian keeps servers in folders that only root's PATH names.
    join(dirname(folder), 'sbin'),
  ]);
  return programs[program].names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Why a test that needs these programs is skipped, as node:test takes it: false where it runs. */
export function reasonWithout(...needed: readonly Program[]): string | false {
  const missing = needed.filter((program) => findProgram(program) === undefined);
  return missing.length > 0 && `needs ${missing.map(describeProgram).join(', ')}`;
}

const describeProgram = (program: Program): string => `${program} (package ${programs[program].debianPackage})`;

/** Why a run without MariaDB skips what needs it. */
export const leftOutByQuick = 'left out by --quick';

/** Whether a test was skipped because of the machine or the kind of run, which is no fault of the test. */
export const isForWant = (reason: string | undefined): boolean =>
  reason !== undefined && (reason === leftOutByQuick || packagesOf(reason).length > 0);

/** The packages that a reason names; none where it is of another kind. */
export const packagesOf = (reason: string): string[] =>
  [...reason.matchAll(/\(package ([^)]+)\)/g)].map(([, name = '']) => name);

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

export function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the program has no process');
  return child.pid;
}

/** Kills a program that has not ended, and waits for its end. */
export async function killProgram(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export type Watchdog = {
  /** Kills this program, too, when the test is gone. */
  watch(child: ChildProcess): void;
  /** Kills what it watches and removes the folder. */
  end(): Promise<void>;
};

/**
 * A shell that outlives this process for a moment, whichever way it ends. When its standard input closes it kills the
 * programs that it watches and removes the folder. Each line that it reads is a process id, `-` in front of one that ended.
 */
export function startWatchdog(folder: string): Watchdog {
  const script = `
    pids=' '
    while read -r line; do
      case "$line" in
        -*) pids=$(printf '%s' "$pids" | sed "s/ \${line#-} / /") ;;
        *) pids="$pids$line " ;;
      esac
    done
    [ "$pids" = ' ' ] || kill -9 $pids 2>/dev/null
    for pid in $pids; do
      tries=0
      while kill -0 "$pid" 2>/dev/null && [ $tries -lt 40 ]; do tries=$((tries + 1)); sleep 0.05; done
    done
    rm -rf "$1"`;
  // Detached, as Ctrl-C in a terminal goes to all processes of a group.
  const shell = spawn('/bin/sh', ['-c', script, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.stdin.on('error', () => {}); // It has ended.
  shell.unref();
  return {
    watch: (child) => {
      const pid = pidOf(child);
      shell.stdin.write(`${pid}\n`);
      child.once('exit', () => shell.stdin.write(`-${pid}\n`));
    },
    end: async () => {
      if (hasEnded(shell)) return;
      shell.ref();
      shell.stdin.end();
      await once(shell, 'exit');
    },
  };
}

/**
 * The first of so many neighbouring ports that are free. They are below those that the system gives to outgoing
 * connections, so that a server that starts again finds its own free.
 */
export async function findFreePorts(count = 1): Promise<number> {
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
