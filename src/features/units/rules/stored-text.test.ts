// Checks which values a setting accepts, how they are stored, and how they are read back: by table, and against an
// oracle that computes with digits where the rules compute with integers.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int64Max, int64Min, parseExactJson } from '../../../lib/values/int64.ts';
import { allDefinitions } from '../catalogue/type-catalogue.ts';
import { setting, type ValueConstraints, type ValueType } from '../catalogue/value-definition.ts';
import { formatStoredText, parseStoredText } from './stored-text.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const createDefinition = (valueType: ValueType, constraints: ValueConstraints & { fallback?: string } = {}) =>
  setting('Operation', 'Tried', valueType, constraints);

/** The stored text of a JSON text; `!` and the reason if it is refused. */
const formatOrNull = (definition: ReturnType<typeof createDefinition>, json: string): string | null => {
  const result = formatStoredText(definition, parseExactJson(json));
  return 'text' in result ? result.text : `!${result.reason}`;
};

type StoredTextCase = readonly [definition: ReturnType<typeof createDefinition>, json: string, expected: string | null];

const assertStoredTexts = (rows: readonly StoredTextCase[]): void => {
  for (const [definition, json, expected] of rows)
    assert.equal(formatOrNull(definition, json), expected, `${json} as ${JSON.stringify(definition)}`);
};

test('[settings.13] integers have 64 bits and are exact, and nothing else is an integer', () => {
  for (const type of ['int', 'duration', 'money'] as const) {
    assertStoredTexts([
      [createDefinition(type), '0', '0'],
      [createDefinition(type), '-0', '0'],
      [createDefinition(type), '-7', '-7'],
      [createDefinition(type), '1.0', '1'],
      [createDefinition(type), '1e3', '1000'],
      [createDefinition(type), '9007199254740991', '9007199254740991'],
      [createDefinition(type), '9007199254740993', '9007199254740993'],
      [createDefinition(type), '9007199254740993.0', '9007199254740993'],
      [createDefinition(type), String(int64Max), String(int64Max)],
      [createDefinition(type), String(int64Min), String(int64Min)],
      [createDefinition(type), '"0"', '0'],
      [createDefinition(type), '"-7"', '-7'],
      [createDefinition(type), '"9007199254740993"', '9007199254740993'],
      [createDefinition(type), JSON.stringify(String(int64Max)), String(int64Max)],
      [createDefinition(type), JSON.stringify(String(int64Min)), String(int64Min)],
    ]);
    const no = '!must be a 64-bit integer';
    for (const json of [
      '1.5',
      '1e19',
      '9223372036854775808',
      '60.00000000000000000001',
      ...['', '007', '1e3', ' 1', '1 ', '+1', '-0', '1.0', '0x1', '1n', '１', '1\n', '1,000'].map((text) =>
        JSON.stringify(text),
      ),
      '"9223372036854775808"',
      '"-9223372036854775809"',
      'true',
      '[]',
      '[1]',
      '{}',
      '1e999',
    ])
      assertStoredTexts([[createDefinition(type), json, no]]);
  }
});

test('[settings.13] numbers are compared with their bounds and steps without rounding', () => {
  const tenths = createDefinition('decimal', { min: 0.1, max: 3, step: 0.1 });
  const halves = createDefinition('decimal', { min: -40, max: 110, step: 0.5 });
  const thousandths = createDefinition('decimal', { step: 0.001 });
  const fives = createDefinition('int', { min: 3, max: 28, step: 5 });
  assertStoredTexts([
    [tenths, '0.1', '0.1'],
    [tenths, '0.3', '0.3'],
    [tenths, '0.30000000000000004', '!must have at most 1 decimal'],
    [tenths, '0.7', '0.7'],
    [tenths, '1.1', '1.1'],
    [tenths, '3', '3.0'],
    [tenths, '3.1', '!must be at most 3'],
    [tenths, '0', '!must be at least 0.1'],
    [tenths, '0.15', '!must have at most 1 decimal'],
    [halves, '-0.5', '-0.5'],
    [halves, '-40', '-40.0'],
    [halves, '0.1', '!must be -40 plus a multiple of 0.5'],
    [thousandths, '1e-3', '0.001'],
    [thousandths, '-1e-3', '-0.001'],
    [thousandths, '1e-7', '!must have at most 3 decimals'],
    [thousandths, '1e21', '!must be at most 9223372036854775.807'],
    [thousandths, '-1e21', '!must be at least -9223372036854775.808'],
    [thousandths, '123456.789', '123456.789'],
    [thousandths, '-0', '0.000'],
    [thousandths, '"1"', '!must be a number'],
    [thousandths, 'null', null],
    [thousandths, '1e999', '!must be a number'],
    [fives, '3', '3'],
    [fives, '28', '28'],
    [fives, '5', '!must be 3 plus a multiple of 5'],
    [fives, '2', '!must be at least 3'],
    [fives, '33', '!must be at most 28'],
    [createDefinition('int', { step: 10 }), '20', '20'],
    [createDefinition('int', { step: 10 }), '-20', '-20'],
    [createDefinition('int', { step: 10 }), '25', '!must be a multiple of 10'],
  ]);
});

