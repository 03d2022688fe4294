// Writes the records around the cells of a workbook: versions, fonts, formats and view settings ([MS-XLS] 2.4).

import { u16, u32, u8 } from '../../lib/bytes/pack-numbers.ts';
import type { RecordStream } from './record-stream.ts';

/** Styles of cells, by their index in the formats below. */
export const styles = { general: 15, text: 16, integer: 17, heading: 18, money: 19 } as const;

const recordTypes = {
  eof: 0x000a,
  font: 0x0031,
  window1: 0x003d,
  pane: 0x0041,
  codePage: 0x0042,
  defaultColumnWidth: 0x0055,
  columnInfo: 0x007d,
  sheetOptions: 0x0081,
  pageSetup: 0x00a1,
  xf: 0x00e0,
  dimensions: 0x0200,
  window2: 0x023e,
  style: 0x0293,
  bof: 0x0809,
} as const;

const biff8 = 0x0600;
const substreams = { globals: 0x0005, sheet: 0x0010 } as const;
const utf16 = 1200;

const beginSubstream = (records: RecordStream, substream: number): void =>
  records.addRecord(recordTypes.bof, u16(biff8, substream, 0x0dbb, 0x07cc), u32(0x41, 6));

export function writeGlobalsStart(records: RecordStream): void {
  beginSubstream(records, substreams.globals);
  records.addRecord(recordTypes.codePage, u16(utf16));
  records.addRecord(recordTypes.window1, u16(0, 0, 0x4000, 0x2000, 0x38, 0, 0, 1, 600));
  // There is no font 4: the fifth font has number 5.
  for (let regular = 0; regular < 4; regular += 1) addFont(records, 400);
  addFont(records, 700);
  for (let ofStyle = 0; ofStyle < 15; ofStyle += 1) addCellFormat(records, { ofStyle: true });
  addCellFormat(records, {});
  addCellFormat(records, { format: numberFormats.text });
  addCellFormat(records, { format: numberFormats.integer });
  addCellFormat(records, { format: numberFormats.text, font: boldFont });
  addCellFormat(records, { format: numberFormats.twoDecimals });
  records.addRecord(recordTypes.style, u16(0x8000), u8(0, 0xff));
}

export const writeGlobalsEnd = (records: RecordStream): void => records.addRecord(recordTypes.eof);

const boldFont = 5;
const fontName = 'Arial';

function addFont(records: RecordStream, weight: number): void {
  const text = Buffer.from(fontName, 'latin1');
  records.addRecord(recordTypes.font, u16(200, 0, 0x7fff, weight, 0), u32(0), u8(fontName.length, 0), text);
}

/** Built-in formats, which every spreadsheet program knows. */
const numberFormats = { general: 0, integer: 1, twoDecimals: 2, text: 49 } as const;

/** The format of a style, or of a cell with a style. */
function addCellFormat(
  records: RecordStream,
  { font = 0, format = numberFormats.general, ofStyle = false }: { font?: number; format?: number; ofStyle?: boolean },
): void {
  const kind = ofStyle ? 0xfff5 : 0x0001;
  const inherited = ofStyle ? 0xf4 : 0x00;
  records.addRecord(recordTypes.xf, u16(font, format, kind), u8(0x20, 0, 0, inherited), u32(0, 0), u16(0x20c0));
}

/** `lengths` are those of the longest text in each column. */
export function writeSheetStart(records: RecordStream, rows: number, lengths: readonly number[]): void {
  beginSubstream(records, substreams.sheet);
  records.addRecord(recordTypes.sheetOptions, u16(fitToPageFlags));
  writePageSetup(records);
  records.addRecord(recordTypes.defaultColumnWidth, u16(16));
  for (const [column, length] of lengths.entries()) {
    const width = Math.min(columnCharacters.most, Math.max(columnCharacters.fewest, length)) + columnCharacters.margin;
    const units = width * widthUnitsPerCharacter;
    records.addRecord(recordTypes.columnInfo, u16(column, column, units, styles.general, 0, 0));
  }
  records.addRecord(recordTypes.dimensions, u32(0, rows), u16(0, lengths.length, 0));
}

/** A longer text shows its beginning; the names of columns are bold, so wider than the digits that are counted. */
const columnCharacters = { fewest: 8, most: 60, margin: 2 } as const;
const widthUnitsPerCharacter = 256;

/** The usual options of a sheet, and that it is fitted to pages. */
const fitToPageFlags = 0x05c1;
const a4Paper = 9;

/** A4 in landscape, one page wide and as many pages high as it takes. */
function writePageSetup(records: RecordStream): void {
  const margins = Buffer.alloc(16);
  // These are the margins of header and footer, in inches.
  for (const offset of [0, 8]) margins.writeDoubleLE(0.5, offset);
  const [landscape, dotsPerInch] = [0, 600];
  const setup = u16(a4Paper, 100, 1, 1, 0, landscape, dotsPerInch, dotsPerInch);
  records.addRecord(recordTypes.pageSetup, setup, margins, u16(1));
}

// Shows grid, headings, zeros and default colours; freezes the row of names; selects this sheet.
const sheetViewFlags = 0x07be;

export function writeSheetEnd(records: RecordStream): void {
  records.addRecord(recordTypes.window2, u16(sheetViewFlags, 0, 0, 64, 0, 0, 0), u32(0));
  records.addRecord(recordTypes.pane, u16(0, 1, 1, 0), u8(2, 0));
  records.addRecord(recordTypes.eof);
}
