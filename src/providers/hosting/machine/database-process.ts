// Finds the process of a database server on this machine, and what it uses, in Linux's /proc. Elsewhere nothing is known.

import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';

const serverNames = new Set(['mariadbd', 'mysqld']);

/** By the server's own file, or as the only one of its name; undefined where that is not certain. */
export async function findDatabaseProcess(dataFolder: string, pidFile: string): Promise<number | undefined> {
  const text = await readFile(resolve(dataFolder, pidFile), 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const pid = Number(text.trim());
    return isServer(pid) ? pid : undefined;
  }
  // The file may be readable for the server's user alone.
  const names = await readdir('/proc').catch((): string[] => []);
  const servers = names.filter((name) => /^\d+$/.test(name)).filter((name) => isServer(Number(name)));
  return servers.length === 1 ? Number(servers[0]) : undefined;
}

const isServer = (pid: number): boolean =>
  Number.isSafeInteger(pid) && pid > 0 && serverNames.has(readProcFile(pid, 'comm')?.trim() ?? '');

function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // It has ended, or there is no /proc.
    return undefined;
  }
}

/** Linux counts processor time for programs in hundredths of a second, whatever its own clock does (proc_pid_stat(5)). */
const tickMs = 10;

export function readProcessCpuMs(pid: number): number | null {
  // The name in parentheses may itself have spaces and parentheses.
  const fields = readProcFile(pid, 'stat')?.split(') ').at(-1)?.split(' ');
  const [user, system] = [Number(fields?.[11]), Number(fields?.[12])];
  return Number.isFinite(user + system) ? (user + system) * tickMs : null;
}

export function readProcessMemoryPercent(pid: number): number | null {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readProcFile(pid, 'status') ?? '') ?? [];
  return kibibytes === undefined ? null : ((Number(kibibytes) * 1024) / totalmem()) * 100;
}