test('[settings.13] booleans, options and times have one spelling', () => {
  const option = createDefinition('enum', { options: ['Damp', 'Iron'] });
  const until = createDefinition('time', { max: '24:00' });
  const morning = createDefinition('time', { min: '06:00', max: '12:00' });
  assertStoredTexts([
    [createDefinition('bool'), 'true', 'true'],
    [createDefinition('bool'), 'false', 'false'],
    [createDefinition('bool'), '"true"', '!must be true or false'],
    [createDefinition('bool'), '1', '!must be true or false'],
    [option, '"Iron"', 'Iron'],
    [option, '"iron"', '!must be one of Damp, Iron'],
    [option, '""', '!must be one of Damp, Iron'],
    [option, '0', '!must be one of Damp, Iron'],
    [createDefinition('time'), '"00:00"', '00:00'],
    [createDefinition('time'), '"23:59"', '23:59'],
    [createDefinition('time'), '"24:00"', '!must be from 00:00 to 23:59'],
    [until, '"24:00"', '24:00'],
    [until, '"24:01"', '!must be a time of day, HH:MM'],
    [morning, '"05:59"', '!must be from 06:00 to 12:00'],
    [morning, '"06:00"', '06:00'],
    ...['"7:00"', '"07:60"', '"25:00"', '"07:00:00"', '"07:00 "', '"٠٧:٠٠"', '420', 'true'].map(
      (json) => [createDefinition('time'), json, '!must be a time of day, HH:MM'] as const,
    ),
  ]);
});

test('[settings.13] texts are well-formed, without control characters, counted in code points, and match as a whole', () => {
  const short = createDefinition('text', { maxLength: 3 });
  const code = createDefinition('text', { maxLength: 10, pattern: 'a|bb' });
  assertStoredTexts([
    [short, '""', ''],
    [short, '"æøå"', 'æøå'],
    [short, '"🧺🧺🧺"', '🧺🧺🧺'],
    [short, '"🧺🧺🧺🧺"', '!must have at most 3 characters'],
    [short, '"abcd"', '!must have at most 3 characters'],
    [short, '"\\ud83e"', '!must be well-formed Unicode'],
    [short, '"a\\n"', '!must have no control characters'],
    [short, '"\\u0000"', '!must have no control characters'],
    [short, '"\\u0085"', '!must have no control characters'],
    [short, '1', '!must be a string'],
    [short, '["a"]', '!must be a string'],
    [code, '"a"', 'a'],
    [code, '"bb"', 'bb'],
    [code, '"ab"', '!must match the pattern a|bb'],
    [code, '"abb"', '!must match the pattern a|bb'],
  ]);
});

test('[settings.13] null is valid exactly if there is no default', () => {
  for (const definition of allDefinitions) {
    const result = formatStoredText(definition, null);
    assert.deepEqual(
      result,
      definition.fallback === undefined ? { text: null } : { reason: 'must not be null', code: 'required' },
      definition.name,
    );
  }
});

/** A number as text, its digits padded so that texts of the same scale compare as the numbers do. */
const padded = (text: string, decimals: number): string => {
  const [whole = '', fraction = ''] = text.split('.');
  return whole.padStart(24, '0') + fraction.padEnd(decimals, '0');
};

