// Reads a backup part by part, and proves it meanwhile: its container, the form of every row, and the counts. Only
// after the last part is it known to be whole.

import { readContainer } from './read-container.ts';
import { CopyError } from '../../../sqlite-follower/copy-error.ts';
import {
  parseHeaderLine,
  parseTableOrTrailerLine,
  type BackupHeader,
  type BackupTable,
  type BackupTrailer,
} from './rules/content-lines.ts';
import { backupFormat } from './rules/prelude.ts';
import { parseRowLine, type StoredValue } from './rules/row-lines.ts';

type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly table: BackupTable }
  | { readonly kind: 'rows'; readonly table: BackupTable; readonly rows: readonly StoredValue[][] };

const lineFeed = 0x0a;
/** Longer than any row, so that a file that is no backup does not fill the memory. */
const maxLineBytes = 256 * 1024 * 1024;
const maxRowsInPart = 2000;
const maxBytesInPart = 1_000_000;

/** Throws CopyError with what is wrong, and where. */
export async function* readBackup(
  source: AsyncIterable<Uint8Array>,
  keyFile: Uint8Array | undefined,
): AsyncGenerator<BackupPart, void> {
  const reader = new PartReader();
  for await (const line of readLines(readContainer(backupFormat, source, keyFile))) yield* reader.read(line);
  reader.requireEnd();
}

/** Follows the order of the lines: header, tables with their rows, trailer. */
class PartReader {
  #lines = 0;
  #table: BackupTable | undefined;
  #rows: StoredValue[][] = [];
  #bytes = 0;
  #hasEnded = false;
  readonly #counts: Record<string, number> = {};

  read(line: string): BackupPart[] {
    this.#lines += 1;
    try {
      if (this.#hasEnded) throw new CopyError('it is after the end');
      if (this.#lines === 1) return [{ kind: 'header', header: parseHeaderLine(line) }];
      return line.startsWith('[') ? this.#readRow(line) : this.#readOther(line);
    } catch (error) {
      if (!(error instanceof CopyError)) throw error;
      const where = this.#table === undefined ? '' : ` of the table ${this.#table.table}`;
      throw new CopyError(`is damaged in line ${this.#lines} of its content${where}: ${error.message}`);
    }
  }

  requireEnd(): void {
    if (!this.#hasEnded) throw new CopyError(`is cut short after line ${this.#lines} of its content`);
  }

  #readRow(line: string): BackupPart[] {
    if (this.#table === undefined) throw new CopyError('a row belongs to no table');
    const { table, columns } = this.#table;
    this.#rows.push(parseRowLine(line, columns));
    this.#counts[table] = (this.#counts[table] ?? 0) + 1;
    this.#bytes += line.length;
    return this.#rows.length >= maxRowsInPart || this.#bytes >= maxBytesInPart ? this.#takeRows() : [];
  }

  #readOther(line: string): BackupPart[] {
    const parts = this.#takeRows();
    const read = parseTableOrTrailerLine(line);
    if ('table' in read) {
      if (this.#counts[read.table] !== undefined) throw new CopyError(`${read.table} begins a second time`);
      this.#table = read;
      this.#counts[read.table] = 0;
      return [...parts, { kind: 'table', table: read }];
    }
    this.#requireCounts(read);
    this.#hasEnded = true;
    return parts;
  }

  #takeRows(): BackupPart[] {
    const [table, rows] = [this.#table, this.#rows];
    this.#rows = [];
    this.#bytes = 0;
    return table === undefined || rows.length === 0 ? [] : [{ kind: 'rows', table, rows }];
  }

  #requireCounts({ rows }: BackupTrailer): void {
    for (const table of new Set([...Object.keys(rows), ...Object.keys(this.#counts)]))
      if (rows[table] !== this.#counts[table])
        throw new CopyError(
          `${table} has ${this.#counts[table] ?? 'no'} rows, and ${rows[table] ?? 'none'} by the end`,
        );
  }
}

async function* readLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const piece of content) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      yield Buffer.concat([...held, bytes.subarray(from, end)]).toString('utf8');
      held = [];
      heldBytes = 0;
      from = end + 1;
    }
    heldBytes += bytes.length - from;
    if (heldBytes > maxLineBytes) throw new CopyError('is damaged: a line of its content has no end');
    if (from < bytes.length) held.push(bytes.subarray(from));
  }
  if (heldBytes > 0) throw new CopyError('is cut short in a line of its content');
}
