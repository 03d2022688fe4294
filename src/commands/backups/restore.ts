// `restore`: restores a backup, or a moment of a copy, into an empty or missing database, and erases there what `anonymise`
// erases.

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Config } from '../../config.ts';
import { RestoreRefusedError } from '../../database/restores/restore-target.ts';
import type { TenantDatabase } from '../../database/tenant-database.ts';
import { openBackupSource } from '../../features/backups/commands/backup-files.ts';
import { restoreBackup, type RestoredBackup } from '../../features/backups/commands/restore-backup.ts';
import { withBackupOfMoment } from '../../features/backups/commands/restore-copy.ts';
import { removeAbandonedMoments } from '../../features/backups/commands/tenant-copies.ts';
import { privateFolderMode } from '../../lib/bytes/file-modes.ts';
import { fromMs2000 } from '../../lib/time/ms2000.ts';
import { version } from '../../version.ts';
import { anonymiseTenant } from '../tenants/anonymise.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { readKeyFileOption, type KeyFileOptions } from './backup.ts';
import { CommandError } from '../command-error.ts';
import { selectTenant } from '../select-tenants.ts';
import { explainFailures, withDatabases } from '../storage-failures.ts';
import { isCopy } from './verify-backup.ts';

type RestoreOptions = KeyFileOptions & {
  readonly tenant: string;
  /** MS2000 */
  readonly at?: number;
};

export async function restore(config: Config, path: string, options: RestoreOptions): Promise<void> {
  const { name: tenant } = selectTenant(config.tenants, options.tenant);
  const keyFile = await readKeyFileOption(options);
  if (options.at !== undefined && !isCopy(path))
    throw new CommandError('--at needs the copy of `backup follow`: a backup has one moment');
  const prepare = async (database: TenantDatabase): Promise<void> => {
    process.stdout.write(`${tenant}: erasing what \`anonymise\` erases\n`);
    await anonymiseTenant(database, tenant, {});
  };
  await withDatabases(config, async (databases) => {
    const restoreFrom = (source: AsyncIterable<Uint8Array>, key: Uint8Array | undefined): Promise<RestoredBackup> =>
      explainFailures(databases, tenant, () =>
        restoreBackup(databases.restoreInto(tenant), { tenant, prepare, source, keyFile: key }),
      );
    await removeAbandonedMoments(scratchOf(config), tenant);
    const restoring = explainBackupErrors(path === '-' ? 'the standard input' : path, async () => {
      if (!isCopy(path)) return restoreFrom(openBackupSource(path), keyFile);
      const atMs = options.at === undefined ? undefined : fromMs2000(options.at);
      const copy = { folder: path, keyFile, tenant, atMs, scratch: prepareScratch(config), version };
      return withBackupOfMoment(copy, (source) => restoreFrom(source, undefined));
    });
    const restored = await restoring.catch((error: unknown) => {
      if (!(error instanceof RestoreRefusedError)) throw error;
      const { location } = databases.describeStorage(tenant);
      throw new CommandError(
        `tenant ${tenant}, ${location}: ${error.message}. A backup is restored only into an empty or missing database`,
        1,
      );
    });
    process.stdout.write(`${tenant}: ${formatRestored(restored)}\n`);
  });
}

/** Returns a folder with room for one more database of the tenant. */
const scratchOf = ({ storage }: Config): string => (storage.engine === 'sqlite' ? storage.directory : tmpdir());

function prepareScratch(config: Config): string {
  const scratch = scratchOf(config);
  mkdirSync(scratch, { recursive: true, mode: privateFolderMode });
  return scratch;
}

function formatRestored({ header, tables, rows, migrations }: RestoredBackup): string {
  const migrated = migrations.length === 0 ? '' : `; migrated: ${migrations.join(', ')}`;
  return `restored ${rows} rows of ${tables} tables, as they were at ${header.writtenAtUtc}${migrated}`;
}
