// Whole files, as spreadsheets and rent systems write them, and as nobody should.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable, type TableOptions } from './read-table.ts';
import { UnreadableFile } from './source-row.ts';
import { parseProfile } from '../rules/profile.ts';

type File = string | Uint8Array;

async function* inChunks(file: File): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file as string);
  for (let index = 0; index < bytes.length; index += 60_000) yield bytes.subarray(index, index + 60_000);
}

async function read(file: File, options?: TableOptions) {
  const { detected, header, rows } = await readTable(inChunks(file), options);
  const all = await Array.fromAsync(rows);
  const shown = all.map((row) => ('problem' in row ? `${row.line}: ${row.problem.code}` : [...row.values.values()]));
  return { detected, header, rows: shown };
}

const refused = (code: string, line: number) => (error: unknown) =>
  error instanceof UnreadableFile && error.code === code && error.line === line;

const windows1252 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function profileOf(document: unknown) {
  const parsed = parseProfile(document);
  assert.ok('profile' in parsed, JSON.stringify(parsed));
  return parsed.profile;
}

test('a CSV of a Danish spreadsheet is read without being told how', async () => {
  const csv = 'Navn;Beløb;Født\r\n"Sørensen; Åse";1.234,50;01-02-1980\r\nÆgir;-5,5;31-12-1999\r\n\r\n';
  for (const [file, encoding] of [
    [csv, 'utf-8'],
    [`\uFEFF${csv}`, 'utf-8'],
    [`\uFEFFsep=;\r\n${csv}`, 'utf-8'],
    [windows1252(csv), 'windows-1252'],
    [csv.replaceAll('\r\n', '\r'), 'utf-8'],
    [csv.replaceAll('\r\n', '\n').trimEnd(), 'utf-8'],
  ] as const)
    assert.deepEqual(await read(file), {
      detected: { format: 'csv', encoding, separator: ';', decimalComma: true },
      header: ['Navn', 'Beløb', 'Født'],
      rows: [
        ['Sørensen; Åse', '1.234,50', '01-02-1980'],
        ['Ægir', '-5,5', '31-12-1999'],
      ],
    });
});

test('the separator is the one that gives rows as many cells as the header, and one that is named wins', async () => {
  const separatorOf = async (file: File, options?: TableOptions) => (await read(file, options)).detected.separator;
  assert.equal(await separatorOf('a,b\n1,2\n'), ',');
  assert.equal(await separatorOf('a\tb\n1\t2'), '\t');
  assert.equal(await separatorOf('name, first;amount\nHansen, Jens;12,50\nIb;3'), ';');
  assert.equal(await separatorOf('a,b\n"x;y";1\n"1;2",3\n'), ',');
  assert.equal(await separatorOf('sep=\t\na;b\tc\n1\t2'), '\t');
  assert.equal(await separatorOf('sep=;\na,b\n', { separator: ',' }), ',');
  assert.equal(await separatorOf('name\nx\n'), ',');
  await assert.rejects(read('a;b,c\n1;2,3\n'), refused('separator-ambiguous', 1));
  await assert.rejects(read('sep=|\na|b\n'), refused('separator-not-supported', 1));
});

test('the decimal comma is shown only where the file shows it', async () => {
  const commaOf = async (file: File) => (await read(file)).detected.decimalComma;
  assert.equal(await commaOf('a;b\n1.234;x'), null);
  assert.equal(await commaOf('a;b\n1.234;2'), null);
  assert.equal(await commaOf('a;b\n1,5;2'), true);
  assert.equal(await commaOf('a;b\n1,234.50;2'), false);
  assert.equal(await commaOf('a;b\n1.50;2,50'), null);
  assert.equal(await commaOf('a;b\n01.02.2026;3'), null);
});

test('a file without rows has a header at most', async () => {
  await assert.rejects(read(''), refused('empty-file', 1));
  await assert.rejects(read('\uFEFF\r\n\r\n'), refused('empty-file', 1));
  assert.deepEqual((await read('a;b')).header, ['a', 'b']);
  assert.deepEqual((await read('a;b\r\n')).rows, []);
  assert.deepEqual((await read('', { format: 'json-lines' })).rows, []);
});

