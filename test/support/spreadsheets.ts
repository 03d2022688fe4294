// Reads spreadsheets with independent programs: SheetJS, and xls2csv of the catdoc package.

import { CFB, read, utils } from '@e965/xlsx';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCsv } from './csv.ts';
import { findProgram, reasonWithout } from './programs.ts';

export type ReadCell = { readonly type: 'text' | 'number' | 'other'; readonly value: unknown };

/** The cells of the one sheet by row and column; undefined where there is none. */
export function readXls(file: Buffer): { name: string; rows: (ReadCell | undefined)[][] } {
  const workbook = read(file, { type: 'buffer', dense: true, cellFormula: true });
  const [name = ''] = workbook.SheetNames;
  const sheet = workbook.Sheets[name];
  if (workbook.SheetNames.length !== 1 || sheet === undefined) throw new Error('not one sheet');
  const { e: last } = utils.decode_range(sheet['!ref'] ?? 'A1');
  const data = (sheet as unknown as { '!data': { t: string; v: unknown; f?: string }[][] })['!data'];
  const rows = Array.from({ length: last.r + 1 }, (_, row) =>
    Array.from({ length: last.c + 1 }, (__, column): ReadCell | undefined => {
      const cell = data[row]?.[column];
      if (cell === undefined || cell.v === undefined) return undefined;
      const type = cell.f === undefined ? ({ s: 'text', n: 'number' } as const)[cell.t] : undefined;
      return { type: type ?? 'other', value: cell.v };
    }),
  );
  return { name, rows };
}

/** How the sheet looks: widths in characters, the formats of the cells below the first row, and its page ([MS-XLS] 2.4). */
export function readXlsLayout(file: Buffer) {
  const sheet = Object.values(read(file, { type: 'buffer', dense: true, cellStyles: true, cellNF: true }).Sheets)[0];
  const data = (sheet as unknown as { '!data': { z?: string }[][] })['!data'];
  const records = readRecords(Buffer.from(CFB.find(CFB.read(file, { type: 'buffer' }), 'Workbook')?.content ?? []));
  const contentOf = (type: number): Buffer => records.find((each) => each.type === type)?.content ?? Buffer.alloc(34);
  const [setup, options, pane] = [contentOf(0x00a1), contentOf(0x0081), contentOf(0x0041)];
  return {
    widths: records.filter(({ type }) => type === 0x007d).map(({ content }) => content.readUInt16LE(4) / 256),
    formats: data.slice(1).map((row) => row.map(({ z }) => z)),
    frozenRows: pane.readUInt16LE(2),
    isLandscape: (setup.readUInt16LE(10) & 2) === 0,
    fitsWidth: (options.readUInt16LE(0) & 0x0100) !== 0,
    pagesWide: setup.readUInt16LE(6),
    pagesHigh: setup.readUInt16LE(8),
  };
}

function readRecords(stream: Buffer): { type: number; content: Buffer }[] {
  const records = [];
  for (let at = 0; at + 4 <= stream.length;) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    records.push({ type: stream.readUInt16LE(at), content: stream.subarray(at + 4, end) });
    at = end;
  }
  return records;
}

/** Why tests that need xls2csv are skipped; false where they run. */
export const noXls2csv: string | false = reasonWithout('xls2csv');

/** The cells as xls2csv shows them. */
export function readXlsWithCatdoc(file: Buffer): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'portal-xls-'));
  try {
    const path = join(folder, 'file.xls');
    writeFileSync(path, file);
    const output = execFileSync(findProgram('xls2csv') ?? '', ['-d', 'utf-8', '-q', '3', '-b', '', path], {
      maxBuffer: 2 ** 30,
    });
    return readCsv(output.toString('utf8').replaceAll('\n', '\r\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
