// `backup verify`: proves a backup without restoring it.

import { openBackupSource } from '../features/backups/commands/backup-files.ts';
import { verifyBackup } from '../features/backups/commands/verify-backup.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { readKeyFileOption, type KeyFileOptions } from './backup.ts';

export async function printVerifiedBackup(path: string, options: KeyFileOptions): Promise<void> {
  const keyFile = await readKeyFileOption(options);
  const name = path === '-' ? 'the standard input' : path;
  const { header, tables, rows } = await explainBackupErrors(name, () => verifyBackup(openBackupSource(path), keyFile));
  const { tenant, writtenAtUtc, engine, version, schema } = header;
  process.stdout.write(
    `${path}: sound: ${rows} rows of ${tables} tables of the tenant ${tenant}, written ${writtenAtUtc} by version ` +
      `${version} from ${engine}, with the migrations up to ${schema.at(-1)}\n`,
  );
}
