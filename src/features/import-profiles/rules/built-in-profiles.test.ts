// The profiles that come with the service, each with lines that it has to read and to write again.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { csvBom, formatCsvRow } from '../../../lib/text/csv.ts';
import { readTable } from '../formats/read-table.ts';
import { createBuiltInProfiles } from './built-in-profiles.ts';
import { importKinds } from '../../import-kinds/import-kinds.ts';
import { keyColumns } from './default-profile.ts';
import type { ImportKindName } from '../../import-kinds/rules/kind-names.ts';
import { readWith } from './profile-reader.ts';
import { writeWith } from './profile-writer.ts';
import type { Profile } from './profile.ts';

const profiles = createBuiltInProfiles();

function profileNamed(name: string): Profile {
  const profile = profiles.get(name);
  assert.ok(profile !== undefined, name);
  return profile;
}

async function readFile(profile: Profile, file: string | Uint8Array) {
  const { rows } = await readTable(ReadableStream.from([Buffer.from(file as string)]), { profile });
  const all = await Array.fromAsync(rows);
  return all.map((row) => {
    assert.ok('values' in row, JSON.stringify(row));
    const { fields, problems } = readWith(profile, row);
    assert.deepEqual(problems, []);
    return fields;
  });
}

function write(profile: Profile, fields: ReadonlyMap<string, string | bigint>): string {
  const written = writeWith(profile, fields);
  assert.ok('line' in written, JSON.stringify(written));
  return written.line;
}

/** A line of fixed width, built from the first and last position of each text. */
function buildLine(length: number, texts: readonly (readonly [first: number, last: number, text: string])[]): string {
  const line = Array.from({ length }, () => ' ');
  for (const [first, last, text] of texts) {
    assert.equal(text.length, last - first + 1, text);
    line.splice(first - 1, text.length, ...text.split(''));
  }
  return line.join('');
}

test('every profile of the folder is one of the profiles, by the name of its file', () => {
  const files = readdirSync(join(import.meta.dirname, '../profiles')).map((file) => basename(file, '.json'));
  assert.deepEqual([...profiles.keys()].toSorted(), files.toSorted());
});

test('an export of residents is read as it was before it was written, formulas included', async () => {
  const names = ['kid', 'name', 'email', 'phone', 'apartment', 'locationKid', 'locationName', 'state', 'language'];
  const rows = [
    ['u1', '=HYPERLINK("x")', 'a@example.com', '+45 20 12 34 56', '-1. tv', 'l1', 'Sundvej;\n=1', 'active', 'da'],
    ['u2', "O'Brien", '', '+4520123456', '', '', '', 'deleted', 'en'],
  ];
  const file = csvBom + [names, ...rows].map((row) => formatCsvRow(row)).join('');
  const profile = profileNamed('residents-export');
  // The name of the location stands in the file, and is not read: its KID is.
  const columns = profile.columns.map(
    ({ field = '', from }) => [field, names.indexOf(typeof from === 'string' ? from : '')] as const,
  );
  const expected = rows.map(
    (row) =>
      new Map(columns.map(([field, at]): [string, string] => [field, row[at] ?? '']).filter(([, text]) => text !== '')),
  );
  const read = await readFile(profile, file);
  assert.deepEqual(
    read.map((fields) => new Map(fields)),
    expected,
  );
  const again = `${columns.map(([, at]) => names[at]).join(',')}\r\n${read.map((fields) => `${write(profile, fields)}\r\n`).join('')}`;
  assert.deepEqual(await readFile(profile, again), read);
});

test('a list of residents of a Danish rent system is read by its positions', async () => {
  const profile = profileNamed('danish-residents');
  const line = '101-2, Åse Sørensen ,2. tv,aase@example.dk,20 12 34 56,01-02-2024,';
  const [fields] = await readFile(profile, Buffer.from(line, 'latin1'));
  assert.deepEqual(Object.fromEntries(fields ?? []), {
    key: '101-2',
    name: 'Åse Sørensen',
    apartment: '2. tv',
    email: 'aase@example.dk',
    phone: '+4520123456',
  });
  const [movedOut] = await readFile(profile, '101-2,Demo,2. tv,,,01-02-2024,31-05-2026');
  assert.equal(movedOut?.get('movedOut'), '2026-05-31');
});

