// Profiles: what is refused, what a text is read as, and that what is written is read back.

import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable } from '../formats/read-table.ts';
import { formatUnsigned, parseUnsigned, type AmountFormat } from './profile-amounts.ts';
import { createDateFormat } from './profile-dates.ts';
import { readWith } from './profile-reader.ts';
import { writeHeader, writeWith } from './profile-writer.ts';
import { parseProfile, type Profile } from './profile.ts';

function profileOf(document: unknown): Profile {
  const parsed = parseProfile(document);
  assert.ok('profile' in parsed, JSON.stringify(parsed));
  return parsed.profile;
}

const base = { name: 'a', kind: 'charges', format: 'csv', header: true };

const errorsOf = (change: object): string[] => {
  const parsed = parseProfile({ ...base, columns: [{ field: 'a', from: 'A' }], ...change });
  return 'errors' in parsed ? parsed.errors.map(({ path, message }) => `${path} ${message}`) : [];
};

const columnErrorsOf = (column: object, change: object = {}): string[] => errorsOf({ columns: [column], ...change });

test('a profile is closed, and each error names its place', () => {
  assert.deepEqual(errorsOf({}), []);
  assert.deepEqual(errorsOf({ colour: 'red' }), ['colour is not a property of a profile']);
  assert.deepEqual(errorsOf({ name: 'Å', columns: [] }), [
    'name must match pattern "^[a-z0-9][a-z0-9-]{0,63}$"',
    'columns must not have fewer than 1 items',
  ]);
  assert.deepEqual(columnErrorsOf({ field: 'a', from: 'A', decimalMark: ',' }), [
    'columns[0].decimalMark is not a property of a profile',
  ]);
  assert.deepEqual(columnErrorsOf({ field: 'a', from: { at: 0 } }), [
    'columns[0].from must be the name of a column, {"at": number}, or {"start": number, "length": number}',
  ]);
  for (const document of [null, [], 'x', 7, {}])
    assert.ok('errors' in parseProfile(document), JSON.stringify(document));
});

test('what contradicts itself is refused', () => {
  const at = (start: number, length = 2) => ({ from: { start, length } });
  const cases: [string[], string][] = [
    [columnErrorsOf({ field: 'a' }), 'columns[0] must have from or constant'],
    [columnErrorsOf({ from: 'A' }), 'columns[0] must have a field'],
    [
      columnErrorsOf({ field: 'a', constant: 'x', decimals: 2 }),
      'columns[0].constant is a text as it is: no map, date, decimals or phoneRegion',
    ],
    [
      columnErrorsOf({ field: 'a', from: 'A', decimals: 2, date: 'yyyyMMdd' }),
      'columns[0] must have one of map, date, decimals and phoneRegion at most',
    ],
    [columnErrorsOf({ field: 'a', from: 'A', decimal: ',' }), 'columns[0].decimal needs decimals'],
    [columnErrorsOf({ field: 'a', from: 'A', sign: { at: 'trailing' } }), 'columns[0].sign needs decimals'],
    [columnErrorsOf({ field: 'a', from: 'A', decimals: 3 }), 'columns[0].decimal must be given with three decimals'],
    [
      columnErrorsOf({ field: 'a', from: 'A', date: 'yyyy-MM' }),
      'columns[0].date must have yyyy or yy, MM and dd, each once',
    ],
    [columnErrorsOf({ field: 'a', from: 'A', map: { x: '' } }), 'columns[0].map must not give an empty text'],
    [
      columnErrorsOf({ field: 'a', from: 'A', decimals: 2, sign: { at: 'column', from: 'S', minus: ' ', plus: '' } }),
      'columns[0].sign must tell minus from plus',
    ],
    [errorsOf({ header: false }), 'header must be true where columns have names'],
    [errorsOf({ format: 'json-lines' }), 'header must be false: every line has its names'],
    [
      errorsOf({ format: 'fixed-width' }),
      'columns must be at {"start", "length"} in the format fixed-width, and in no other',
    ],
    [errorsOf({ format: 'json-lines', header: false, separator: ';' }), 'separator is only for the format csv'],
    [
      errorsOf({
        columns: [
          { field: 'a', from: 'A' },
          { field: 'a', from: 'B' },
        ],
      }),
      'columns[1].field is that of another column',
    ],
    [
      errorsOf({
        columns: [
          { field: 'a', from: 'A' },
          { field: 'b', from: 'A' },
        ],
      }),
      'columns[1].from is that of another column',
    ],
    [
      errorsOf({
        columns: [
          { field: 'a', from: 'A' },
          { field: 'b', from: { at: 1 } },
        ],
      }),
      'columns[1].from must be of the same kind in every column',
    ],
    [
      errorsOf({
        format: 'fixed-width',
        columns: [
          { field: 'a', ...at(1) },
          { field: 'b', ...at(2) },
        ],
      }),
      'columns[1].from is that of another column',
    ],
  ];
  for (const [errors, expected] of cases) assert.deepEqual(errors, [expected]);
});

