// Programs of this machine that tests start, and what ends them with the test.

import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** The path of the first of these programs that there is. */
export function findProgram(...names: string[]): string | undefined {
  // Debian keeps servers in folders that only root's PATH names.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/sbin'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

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
