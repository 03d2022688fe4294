// Reads spreadsheets with independent programs: SheetJS, and xls2csv of the catdoc package.

import { read, utils } from '@e965/xlsx';
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
