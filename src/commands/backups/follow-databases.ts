// `backup follow`: copies continuously what is committed to the SQLite files of the tenants, until it is stopped.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { sqliteFilePath } from '../../database/checks/diagnose.ts';
import { DatabaseFollower, defaultFollowLimits } from '../../features/backups/commands/follow-database.ts';
import { lockCopy } from '../../features/backups/commands/lock-copy.ts';
import { privateFolderMode } from '../../lib/bytes/file-modes.ts';
import { createLog } from '../../log.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { readKeyFileOption, type KeyFileOptions } from './backup.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { stopOnSignal } from '../serve/stop-on-signal.ts';

export type FollowOptions = KeyFileOptions & {
  readonly tenant?: string[];
  readonly interval?: number;
  readonly keepDays?: number;
  readonly maxWal?: number;
};

const [secondMs, dayMs, mebibyte] = [1000, 86_400_000, 1_048_576];
const defaultMaxWalMebibytes = 1024;
const stopTimeoutMs = 30_000;

export async function followDatabases(config: Config, directory: string, options: FollowOptions): Promise<void> {
  const { storage, logLevel } = config;
  if (storage.engine !== 'sqlite')
    throw new CommandError('only SQLite is followed: MariaDB has its binary log for this (docs/backups.md)');
  const keyFile = await readKeyFileOption(options);
  const log = createLog(logLevel);
  const { interval = 1, keepDays, maxWal = defaultMaxWalMebibytes } = options;
  const followed = await Promise.all(
    selectTenants(config, options.tenant).map(async ({ name: tenant }) => {
      const folder = join(directory, tenant);
      return explainBackupErrors(folder, async () => {
        await makeFolder(folder);
        const lock = lockCopy(folder);
        const follower = new DatabaseFollower({
          tenant,
          file: sqliteFilePath(storage.directory, tenant),
          target: { folder, tenant, keyFile },
          log,
          limits: { ...defaultFollowLimits, maxLogBytes: maxWal * mebibyte },
          keepMs: keepDays === undefined ? undefined : keepDays * dayMs,
          now: Date.now,
        });
        await follower.resume();
        return { tenant, follower, lock };
      });
    }),
  );
  const stopped = new AbortController();
  const loops = followed.map(({ tenant, follower }) =>
    copyUntilStopped({ tenant, follower, log, intervalMs: interval * secondMs, signal: stopped.signal }),
  );
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready', directory, tenants: followed.map(({ tenant }) => tenant) })}\n`,
  );
  stopOnSignal(log, stopTimeoutMs, async () => {
    stopped.abort();
    await Promise.all(loops);
  });
  try {
    await Promise.all(loops);
  } finally {
    // After a defect of one the process ends, and is started again.
    stopped.abort();
    await Promise.allSettled(loops);
    for (const { lock } of followed) lock.close();
  }
}

/** The directory itself has to exist: a disk that is not mounted is no target. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: privateFolderMode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

type LoopInput = {
  readonly tenant: string;
  readonly follower: DatabaseFollower;
  readonly log: Logger;
  readonly intervalMs: number;
  readonly signal: AbortSignal;
};

async function copyUntilStopped({ tenant, follower, log, intervalMs, signal }: LoopInput): Promise<void> {
  let problem: string | undefined;
  for (let isLast = false; !isLast;) {
    const beganAtMs = performance.now();
    isLast = signal.aborted;
    const found = await findProblem(follower);
    if (found !== undefined && found !== problem) log.warn({ tenant, problem: found }, 'nothing can be copied');
    if (found === undefined && problem !== undefined) log.info({ tenant }, 'it is copied again');
    problem = found;
    if (!isLast) await pauseUnlessAborted(intervalMs - (performance.now() - beganAtMs), signal);
  }
  await follower.close();
}

/** What keeps it from being copied, and may pass. Throws a defect. */
async function findProblem(follower: DatabaseFollower): Promise<string | undefined> {
  try {
    await follower.copy();
    return undefined;
  } catch (error) {
    const { code, errcode, name, message } = error as Partial<Record<'code' | 'errcode' | 'name' | 'message', unknown>>;
    const mayPass = typeof code === 'string' || typeof errcode === 'number' || passing.has(String(name));
    if (!mayPass) throw error;
    return String(message);
  }
}

const passing: ReadonlySet<string> = new Set(['UnfollowedFileError', 'RewrittenLogError']);

async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(Math.max(0, ms), undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
