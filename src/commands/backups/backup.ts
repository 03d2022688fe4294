// `backup`: writes all data of a tenant to a file, or of several tenants to files in a directory, whose older ones it removes.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import {
  readKeyFile,
  removeBackupFile,
  writeBackupFile,
  writeToStandardOutput,
} from '../../features/backups/commands/backup-files.ts';
import { writeBackup, type WrittenBackup } from '../../features/backups/commands/write-backup.ts';
import type { Sink } from '../../features/backups/commands/write-container.ts';
import { formatBackupName, listExpiredBackups } from '../../features/backups/rules/backup-retention.ts';
import { version } from '../../version.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { CommandError } from '../command-error.ts';
import { selectTenant, selectTenants } from '../select-tenants.ts';
import { runForEachTenant, withTenant } from '../storage-failures.ts';

export type KeyFileOptions = { readonly keyFile?: string };

type BackupOptions = KeyFileOptions & {
  readonly tenant?: string[];
  readonly directory?: string;
  readonly keepDaily?: number;
  readonly keepWeekly?: number;
  readonly keepMonthly?: number;
};

export async function backup(config: Config, file: string | undefined, options: BackupOptions): Promise<void> {
  requireConsistentOptions(file, options);
  const keyFile = await readKeyFileOption(options);
  if (file !== undefined) await backupToFile(config, { keyFile, file, tenants: options.tenant ?? [] });
  else await backupToDirectory(config, keyFile, options);
}

function requireConsistentOptions(file: string | undefined, options: BackupOptions): void {
  const { tenant = [], directory } = options;
  if ((file === undefined) === (directory === undefined))
    throw new CommandError('expected either the name of a file, or --directory');
  if (file !== undefined && tenant.length !== 1) throw new CommandError('a file has one tenant: name it with --tenant');
  if (directory === undefined && keepsSome(options))
    throw new CommandError('--keep-daily, --keep-weekly and --keep-monthly need --directory');
}

const keepsSome = ({ keepDaily, keepWeekly, keepMonthly }: BackupOptions): boolean =>
  [keepDaily, keepWeekly, keepMonthly].some((count) => count !== undefined);

export const readKeyFileOption = async ({ keyFile: path }: KeyFileOptions): Promise<Uint8Array | undefined> =>
  path === undefined ? undefined : explainBackupErrors(path, () => readKeyFile(path));

type BackupSource = {
  readonly tenant: string;
  readonly database: TenantDatabase;
  readonly keyFile: Uint8Array | undefined;
};

async function backupToFile(
  config: Config,
  { file, tenants, keyFile }: Pick<BackupSource, 'keyFile'> & { file: string; tenants: readonly string[] },
): Promise<void> {
  const { name: tenant } = selectTenant(config.tenants, tenants[0] ?? '');
  await withTenant(config, tenant, async (database) => {
    const source = { tenant, database, keyFile };
    if (file === '-') {
      const written = await explainBackupErrors('the standard output', () => writeTo(source, writeToStandardOutput));
      process.stderr.write(formatWritten(tenant, '-', written));
    } else await backupToPath(source, file);
  });
}

async function backupToDirectory(
  config: Config,
  keyFile: BackupSource['keyFile'],
  options: BackupOptions,
): Promise<void> {
  const { directory = '', keepDaily = 0, keepWeekly = 0, keepMonthly = 0 } = options;
  await runForEachTenant(config, selectTenants(config, options.tenant), async ({ name: tenant }, database) => {
    await backupToPath({ tenant, database, keyFile }, join(directory, formatBackupName(tenant, new Date())));
    if (!keepsSome(options)) return;
    const kept = { daily: keepDaily, weekly: keepWeekly, monthly: keepMonthly };
    await explainBackupErrors(directory, async () => {
      for (const name of listExpiredBackups(tenant, await readdir(directory), kept))
        if (await removeBackupFile(join(directory, name))) process.stdout.write(`${tenant}: ${name} removed\n`);
    });
  });
}

async function backupToPath(source: BackupSource, path: string): Promise<void> {
  const written = await explainBackupErrors(path, () => writeBackupFile(path, (sink) => writeTo(source, sink)));
  process.stdout.write(formatWritten(source.tenant, path, written));
}

const writeTo = ({ tenant, database, keyFile }: BackupSource, sink: Sink): Promise<WrittenBackup> =>
  writeBackup(database, { tenant, writtenAtUtc: new Date().toISOString(), version, keyFile }, sink);

const formatWritten = (tenant: string, path: string, { tables, rows }: WrittenBackup): string =>
  `${tenant}: ${path}: ${rows} rows of ${tables} tables\n`;
