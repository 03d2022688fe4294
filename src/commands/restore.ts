// `restore`: restores a backup into an empty or missing database, and erases there what `anonymise` erases.

import type { Config } from '../config.ts';
import { openDatabases } from '../database/databases.ts';
import { RestoreRefusedError } from '../database/restore-target.ts';
import { openBackupSource } from '../features/backups/commands/backup-files.ts';
import { restoreBackup, type RestoredBackup } from '../features/backups/commands/restore-backup.ts';
import { anonymiseTenant } from './anonymise.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { readKeyFileOption, type KeyFileOptions } from './backup.ts';
import { CommandError } from './command-error.ts';
import { selectTenant } from './select-tenants.ts';
import { explainFailures } from './storage-failures.ts';

export type RestoreOptions = KeyFileOptions & { readonly tenant: string };

export async function restore(config: Config, path: string, options: RestoreOptions): Promise<void> {
  const { name: tenant } = selectTenant(config.tenants, options.tenant);
  const keyFile = await readKeyFileOption(options);
  const databases = openDatabases(config.storage);
  try {
    const input = {
      tenant,
      source: openBackupSource(path),
      keyFile,
      prepare: async (database: Parameters<typeof anonymiseTenant>[0]) => {
        process.stdout.write(`${tenant}: erasing what \`anonymise\` erases\n`);
        await anonymiseTenant(database, tenant, {});
      },
    };
    const restored = await explainBackupErrors(path === '-' ? 'the standard input' : path, () =>
      explainFailures(databases, tenant, () => restoreBackup(databases.restoreInto(tenant), input)),
    );
    process.stdout.write(`${tenant}: ${formatRestored(restored)}\n`);
  } catch (error) {
    if (!(error instanceof RestoreRefusedError)) throw error;
    const { location } = databases.describeStorage(tenant);
    throw new CommandError(
      `tenant ${tenant}, ${location}: ${error.message}. A backup is restored only into an empty or missing database`,
      1,
    );
  } finally {
    await databases.close();
  }
}

function formatRestored({ header, tables, rows, migrations }: RestoredBackup): string {
  const migrated = migrations.length === 0 ? '' : `; migrated: ${migrations.join(', ')}`;
  return `restored ${rows} rows of ${tables} tables, as they were at ${header.writtenAtUtc}${migrated}`;
}