test('a header has to tell its columns apart', async () => {
  await assert.rejects(read('a;;b\n1;2;3'), refused('column-without-name', 1));
  await assert.rejects(read('\n\na; a \n'), refused('repeated-column', 3));
  await assert.rejects(read(`${'a;'.repeat(300)}\n`), refused('too-many-columns', 1));
  assert.deepEqual((await read('a;b;;\n1;2;;\n')).rows, [['1', '2']]);
});

test('a row that does not fit its header is a problem of its own', async () => {
  assert.deepEqual((await read('a;b\n1\n2;3;4\n5;6;\n"x\n7;8\n')).rows, [
    '2: too-few-cells',
    '3: too-many-cells',
    ['5', '6'],
    '5: unterminated-quote',
    ['7', '8'],
  ]);
});

test('NUL bytes, and a line of 10 MB, cost their rows', async () => {
  const long = `a;b\n1\0;2\n${'x'.repeat(10_000_000)};2\n3;4\n`;
  assert.deepEqual((await read(long)).rows, ['2: nul-character', '3: row-too-long', ['3', '4']]);
});

test('a header that is longer than a block of the file is read', async () => {
  const names = ['æ'.repeat(40_000), 'b'];
  assert.deepEqual((await read(`${names.join(';')}\n1;2`, { separator: ';' })).header, names);
});

test('a byte that cannot be decoded ends the file, after the blocks before it', async () => {
  const file = Buffer.concat([Buffer.from(`a;b\n${'1;2\n'.repeat(40_000)}`), Buffer.from([0xe6, 10])]);
  const { rows } = await readTable(inChunks(file));
  let count = 0;
  await assert.rejects(
    async () => {
      for await (const row of rows) count += row.line > 0 ? 1 : 0;
    },
    refused('undecodable-byte', 40_002),
  );
  assert.ok(count > 10_000);
});

test('JSON Lines are detected, and each line has its names', async () => {
  const { rows, detected } = await read('\n{"a":"x","b":1.50}\nno\n{"a":"y"}\n');
  assert.deepEqual(detected, { format: 'json-lines', encoding: 'utf-8', separator: null, decimalComma: false });
  assert.deepEqual(rows, [['x', '1.50'], '3: not-json', ['y']]);
});

test('a profile says how a file without names is read', async () => {
  const places = profileOf({
    name: 'places',
    kind: 'residents',
    format: 'csv',
    separator: ',',
    header: false,
    columns: [{ field: 'name', from: { at: 2 } }],
  });
  const { header, rows } = await readTable(inChunks('1,Jens\n2\n'), { profile: places });
  assert.equal(header, null);
  assert.deepEqual(
    (await Array.fromAsync(rows)).map((row) => 'values' in row && Object.fromEntries(row.values)),
    [{ 1: '1', 2: 'Jens' }, { 1: '2' }],
  );
  const wide = profileOf({
    name: 'wide',
    kind: 'charges',
    format: 'fixed-width',
    encoding: 'windows-1252',
    header: true,
    columns: [
      { field: 'tenancy', from: { start: 1, length: 4 } },
      { field: 'amountMinor', from: { start: 5, length: 6 }, decimals: 2, decimal: 'implied' },
    ],
  });
  assert.deepEqual((await read(windows1252('header\nÆ1  001250\nÆ2  0013\n'), { profile: wide })).rows, [
    ['Æ1', '001250'],
    '3: line-too-short',
  ]);
  await assert.rejects(read('x', { format: 'fixed-width' }), refused('profile-missing', 1));
});

test('ending the loop early closes the source', async () => {
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('a;b\n'.repeat(20_000));
    } finally {
      isClosed = true;
    }
  }
  const { rows } = await readTable(source());
  for await (const row of rows) if (row.line > 30_000) break;
  assert.equal(isClosed, true);
});
