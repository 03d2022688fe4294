// Writes all data of a tenant as they are in one snapshot: a first line in the clear, then the content, compressed and, with
// a key file, encrypted. The content is lines of JSON: a header, each table with its rows, and a trailer.

import type { Db } from '../../../database/db.ts';
import { listExecutedMigrations } from '../../../database/migrate.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { listTables, readPages } from '../queries/table-rows.ts';
import { formatContentLine, type BackupHeader, type BackupTrailer } from '../rules/content-lines.ts';
import { isLeftOut } from '../rules/backup-schema.ts';
import { backupFormat } from '../rules/prelude.ts';
import { formatRowLine } from '../rules/row-lines.ts';
import { writeContainer, type Sink } from './write-container.ts';

type WriteBackupInput = {
  readonly tenant: string;
  /** ISO 8601 */
  readonly writtenAtUtc: string;
  /** The version of the service. */
  readonly version: string;
  /** The content of the key file; undefined for a backup that is not encrypted. */
  readonly keyFile: Uint8Array | undefined;
};

export type WrittenBackup = { readonly tables: number; readonly rows: number };

/** A snapshot of this age costs more than the backup is worth. */
const deadlineMs = 86_400_000;
const textBytes = 65_536;

export async function writeBackup(
  database: TenantDatabase,
  input: WriteBackupInput,
  sink: Sink,
): Promise<WrittenBackup> {
  const { keyFile } = input;
  const trailer: BackupTrailer = { rows: {} };
  await database.read({ deadlineMs, forDownload: true }, async (db) => {
    const contents = joinLines(formatLines(db, database.engine, input, trailer));
    await writeContainer(backupFormat, contents, keyFile, sink);
  });
  const counts = Object.values(trailer.rows);
  return { tables: counts.length, rows: counts.reduce((sum, count) => sum + count, 0) };
}

/** Counts the rows of each table in `trailer`, which is the last line. */
async function* formatLines(
  db: Db,
  engine: string,
  { tenant, writtenAtUtc, version }: WriteBackupInput,
  trailer: BackupTrailer,
): AsyncGenerator<string, void> {
  const tables = await listTables(db);
  const leftOut = tables.map(({ table }) => table).filter(isLeftOut);
  const schema = await listExecutedMigrations(db);
  const header: BackupHeader = { tenant, engine, schema, writtenAtUtc, version, leftOut };
  yield formatContentLine(header);
  for (const table of tables) {
    if (isLeftOut(table.table)) continue;
    yield formatContentLine(table);
    let count = 0;
    for await (const rows of readPages(db, table)) {
      count += rows.length;
      for (const row of rows) yield formatRowLine(row);
    }
    trailer.rows[table.table] = count;
  }
  yield formatContentLine(trailer);
}

/** Few large pieces: each costs a turn of the stream. */
async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    if (text.length < textBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
