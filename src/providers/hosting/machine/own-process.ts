// Measures the processor time of this process, and its memory as a percentage of what it may use.

import { totalmem } from 'node:os';

/** All threads, in user code and in the system. */
export function readOwnCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The bytes that the process may use: the limit of its container (cgroup), or the memory of the machine. */
function readMemoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

export const readOwnMemoryPercent = (): number => (process.memoryUsage.rss() / readMemoryLimit()) * 100;
