// `backup follow`: copies continuously what is committed to the SQLite files of the tenants, until it is stopped.

import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { sqliteFilePath } from '../../database/checks/diagnose.ts';
import { openFollower } from '../../features/backups/commands/tenant-copies.ts';
import { createLog } from '../../log.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { readKeyFileOption, type KeyFileOptions } from './backup.ts';
import { CommandError } from '../command-error.ts';
import { selectTenants } from '../select-tenants.ts';
import { stopOnSignal } from '../serve/stop-on-signal.ts';

type FollowOptions = KeyFileOptions & {
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
  const tenants = selectTenants(config, options.tenant).map(({ name }) => name);
  const followers = await Promise.all(
    tenants.map((tenant) => {
      const folder = join(directory, tenant);
      return explainBackupErrors(folder, () =>
        openFollower({
          tenant,
          file: sqliteFilePath(storage.directory, tenant),
          folder,
          keyFile,
          log: log.child({ tenant }),
          maxLogBytes: maxWal * mebibyte,
          keepMs: keepDays === undefined ? undefined : keepDays * dayMs,
        }),
      );
    }),
  );
  const stopped = new AbortController();
  const loops = followers.map((follower) => follower.copyUntilStopped(interval * secondMs, stopped.signal));
  process.stdout.write(
    `${JSON.stringify({ level: 'info', time: new Date().toISOString(), msg: 'ready', directory, tenants })}\n`,
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
  }
}