test('an amount is read only where it can be read in one way', () => {
  const cases: [string, AmountFormat, bigint | string][] = [
    ['1234,5', { decimals: 2 }, 123_450n],
    ['1.234,50', { decimals: 2 }, 123_450n],
    ['1,234.50', { decimals: 2 }, 123_450n],
    ['1 234,50', { decimals: 2 }, 123_450n],
    ['1\u00A0234\u00A0567', { decimals: 2 }, 123_456_700n],
    ['1234', { decimals: 2 }, 123_400n],
    ['1.234', { decimals: 2 }, 'ambiguous-amount'],
    ['1,234', { decimals: 0 }, 'ambiguous-amount'],
    ['1.234', { decimals: 2, decimal: ',' }, 123_400n],
    ['1,234', { decimals: 2, decimal: '.' }, 123_400n],
    ['1.234', { decimals: 2, decimal: '.' }, 'not-an-amount'],
    ['1.234', { decimals: 3, decimal: '.' }, 1234n],
    ['1.234.567', { decimals: 2 }, 123_456_700n],
    ['0.123', { decimals: 2, decimal: ',' }, 'not-an-amount'],
    ['1.23,4', { decimals: 2 }, 'not-an-amount'],
    ['1.234 567', { decimals: 2, decimal: ',' }, 'not-an-amount'],
    ['12,345', { decimals: 2, decimal: ',' }, 'not-an-amount'],
    ['000012345', { decimals: 2, decimal: 'implied' }, 12_345n],
    ['123,45', { decimals: 2, decimal: 'implied' }, 'not-an-amount'],
    ['92233720368547758,07', { decimals: 2, decimal: ',' }, 9_223_372_036_854_775_807n],
    ['92233720368547758,08', { decimals: 2, decimal: ',' }, 'not-an-amount'],
    ['9'.repeat(1000), { decimals: 0 }, 'not-an-amount'],
    ['1e5', { decimals: 0 }, 'not-an-amount'],
    ['-1', { decimals: 0 }, 'not-an-amount'],
    ['٣', { decimals: 0 }, 'not-an-amount'],
  ];
  for (const [text, format, expected] of cases) {
    const parsed = parseUnsigned(text, format);
    assert.equal('amount' in parsed ? parsed.amount : parsed.code, expected, `${text} ${JSON.stringify(format)}`);
  }
});

test('an amount is written with all its decimals, as Intl writes them', () => {
  const amounts = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(amounts, fc.nat(6), fc.constantFrom<',' | '.'>(',', '.'), (amount, decimals, decimal) => {
      const digits = String(amount).padStart(decimals + 1, '0');
      const exact = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
      const locale = decimal === ',' ? 'da-DK' : 'en-GB';
      const options = { minimumFractionDigits: decimals, useGrouping: true } as const;
      const grouped = new Intl.NumberFormat(locale, options).format(exact as Intl.StringNumericLiteral);
      const plain = new Intl.NumberFormat(locale, { ...options, useGrouping: false });
      assert.equal(formatUnsigned(amount, { decimals, decimal }), plain.format(exact as Intl.StringNumericLiteral));
      assert.deepEqual(parseUnsigned(grouped, { decimals, decimal }), { amount });
    }),
  );
});