test('[settings.13] decimals: an oracle over texts of digits agrees on bounds, steps and spelling', () => {
  const decimals = fc.integer({ min: 0, max: 4 });
  const cases = fc.record({
    decimals,
    stepUnits: fc.integer({ min: 1, max: 30 }),
    minUnits: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
    spanUnits: fc.integer({ min: 0, max: 5000 }),
    steps: fc.integer({ min: -2, max: 40 }),
    offGrid: fc.constantFrom(0, 0, 0, 1),
    more: fc.constantFrom(0, 0, 0, 1, 2),
  });
  /** Puts the point into a number of units by cutting its digits. */
  const pointed = (units: number, places: number): string => {
    if (places === 0) return String(units);
    const digits = String(units).padStart(places + 1, '0');
    return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  };
  let accepted = 0;
  fc.assert(
    fc.property(cases, ({ decimals: places, stepUnits, minUnits, spanUnits, steps, offGrid, more }) => {
      const units = Math.max(0, (minUnits ?? 0) + steps * stepUnits) * 10 ** more + offGrid;
      const step = Number(pointed(stepUnits, places));
      // Only the step decides the number of decimals.
      const shown = String(step).split('.')[1]?.length ?? 0;
      if (shown !== places) return;
      const [from, to] = [pointed(minUnits ?? 0, places), pointed((minUnits ?? 0) + spanUnits, places)];
      const least = minUnits === undefined ? {} : { min: Number(from) };
      const definition = createDefinition('decimal', { step, max: Number(to), ...least });
      const text = pointed(units, places + more);
      const exact = more === 0 || /^0*$/.test(text.slice(-more));
      const cut = exact ? text.slice(0, text.length - more).replace(/\.$/, '') : text;
      const scale = places + more;
      const fits =
        exact &&
        padded(text, scale) >= padded(from, scale) &&
        padded(text, scale) <= padded(to, scale) &&
        (Number(cut.replace('.', '')) - (minUnits ?? 0)) % stepUnits === 0;
      const result = formatStoredText(definition, Number(text));
      assert.deepEqual(
        'text' in result ? result.text : undefined,
        fits ? cut : undefined,
        `${text} ${JSON.stringify(definition.constraints)}`,
      );
      if (fits) accepted += 1;
    }),
    { numRuns: 5000 },
  );
  assert.ok(accepted > 500, `${accepted} were accepted`);
});

test('a valid value is read back unchanged, for every setting of the catalogue', () => {
  const values = fc.oneof(
    fc.integer(),
    fc.integer({ min: -1000, max: 1000 }).map((tenths) => tenths / 10),
    fc.double(),
    fc.boolean(),
    fc.string({ unit: codePoint }),
    fc.tuple(fc.nat(25), fc.nat(60)).map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`),
    fc.constantFrom(...allDefinitions.flatMap(({ constraints }) => constraints.options ?? [])),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.constantFrom(...allDefinitions), values, (definition, value) => {
      const result = formatStoredText(definition, value);
      if (!('text' in result)) return;
      const read = parseStoredText(definition, result.text);
      assert.deepEqual(read, Object.is(value, -0) ? 0 : value);
      assert.deepEqual(formatStoredText(definition, read), result);
    }),
    { numRuns: 5000 },
  );
});

test('a text that an older version stored is returned as far as its type allows', () => {
  const read = (valueType: ValueType, text: string): unknown => parseStoredText({ valueType }, text);
  for (const type of ['int', 'duration', 'money'] as const) {
    assert.equal(read(type, '-12'), -12);
    assert.equal(JSON.stringify(read(type, String(int64Max))), String(int64Max));
    for (const bad of ['', 'x', '1.5', '01', '+1', ' 1', '9223372036854775808', '1e3', '0x10'])
      assert.equal(read(type, bad), null, bad);
  }
  assert.equal(read('decimal', '-1.50'), -1.5);
  assert.equal(read('decimal', '7'), 7);
  for (const bad of ['', '1.', '.5', '1e3', 'NaN', 'Infinity', '1,5']) assert.equal(read('decimal', bad), null, bad);
  assert.deepEqual(
    ['true', 'false', 'yes', ''].map((text) => read('bool', text)),
    [true, false, null, null],
  );
  for (const type of ['text', 'enum', 'time'] as const) assert.equal(read(type, 'Anything'), 'Anything');
  for (const { valueType } of allDefinitions) assert.equal(parseStoredText({ valueType }, null), null);
});
