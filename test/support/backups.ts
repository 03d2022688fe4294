// Backups in memory: written, restored, taken apart and made up.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Databases } from '../../src/database/databases.ts';
import { knownMigrations } from '../../src/database/migrate.ts';
import type { TenantDatabase } from '../../src/database/tenant-database.ts';
import { restoreBackup, type RestoredBackup } from '../../src/features/backups/commands/restore-backup.ts';
import { writeBackup } from '../../src/features/backups/commands/write-backup.ts';
import { appendChecksum } from '../../src/features/backups/rules/checksum.ts';
import type { BackupHeader } from '../../src/features/backups/rules/content-lines.ts';
import { formatPrelude } from '../../src/features/backups/rules/prelude.ts';

export const keyFile = Buffer.alloc(32, 'key of a test');

export async function collectBytes(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** In pieces of this size. */
export async function* streamBytes(bytes: Uint8Array, size = 50_000): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

export async function writeBackupBytes(database: TenantDatabase, key?: Uint8Array): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  const input = { tenant: 'sund', writtenAtUtc: '2026-06-01T03:00:00.000Z', version: '0.1.0', keyFile: key };
  await writeBackup(database, input, async (source) => {
    bytes = await collectBytes(source);
  });
  return bytes;
}

/** Without the duty of privacy, which belongs to the command. */
export const restoreBytes = (
  databases: Databases,
  bytes: Uint8Array,
  { tenant = 'sund', key }: { readonly tenant?: string; readonly key?: Uint8Array } = {},
): Promise<RestoredBackup> =>
  restoreBackup(databases.restoreInto(tenant), {
    tenant,
    source: streamBytes(bytes),
    keyFile: key,
    prepare: async () => {},
  });

/** The lines of a backup that is not encrypted. */
export function readContentLines(bytes: Buffer): string[] {
  const compressed = bytes.subarray(bytes.indexOf('\n') + 1, -32);
  return zstdDecompressSync(compressed).toString().split('\n').slice(0, -1);
}

/** A backup with this content, which need not be a right one. */
export function buildBackup(lines: readonly string[], prelude = formatPrelude({ salt: undefined })): Promise<Buffer> {
  const compressed = zstdCompressSync(lines.map((line) => `${line}\n`).join(''));
  return collectBytes(
    (async function* () {
      yield Buffer.from(prelude);
      yield* appendChecksum(prelude, streamBytes(compressed));
    })(),
  );
}

export const formatTestHeader = (changes: Partial<BackupHeader> = {}): string =>
  JSON.stringify({
    tenant: 'sund',
    engine: 'sqlite',
    schema: knownMigrations,
    writtenAtUtc: '2026-06-01T03:00:00.000Z',
    version: '0.1.0',
    leftOut: [],
    ...changes,
  });
