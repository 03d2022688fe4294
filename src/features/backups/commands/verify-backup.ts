// Proves a backup without restoring it: that it is whole, and that this version of the service can restore it.

import { knownMigrations } from '../../../database/migrate.ts';
import { readBackup } from '../read-backup.ts';
import { requireKnownSchema } from '../rules/backup-schema.ts';
import type { BackupHeader } from '../rules/content-lines.ts';

type ProvenBackup = { readonly header: BackupHeader; readonly tables: number; readonly rows: number };

/** Throws CopyError with what is wrong, and where. */
export async function verifyBackup(
  source: AsyncIterable<Uint8Array>,
  keyFile: Uint8Array | undefined,
): Promise<ProvenBackup> {
  let proven: ProvenBackup | undefined;
  for await (const part of readBackup(source, keyFile)) {
    if (part.kind === 'header') {
      requireKnownSchema(part.header, knownMigrations);
      proven = { header: part.header, tables: 0, rows: 0 };
    } else if (proven !== undefined && part.kind === 'table') proven = { ...proven, tables: proven.tables + 1 };
    else if (proven !== undefined && part.kind === 'rows') proven = { ...proven, rows: proven.rows + part.rows.length };
  }
  if (proven === undefined) throw new Error('a backup was read that has no header');
  return proven;
}