test('a date is a day of the calendar, in the pattern alone', () => {
  const danish = createDateFormat('dd-MM-yyyy');
  assert.equal(danish?.parse('29-02-2024'), '2024-02-29');
  for (const text of ['29-02-2023', '31-04-2024', '1-2-2024', '01.02.2024', '01-13-2024', '00-01-2024', ' 01-02-2024'])
    assert.equal(danish?.parse(text), undefined, text);
  assert.equal(createDateFormat('ddMMyy')?.parse('311225'), '2025-12-31');
  assert.equal(createDateFormat('ddMMyy')?.format('1999-12-31'), undefined);
  for (const pattern of ['', 'yyyy', 'dd-MM-yyyy dd', 'd-M-yyyy', 'yyyy MM dd x'])
    assert.equal(createDateFormat(pattern), undefined);
  const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, fc.constantFrom('dd-MM-yyyy', 'yyyyMMdd', 'dd.MM.yy', 'MM/dd/yyyy'), (day, pattern) => {
      const date = day.toISOString().slice(0, 10);
      const format = createDateFormat(pattern);
      assert.equal(format?.parse(format.format(date) ?? ''), date);
    }),
  );
});

const document = (format: 'csv' | 'positions' | 'json-lines' | 'fixed-width') => {
  let next = 1;
  const from = (name: string, length: number) => {
    const start = next;
    next += length;
    if (format === 'fixed-width') return { start, length };
    return format === 'positions' ? { at: start } : name;
  };
  const width = format === 'positions' ? 2 : 40;
  return {
    name: 'round-trip',
    kind: 'charges',
    format: format === 'positions' ? 'csv' : format,
    header: format === 'csv',
    ...(format === 'csv' || format === 'positions' ? { separator: ';' } : {}),
    columns: [
      { from: from('Type', width), constant: 'L' },
      { field: 'name', from: from('Navn', width) },
      { field: 'trimmed', from: from('Andet', width), trim: true },
      { field: 'state', from: from('Status', width), map: { J: 'active', N: 'deleted', X: 'deleted' } },
      { field: 'date', from: from('Dato', width), date: 'dd-MM-yyyy' },
      { field: 'leading', from: from('Beløb', width), decimals: 2, decimal: ',' },
      { field: 'trailing', from: from('Rest', width), decimals: 3, decimal: '.', sign: { at: 'trailing' } },
      { field: 'implied', from: from('Øre', width), decimals: 2, decimal: 'implied' },
      {
        field: 'signed',
        from: from('Sum', width),
        decimals: 0,
        sign: { at: 'column', from: from('Fortegn', width), minus: 'K', plus: 'D' },
      },
      { field: 'phone', from: from('Telefon', width), phoneRegion: 'DK' },
      { field: 'source', constant: 'rent' },
    ],
  };
};

const amount = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });
const visible = fc.string({
  unit: fc.constantFrom('a', 'Æ', ' ', ';', '"', "'", '=', ',', '\u{1F600}'),
  minLength: 1,
  maxLength: 20,
});

const fieldsOf = (text: fc.Arbitrary<string>) =>
  fc.record(
    {
      name: text,
      trimmed: visible.map((each) => each.trim()).filter((each) => each !== ''),
      state: fc.constantFrom('active', 'deleted'),
      date: fc
        .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((day) => day.toISOString().slice(0, 10)),
      leading: amount,
      trailing: amount,
      implied: amount,
      signed: amount,
      phone: fc.integer({ min: 20_000_000, max: 99_999_999 }).map((digits) => `+45${digits}`),
    },
    { requiredKeys: [] },
  );

test('fields that are written are read back, in every format', async () => {
  for (const format of ['csv', 'positions', 'json-lines', 'fixed-width'] as const) {
    const profile = profileOf(document(format));
    const header = writeHeader(profile);
    const name =
      format === 'fixed-width'
        ? visible.map((each) => `${each}.`)
        : fc.oneof(
            visible,
            fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => !each.includes('\0')),
          );
    const check = async (record: object) => {
      const fields = new Map<string, string | bigint>(Object.entries(record));
      const written = writeWith(profile, fields);
      assert.ok('line' in written, JSON.stringify(written));
      const file = [...(header === null ? [] : [header]), written.line, ''].join('\r\n');
      const { rows } = await readTable(ReadableStream.from([Buffer.from(file)]), { profile });
      const [row, ...others] = await Array.fromAsync(rows);
      assert.deepEqual(others, []);
      assert.ok(row !== undefined && 'values' in row, JSON.stringify(row));
      const read = readWith(profile, row);
      assert.deepEqual(read.problems, [], file);
      assert.deepEqual(new Map(read.fields), new Map([...fields, ['source', 'rent']]));
    };
    await fc.assert(fc.asyncProperty(fieldsOf(name), check), { numRuns: 150 });
  }
});

