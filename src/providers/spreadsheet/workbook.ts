// Writes an Excel 97-2003 workbook (BIFF8, [MS-XLS]) with one sheet: a frozen row of names, and rows of cells.

import { u16, u32, u8 } from '../../lib/bytes/pack-numbers.ts';
import { parseDecimalOrText, type Cell } from './cells.ts';
import { createCompoundFile } from './compound-file.ts';
import type { XlsSheet } from './protocol.ts';
import { RecordStream } from './record-stream.ts';
import { SharedStrings, encodeRecordText } from './shared-strings.ts';
import { writeGlobalsEnd, writeGlobalsStart, writeSheetEnd, writeSheetStart, styles } from './workbook-substreams.ts';

const maxRows = 65_536;
const maxColumns = 256;

const labelSstRecord = 0x00fd;
const numberRecord = 0x0203;
const labelRecord = 0x0204;

/**
 * Texts stay strings whatever the texts look like, even after editing. Columns are as wide as their texts; the sheet is
 * printed in landscape, as wide as the paper.
 */
export class Workbook {
  readonly #name: string;
  /** The style of the numbers in each column; undefined if it depends on the number. */
  readonly #numberStyles: readonly (number | undefined)[];
  /** The length of the longest text in each column. */
  readonly #lengths: number[];
  readonly #cells = new RecordStream();
  readonly #strings = new SharedStrings();
  #rows = 0;

  constructor({ name, columns, moneyColumns = [] }: XlsSheet) {
    if (columns.length > maxColumns) throw new RangeError(`a sheet has at most ${maxColumns} columns`);
    this.#name = name;
    this.#numberStyles = columns.map((column) => (moneyColumns.includes(column) ? styles.money : undefined));
    this.#lengths = columns.map(() => 0);
    this.#addRow(columns, styles.heading);
  }

  add(rows: readonly (readonly Cell[])[]): void {
    for (const row of rows) this.#addRow(row, styles.text);
  }

  /** The file, in pieces. */
  finish(): Uint8Array[] {
    const globals = new RecordStream();
    writeGlobalsStart(globals);
    const strings = new RecordStream();
    this.#strings.write(strings);
    writeGlobalsEnd(strings);
    const before = new RecordStream();
    writeSheetStart(before, this.#rows, this.#lengths);
    // The sheet's offset in the stream precedes the strings.
    addBoundSheet(globals, this.#name, globals.byteLength + strings.byteLength);
    const after = new RecordStream();
    writeSheetEnd(after);
    return createCompoundFile(
      'Workbook',
      [globals, strings, before, this.#cells, after].flatMap(({ chunks }) => chunks),
    );
  }

  #addRow(cells: readonly Cell[], style: number): void {
    if (this.#rows === maxRows) throw new RangeError(`a sheet has at most ${maxRows} rows`);
    if (cells.length > this.#lengths.length) throw new RangeError('a row is longer than the row of names');
    for (const [column, cell] of cells.entries()) this.#addCell(column, cell, style);
    this.#rows += 1;
  }

  /** An empty text and a missing value both give no cell. */
  #addCell(column: number, cell: Cell, style: number): void {
    if (cell === null || cell === '') return;
    const text = String(cell);
    if (text.length > (this.#lengths[column] ?? 0)) this.#lengths[column] = text.length;
    const value = typeof cell === 'number' || typeof cell === 'bigint' ? parseDecimalOrText(text) : text;
    if (typeof value === 'number') {
      const numberStyle = this.#numberStyles[column] ?? (Number.isInteger(value) ? styles.integer : styles.general);
      const { chunk, offset } = this.#beginCell(numberRecord, 14, column, numberStyle);
      chunk.writeDoubleLE(value, offset + 6);
    } else this.#addText(column, value, style);
  }

  #addText(column: number, text: string, style: number): void {
    const index = this.#strings.indexOf(text);
    if (index !== undefined) {
      const { chunk, offset } = this.#beginCell(labelSstRecord, 10, column, style);
      chunk.writeUInt32LE(index, offset + 6);
      return;
    }
    const { head, characters } = encodeRecordText(text);
    const { chunk, offset } = this.#beginCell(labelRecord, 6 + head.length + characters.length, column, style);
    chunk.set(head, offset + 6);
    chunk.set(characters, offset + 6 + head.length);
  }

  #beginCell(type: number, length: number, column: number, style: number): { chunk: Buffer; offset: number } {
    const { chunk, offset } = this.#cells.beginRecord(type, length);
    chunk.writeUInt16LE(this.#rows, offset);
    chunk.writeUInt16LE(column, offset + 2);
    chunk.writeUInt16LE(style, offset + 4);
    return { chunk, offset };
  }
}

const boundSheetRecord = 0x0085;
const recordHeaderBytes = 4;

/** Names the sheet, and its position in the stream: after this record and `bytesBefore` more bytes. */
function addBoundSheet(globals: RecordStream, name: string, bytesBefore: number): void {
  const text = Buffer.from(name, 'utf16le');
  const length = 8 + text.length;
  const streamOffset = bytesBefore + recordHeaderBytes + length;
  globals.addRecord(boundSheetRecord, u32(streamOffset), u16(0), u8(name.length, 1), text);
}