const charge = new Map<string, string | bigint>([
  ['tenancy', '101-2'],
  ['name', 'Åse Sørensen'],
  ['periodFrom', '2026-01-01'],
  ['periodThrough', '2026-03-31'],
  ['amountMinor', -123_450n],
  ['currency', 'DKK'],
]);

test('a charge is the same in a CSV and in a file of fixed width', async () => {
  const header = 'Lejemål;Navn;Periode fra;Periode til;Beløb;Valuta\n';
  const csv = profileNamed('charges');
  assert.equal(write(csv, charge), '101-2;Åse Sørensen;01-01-2026;31-03-2026;-1234,50;DKK');
  assert.deepEqual(await readFile(csv, `${header}101-2;Åse Sørensen;01-01-2026;31-03-2026;-1.234,50;DKK`), [charge]);
  const wide = profileNamed('charges-fixed-width');
  const line = buildLine(88, [
    [1, 5, '101-2'],
    [17, 28, 'Åse Sørensen'],
    [57, 64, '20260101'],
    [65, 72, '20260331'],
    [73, 73, '-'],
    [74, 85, '000000123450'],
    [86, 88, 'DKK'],
  ]);
  assert.equal(write(wide, charge), line);
  assert.deepEqual(await readFile(wide, Buffer.from(line, 'latin1')), [charge]);
});

test('a record A of the German data exchange has the positions that two public programs give it', async () => {
  const profile = profileNamed('heiwako-a');
  const line = buildLine(128, [
    [1, 1, 'A'],
    [2, 6, '03.05'],
    [7, 16, '0000000001'],
    [17, 18, '30'],
    [19, 31, '0000000010001'],
    [32, 33, 'Id'],
    [128, 128, 'A'],
  ]);
  const [fields] = await readFile(profile, line);
  assert.deepEqual(Object.fromEntries(fields ?? []), {
    version: '03.05',
    customer: '0000000001',
    company: '30',
    property: '000000001',
    unit: '0001',
    tenancy: 'Id',
  });
  assert.equal(write(profile, fields ?? new Map()), line);
});

test('a record D of the German data exchange has amounts without a mark, and a minus in the first place', async () => {
  const profile = profileNamed('heiwako-d');
  const line = buildLine(1024, [
    [1, 1, 'D'],
    [2, 6, '03.10'],
    [7, 16, '0000004711'],
    [17, 18, 'TE'],
    [19, 31, '0001234560001'],
    [32, 38, 'WE-0001'],
    [52, 57, '311225'],
    [58, 67, '0000085025'],
    [78, 87, '0000120000'],
    [128, 137, '-000034975'],
    [148, 150, '001'],
    [151, 159, '000123456'],
    [160, 162, '004'],
    [166, 175, 'Mustermann'],
    [201, 203, 'EUR'],
    [1024, 1024, 'D'],
  ]);
  const [fields] = await readFile(profile, line);
  assert.deepEqual(Object.fromEntries(fields ?? []), {
    version: '03.10',
    customer: '0000004711',
    company: 'TE',
    property: '000123456',
    unit: '0001',
    tenancy: 'WE-0001',
    periodThrough: '2025-12-31',
    totalMinor: 85_025n,
    prepaidMinor: 120_000n,
    balanceMinor: -34_975n,
    costType: '001',
    shares: 123_456n,
    shareUnit: '004',
    name: 'Mustermann',
    currency: 'EUR',
  });
  assert.equal(write(profile, fields ?? new Map()), line);
});

test('[profiles.01] what can be imported has fields of its kind, and a key or a KID', () => {
  for (const { kind, name, columns } of profiles.values()) {
    if (!Object.hasOwn(importKinds, kind)) continue;
    const known = [...keyColumns, ...importKinds[kind as ImportKindName].columns].map(({ field }) => field);
    const fields = columns.flatMap(({ field }) => field ?? []);
    assert.deepEqual(new Set(fields).difference(new Set(known)), new Set(), name);
    assert.ok(fields.includes('key') || fields.includes('kid'), name);
  }
});