test('what is written is what another reader of the format finds', () => {
  const fields = new Map<string, string | bigint>([
    ['name', 'Åse; "x"'],
    ['state', 'deleted'],
    ['date', '2026-02-01'],
    ['leading', -1_234_567n],
    ['trailing', -5n],
    ['implied', -120n],
    ['signed', -7n],
    ['phone', '+4520123456'],
  ]);
  const lineOf = (format: Parameters<typeof document>[0]): string => {
    const written = writeWith(profileOf(document(format)), fields);
    assert.ok('line' in written, JSON.stringify(written));
    return written.line;
  };
  const cells = ['L', 'Åse; "x"', '', 'N', '01-02-2026', '-12345,67', '0.005-', '-120', '7', 'K', '+4520123456'];
  assert.deepEqual(parse(lineOf('csv'), { delimiter: ';' }), [cells]);
  assert.deepEqual(
    (parse(lineOf('positions'), { delimiter: ';' })[0] as string[]).filter((_, index) => index % 2 === 0),
    cells,
  );
  assert.deepEqual(new Set(Object.values(JSON.parse(lineOf('json-lines')) as object)), new Set(cells));
  const wide = lineOf('fixed-width');
  const width = 40;
  assert.equal(wide.length, cells.length * width);
  const slices = cells.map((_, index) => wide.slice(index * width, (index + 1) * width));
  assert.equal(slices[7], `-${'120'.padStart(width - 1, '0')}`);
  assert.equal(slices[5], '-12345,67'.padStart(width));
  assert.deepEqual(
    slices.with(7, '-120').map((slice) => slice.trim()),
    cells,
  );
});

test('what a row has wrong is told for each field, and the other fields are read', () => {
  const profile = profileOf(document('csv'));
  const row = new Map(
    Object.entries({
      Type: 'L',
      Navn: 'Ib',
      Andet: ' x ',
      Status: 'toString',
      Dato: '31-02-2026',
      Beløb: '12,345',
      Rest: '1-',
      Øre: '1',
      Sum: '1',
      Fortegn: '?',
      Telefon: 'x',
    }),
  );
  const { fields, problems } = readWith(profile, { line: 2, values: row });
  assert.deepEqual(
    [...fields],
    [
      ['name', 'Ib'],
      ['trimmed', 'x'],
      ['trailing', -1000n],
      ['implied', 1n],
      ['source', 'rent'],
    ],
  );
  assert.deepEqual(
    problems.map(({ field, code }) => `${field} ${code}`),
    ['state unknown-text', 'date not-a-date', 'leading not-an-amount', 'signed not-a-sign', 'phone not-a-phone'],
  );
  const missing = readWith(profile, { line: 2, values: new Map([['Type', 'M']]) });
  assert.deepEqual(
    missing.problems.slice(0, 2).map(({ code }) => code),
    ['constant-differs', 'column-missing'],
  );
});

test('what a line cannot hold is not written', () => {
  const codesOf = (format: Parameters<typeof document>[0], fields: Record<string, string | bigint>): string[] => {
    const written = writeWith(profileOf(document(format)), new Map(Object.entries(fields)));
    return 'problems' in written ? written.problems.map(({ field, code }) => `${field} ${code}`) : [];
  };
  assert.deepEqual(codesOf('csv', { name: 'a\0' }), ['name not-writable']);
  assert.deepEqual(codesOf('csv', { name: '\uD800' }), ['name not-writable']);
  assert.deepEqual(codesOf('fixed-width', { name: 'a\nb' }), ['name not-writable']);
  assert.deepEqual(codesOf('fixed-width', { name: 'a ' }), ['name not-writable']);
  assert.deepEqual(codesOf('fixed-width', { name: 'x'.repeat(41) }), ['name too-long']);
  assert.deepEqual(codesOf('csv', { name: 1n }), ['name not-a-text']);
  assert.deepEqual(codesOf('csv', { leading: '1' }), ['leading not-an-amount']);
  assert.deepEqual(codesOf('csv', { date: '2026-02-30' }), ['date not-a-date']);
  assert.deepEqual(codesOf('csv', { state: 'x' }), ['state unknown-text']);
  assert.deepEqual(codesOf('csv', { source: 'x' }), ['source constant-differs']);
});
