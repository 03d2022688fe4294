// Measures the database of the service: what its server says of itself, and what the machine says of the server where both
// are the same machine.

import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { CpuGauge } from './cpu-gauge.ts';
import { findDatabaseProcess, readProcessCpuMs, readProcessMemoryPercent } from './database-process.ts';
import type { Readings } from './samples.ts';

export type DatabaseReadings = Pick<
  Readings,
  'databaseCpuPercent' | 'databaseMemoryPercent' | 'diskPercent' | 'connections'
>;

export const noDatabaseReadings: DatabaseReadings = {
  databaseCpuPercent: null,
  databaseMemoryPercent: null,
  diskPercent: null,
  connections: null,
};

/** Both throw where the database cannot be asked. */
export type DatabaseGauge = {
  /** For a sample: its percentage of processor time is that since the last one. */
  sample(): Promise<DatabaseReadings>;
  /** The same, without ending the interval. */
  peek(): Promise<DatabaseReadings>;
};

/** An embedded database is a part of this process, and has no connections over a network: it has a disk alone. */
export function createEmbeddedDatabaseGauge(folder: string): DatabaseGauge {
  const read = async (): Promise<DatabaseReadings> => ({ ...noDatabaseReadings, diskPercent: await readDisk(folder) });
  return { sample: read, peek: read };
}

export type ServerStatus = {
  /** Null where the server does not tell. */
  readonly connections: number | null;
  readonly hostname: string;
  readonly dataFolder: string;
  readonly pidFile: string;
};

/** A server of MariaDB or MySQL. What a server elsewhere uses of its machine is not known here. */
export function createServerGauge(readStatus: () => Promise<ServerStatus>): DatabaseGauge {
  let serverPid: number | undefined;
  const createGauge = (): CpuGauge =>
    new CpuGauge({ readCpuMs: () => (serverPid === undefined ? null : readProcessCpuMs(serverPid)) });
  let cpu = createGauge();
  const read = async (readCpu: (gauge: CpuGauge) => number | null): Promise<DatabaseReadings> => {
    const { connections, hostname: serverHost, dataFolder, pidFile } = await readStatus();
    if (serverHost !== hostname()) return { ...noDatabaseReadings, connections };
    const pid = await findDatabaseProcess({ dataFolder, pidFile, knownPid: serverPid });
    if (pid !== serverPid) {
      serverPid = pid;
      cpu = createGauge();
    }
    return {
      connections,
      diskPercent: await readDisk(dataFolder).catch(() => null),
      databaseCpuPercent: readCpu(cpu),
      databaseMemoryPercent: pid === undefined ? null : readProcessMemoryPercent(pid),
    };
  };
  return { sample: () => read((gauge) => gauge.restart()), peek: () => read((gauge) => gauge.peek()) };
}

/** What is used of what a user of the machine can use, as df shows it. */
async function readDisk(folder: string): Promise<number | null> {
  const { blocks, bfree, bavail } = await statfs(folder);
  const used = blocks - bfree;
  return used + bavail === 0 ? null : (used / (used + bavail)) * 100;
}
