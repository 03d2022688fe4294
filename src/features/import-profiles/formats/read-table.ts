// Reads a file of any of the formats: what was detected in it, its header, and its rows one after another. It holds a
// block of the file at a time, whatever the file's size.

import type { Profile } from '../rules/profile.ts';
import { CsvRowReader, type CsvRow } from './csv-reader.ts';
import type { CsvSeparator } from './csv-scanner.ts';
import { decodeText, type DecodedText, type TextEncoding } from './decode-text.ts';
import { detectDecimalComma, detectSeparator, findDeclaredSeparator } from './detect-separator.ts';
import { readFixedWidthLine } from './fixed-width-reader.ts';
import { readJsonLine } from './json-lines-reader.ts';
import { LineReader } from './line-reader.ts';
import { UnreadableFile, type SourceRow } from './source-row.ts';
import { createRowNamer, readHeader, type RowNamer } from './table-header.ts';

type TableFormat = Profile['format'];

/** What is named here comes before the profile, and both before what the file looks like. */
export type TableOptions = {
  readonly format?: TableFormat;
  readonly encoding?: TextEncoding;
  readonly separator?: CsvSeparator;
  readonly profile?: Profile;
};

type DetectedTable = {
  readonly format: TableFormat;
  readonly encoding: TextEncoding;
  readonly separator: CsvSeparator | null;
  /** Null where the first rows do not show it. */
  readonly decimalComma: boolean | null;
};

export type SourceTable = {
  readonly detected: DetectedTable;
  /** The names of the columns, where the file has them in a row of their own. */
  readonly header: readonly string[] | null;
  /** Can be read once. Ending the loop early closes the source. It throws an UnreadableFile. */
  readonly rows: AsyncIterable<SourceRow>;
};

/** Blocks of text -> rows. */
type BlockReader<Row = SourceRow> = { read(block: string): Row[]; end(): Row[] };

type OpenTable = {
  readonly format: TableFormat;
  readonly separator: CsvSeparator | null;
  readonly header: readonly string[] | null;
  readonly reader: BlockReader;
  readonly firstRows: readonly SourceRow[];
};

/** Throws an UnreadableFile if the beginning of the file already shows that it cannot be read. */
export async function readTable(source: AsyncIterable<Uint8Array>, options: TableOptions = {}): Promise<SourceTable> {
  const decoded = await decodeText(source, options.encoding ?? options.profile?.encoding);
  try {
    const table = await openTable(decoded.blocks, options);
    const { format, separator, header, firstRows } = table;
    // The only row of a file may be known as a row only where the file ends.
    const rows = firstRows.length > 0 ? firstRows : await readSome(table.reader, decoded.blocks);
    const decimalComma = detectDecimalComma(textsOf(rows));
    return {
      detected: { format, encoding: decoded.encoding, separator, decimalComma },
      header,
      rows: streamRows(rows, table.reader, decoded.blocks),
    };
  } catch (error) {
    await decoded.blocks.return(undefined);
    throw error;
  }
}

async function openTable(blocks: DecodedText['blocks'], options: TableOptions): Promise<OpenTable> {
  const { value: first = '' } = await blocks.next();
  const format = options.format ?? options.profile?.format ?? (/^\s*\{/.test(first) ? 'json-lines' : 'csv');
  if (format === 'csv') return openCsv(first, blocks, options);
  const { profile } = options;
  if (format === 'fixed-width' && profile?.format !== format)
    throw new UnreadableFile('profile-missing', 1, 'A file of fixed width needs a profile with its columns.');
  const lines = new LineReader();
  let isHeader = profile?.header === true;
  const toRows = (taken: ReturnType<LineReader['read']>): SourceRow[] => {
    const kept = isHeader ? taken.slice(1) : taken;
    if (taken.length > 0) isHeader = false;
    return kept.map((line) => {
      if ('problem' in line) return line;
      return profile?.format === 'fixed-width' ? readFixedWidthLine(line, profile.ranges) : readJsonLine(line);
    });
  };
  const reader = { read: (block: string) => toRows(lines.read(block)), end: () => toRows(lines.end()) };
  return { format, separator: null, header: null, reader, firstRows: reader.read(first) };
}

async function openCsv(first: string, blocks: DecodedText['blocks'], options: TableOptions): Promise<OpenTable> {
  const { profile } = options;
  const declared = findDeclaredSeparator(first);
  const text = first.slice(declared?.length ?? 0);
  const separator = options.separator ?? profile?.separator ?? declared?.separator ?? detectSeparator(text);
  const csv = new CsvRowReader(separator, declared === undefined ? 1 : 2);
  const rows = csv.read(text);
  if (profile?.header === false) return createCsvTable(csv, separator, null, rows, createRowNamer(null, 'positions'));
  // A long first row ends in the second block.
  if (rows.length === 0) rows.push(...(await readSome(csv, blocks)));
  const [row, ...others] = rows;
  const header = readHeader(row);
  return createCsvTable(csv, separator, header, others, createRowNamer(header, profile?.addressing ?? 'names'));
}

function createCsvTable(
  csv: CsvRowReader,
  separator: CsvSeparator,
  header: readonly string[] | null,
  rows: readonly CsvRow[],
  toSourceRow: RowNamer,
): OpenTable {
  const reader = { read: (block: string) => csv.read(block).map(toSourceRow), end: () => csv.end().map(toSourceRow) };
  return { format: 'csv', separator, header, reader, firstRows: rows.map(toSourceRow) };
}

/** Reads blocks until there is a row. */
async function readSome<Row>(reader: BlockReader<Row>, blocks: DecodedText['blocks']): Promise<Row[]> {
  for (;;) {
    const { value } = await blocks.next();
    const rows = value === undefined ? reader.end() : reader.read(value);
    if (value === undefined || rows.length > 0) return rows;
  }
}

async function* streamRows(
  firstRows: readonly SourceRow[],
  reader: BlockReader,
  blocks: DecodedText['blocks'],
): AsyncGenerator<SourceRow> {
  try {
    // In loops: `yield*` would make two more promises for each row.
    for (const row of firstRows) yield row;
    for await (const block of blocks) for (const row of reader.read(block)) yield row;
    for (const row of reader.end()) yield row;
  } finally {
    await blocks.return(undefined);
  }
}

function* textsOf(rows: readonly SourceRow[]): Generator<string> {
  for (const row of rows) if ('values' in row) yield* row.values.values();
}
