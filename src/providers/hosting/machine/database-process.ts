// Finds the process of a database server on this machine, and measures it, in Linux's /proc. On other systems nothing
// is known.

import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';

const serverNames = new Set(['mariadbd', 'mysqld']);

type DatabaseServer = {
  readonly dataFolder: string;
  readonly pidFile: string;
  /** The process that was found before. */
  readonly knownPid: number | undefined;
};

/** Finds the process by the server's own PID file, or as the only one of its name; undefined if that is not certain. */
export async function findDatabaseProcess({
  dataFolder,
  pidFile,
  knownPid,
}: DatabaseServer): Promise<number | undefined> {
  const text = await readFile(resolve(dataFolder, pidFile), 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const pid = Number(text.trim());
    return (await isServer(pid)) ? pid : undefined;
  }
  // The file may be readable only for the server's user. All processes are searched only while the process is unknown.
  if (knownPid !== undefined && (await isServer(knownPid))) return knownPid;
  const names = await readdir('/proc').catch((): string[] => []);
  const servers: number[] = [];
  // One after the other, and not with synchronous calls, which would block the thread that answers requests.
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number)) if (await isServer(pid)) servers.push(pid);
  return servers.length === 1 ? servers[0] : undefined;
}

async function isServer(pid: number): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  // The process may have ended, or there is no /proc.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return serverNames.has(name.trim());
}

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // The process has ended, or there is no /proc.
    return undefined;
  }
}

/** Linux reports processor time to programs in hundredths of a second, whatever its own clock is (proc_pid_stat(5)). */
const tickMs = 10;

export function readProcessCpuMs(pid: number): number | null {
  // The name is in parentheses, and may contain spaces and parentheses itself.
  const fields = readProcFile(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])];
  return Number.isFinite(user + system) ? (user + system) * tickMs : null;
}

export function readProcessMemoryPercent(pid: number): number | null {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProcFile(pid, 'status') ?? '') ?? [];
  return kibibytes === undefined ? null : ((Number(kibibytes) * 1024) / totalmem()) * 100;
}
