// Measures the database of the service: by the status of its server, and by the operating system if the server runs on
// this machine.

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

/** Both throw if the database does not answer. */
export type DatabaseGauge = {
  /** Takes a sample: its percentage of processor time is that since the last sample. */
  sample(): Promise<DatabaseReadings>;
  /** Reads without ending the interval. */
  peek(): Promise<DatabaseReadings>;
};

/** An embedded database is part of this process, and has no network connections: only its disk is measured. */
export function createEmbeddedDatabaseGauge(folder: string): DatabaseGauge {
  const read = async (): Promise<DatabaseReadings> => ({ ...noDatabaseReadings, diskPercent: await readDisk(folder) });
  return { sample: read, peek: read };
}

export type ServerStatus = {
  /** Null if the server does not report it. */
  readonly connections: number | null;
  readonly hostname: string;
  readonly dataFolder: string;
  readonly pidFile: string;
};

/** A MariaDB or MySQL server. If it runs elsewhere, its use of that machine is not known here. */
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

/** The used share of the space that a user of the machine can use, as df shows it. */
async function readDisk(folder: string): Promise<number | null> {
  const { blocks, bfree, bavail } = await statfs(folder);
  const used = blocks - bfree;
  return used + bavail === 0 ? null : (used / (used + bavail)) * 100;
}
