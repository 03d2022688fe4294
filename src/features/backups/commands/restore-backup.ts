// Restores a backup into an empty or missing database, and migrates it. The database is used by nobody until the backup
// has proven to be whole and `prepare` has ended; what was cut short is taken over by the next restore.

import { DuplicateError } from '../../../database/errors.ts';
import { knownMigrations } from '../../../database/migrate.ts';
import type { RestoreTarget } from '../../../database/restores/restore-target.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { deleteRows, insertTableRows, listTables } from '../queries/table-rows.ts';
import { readBackup } from '../read-backup.ts';
import { CopyError } from '../../../../sqlite-follower/copy-error.ts';
import {
  requireAllTables,
  requireKnownSchema,
  requireSameTable,
  requireTenant,
  isLeftOut,
} from '../rules/backup-schema.ts';
import type { BackupHeader, BackupTable } from '../rules/content-lines.ts';
import type { StoredValue } from '../rules/row-lines.ts';

type RestoreInput = {
  readonly tenant: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly keyFile: Uint8Array | undefined;
  /** The last step before the database can be used. */
  readonly prepare: (database: TenantDatabase) => Promise<void>;
};

export type RestoredBackup = {
  readonly header: BackupHeader;
  readonly tables: number;
  readonly rows: number;
  /** The migrations that the backup lacked. */
  readonly migrations: readonly string[];
};

const deadlineMs = 600_000;

/** Throws CopyError where the backup cannot be restored, and RestoreRefusedError where the database is not empty. */
export async function restoreBackup(target: RestoreTarget, input: RestoreInput): Promise<RestoredBackup> {
  const restored = await restoreRows(target, input);
  const migrations = await target.migrate();
  await input.prepare(target.database);
  await target.finish();
  return { ...restored, migrations };
}

async function restoreRows(
  target: RestoreTarget,
  { tenant, source, keyFile }: RestoreInput,
): Promise<Omit<RestoredBackup, 'migrations'>> {
  let header: BackupHeader | undefined;
  let existing: BackupTable[] = [];
  const tables = new Set<string>();
  let rows = 0;
  for await (const part of readBackup(source, keyFile)) {
    if (part.kind === 'header') {
      header = part.header;
      requireTenant(header, tenant);
      await target.begin(requireKnownSchema(header, knownMigrations));
      existing = await target.database.read({ deadlineMs }, listTables);
      await deleteFirstRows(target, existing, header);
    } else if (part.kind === 'table') {
      requireSameTable(part.table, existing);
      tables.add(part.table.table);
    } else if (part.kind === 'rows') {
      await insertRowsOf(target, part.table, part.rows);
      rows += part.rows.length;
    }
  }
  if (header === undefined) throw new Error('a backup was read that has no header');
  requireAllTables(header, tables, existing);
  return { header, tables: tables.size, rows };
}

/** What the migrations have inserted is in the backup as well. */
const deleteFirstRows = (
  target: RestoreTarget,
  existing: readonly BackupTable[],
  { leftOut }: BackupHeader,
): Promise<void> =>
  target.database.write({ deadlineMs }, async (db) => {
    await target.lock(db);
    for (const { table } of existing) if (!isLeftOut(table) && !leftOut.includes(table)) await deleteRows(db, table);
  });

async function insertRowsOf(target: RestoreTarget, table: BackupTable, rows: readonly StoredValue[][]): Promise<void> {
  if (isLeftOut(table.table)) return;
  try {
    await target.database.write({ deadlineMs }, async (db) => {
      await target.lock(db);
      await insertTableRows(db, table, rows);
    });
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error;
    const reason = error.cause instanceof Error ? error.cause.message : 'a duplicate key';
    throw new CopyError(`has rows of ${table.table} that are one row in this database: ${reason}`);
  }
}
