// Writes all data of a tenant as they are in one snapshot: a first line in the clear, then the content, compressed and, with
// a key file, encrypted. The content is lines of JSON: a header, each table with its rows, and a trailer.

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { Db } from '../../../database/db.ts';
import { listExecutedMigrations } from '../../../database/migrate.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { listTables, readPages } from '../queries/table-rows.ts';
import { appendChecksum } from '../rules/checksum.ts';
import { deriveKey, encryptChunks } from '../rules/chunk-cipher.ts';
import { formatContentLine, type BackupHeader, type BackupTrailer } from '../rules/content-lines.ts';
import { isLeftOut } from '../rules/left-out-tables.ts';
import { formatPrelude } from '../rules/prelude.ts';
import { formatRowLine } from '../rules/row-lines.ts';

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

/** Takes all bytes of a backup. */
export type Sink = (bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** A snapshot of this age costs more than the backup is worth. */
const deadlineMs = 86_400_000;
const saltBytes = 32;
const textBytes = 65_536;

export async function writeBackup(
  database: TenantDatabase,
  input: WriteBackupInput,
  sink: Sink,
): Promise<WrittenBackup> {
  const { keyFile } = input;
  const salt = keyFile === undefined ? undefined : randomBytes(saltBytes);
  const prelude = formatPrelude({ salt });
  const trailer: BackupTrailer = { rows: {} };
  await database.read({ deadlineMs, forDownload: true }, async (db) => {
    const contents = joinLines(formatLines(db, database.engine, input, trailer));
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const close = async function* (compressed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      yield Buffer.from(prelude);
      const checked = appendChecksum(prelude, compressed);
      if (keyFile === undefined || salt === undefined) yield* checked;
      else yield* encryptChunks(deriveKey(keyFile, salt, prelude), checked);
    };
    await pipeline(Readable.from(contents), compress, close, sink);
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
