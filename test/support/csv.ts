// CSV as others read it: a parser written from RFC 4180, and Python's csv module.

import { execFileSync } from 'node:child_process';
import { findProgram } from './programs.ts';

/** Rows of cells. Knows quotes, commas and CRLF, and refuses everything else that RFC 4180 does. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
    cell.lastIndex = at;
    const [whole = '', quoted, plain] = cell.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    at += whole.length;
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`neither a comma nor a line end at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  }
  if (row.length > 0) throw new Error('the last row has no line end');
  return rows;
}

/** The rows as objects, named by the first; refuses a file without a byte order mark, or with a ragged row. */
export function readCsvTable(bytes: Buffer): Record<string, string>[] {
  const [mark, text] = [bytes.subarray(0, 3), bytes.subarray(3).toString('utf8')];
  if (mark.toString('hex') !== 'efbbbf') throw new Error('no byte order mark');
  const [names = [], ...rows] = readCsv(text);
  return rows.map((cells) => {
    if (cells.length !== names.length) throw new Error(`${cells.length} cells under ${names.length} names`);
    return Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']));
  });
}

/** Why tests that need Python are skipped; false where they run. */
export const noPython: string | false = findProgram('python3') === undefined && 'there is no python3 on this machine';

const script = `
import csv, io, json, sys
csv.field_size_limit(1 << 30)
text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline='')
json.dump(list(csv.reader(text, strict=True)), sys.stdout)
`;

/** Rows of cells, as Python's csv module reads these bytes. */
export function readCsvWithPython(bytes: Buffer): string[][] {
  const output = execFileSync('python3', ['-c', script], { input: bytes, maxBuffer: 2 ** 30 });
  return JSON.parse(output.toString('utf8')) as string[][];
}
