// `backup verify`: proves a backup, or the copy of `backup follow`, without restoring it.

import { statSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { openBackupSource } from '../../features/backups/commands/backup-files.ts';
import { formatMoment, verifyTenantCopy } from '../../features/backups/commands/tenant-copies.ts';
import { verifyBackup } from '../../features/backups/commands/verify-backup.ts';
import { explainBackupErrors } from './backup-errors.ts';
import { readKeyFileOption, type KeyFileOptions } from './backup.ts';

export async function printVerifiedBackup(_config: Config, path: string, options: KeyFileOptions): Promise<void> {
  const keyFile = await readKeyFileOption(options);
  if (isCopy(path)) return printVerifiedCopy(path, keyFile);
  const name = path === '-' ? 'the standard input' : path;
  const { header, tables, rows } = await explainBackupErrors(name, () => verifyBackup(openBackupSource(path), keyFile));
  const { tenant, writtenAtUtc, engine, version, schema } = header;
  process.stdout.write(
    `${path}: sound: ${rows} rows of ${tables} tables of the tenant ${tenant}, written ${writtenAtUtc} by version ` +
      `${version} from ${engine}, with the migrations up to ${schema.at(-1)}\n`,
  );
}

/** A copy is a folder, and a backup a file. */
export const isCopy = (path: string): boolean =>
  path !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

async function printVerifiedCopy(folder: string, keyFile: Uint8Array | undefined): Promise<void> {
  const generations = await explainBackupErrors(folder, () => verifyTenantCopy(folder, keyFile));
  for (const { tenant, bases, parts, fromMs, untilMs } of generations)
    process.stdout.write(
      `${folder}: sound: the tenant ${tenant} from ${formatMoment(fromMs)} to ${formatMoment(untilMs)}, in ` +
        `${bases} bases and ${parts} parts\n`,
    );
}
