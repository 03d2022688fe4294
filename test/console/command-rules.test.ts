// What commands of the console decide themselves: numbers as people type them, two versions of the same fields, values of
// settings, and whether a write that failed may have been done.
import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOpeningTimes, parseOpeningTimes } from '../../console/src/locations/opening-times.ts';
import { fromField, toField } from '../../console/src/units/setting-value.ts';
import { addDays, dayOf, weekOf } from '../../console/src/times/today.ts';
import { parseDecimal, parseInteger, parseMinor, toTyped } from '../../console/src/command/exact-number.ts';
import { compareVersions, mergeVersions } from '../../console/src/command/merge-versions.ts';
import { isUncertain, newKey } from '../../console/src/command/outcome.ts';
import { toDecimal } from '../../console/src/language/formats.ts';
import { localeOf } from '../../console/src/language/languages.ts';
import { languages } from '../../src/lib/text/language.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const language = fc.constantFrom(...languages);

test('[console.06] an amount is typed to the last digit in every language', () => {
  fc.assert(
    fc.property(int64, fc.constantFrom(0, 2, 3, 6), language, (minor, digits, reader) => {
      const typed = toTyped(toDecimal(minor, digits), localeOf(reader));
      assert.equal(parseMinor(typed, digits), String(minor));
    }),
  );
});

test('a number may have spaces and one decimal mark, and nothing that could change it by a factor of a thousand', () => {
  for (const [text, number] of [
    ['12', '12'],
    ['-0', '0'],
    ['+7', '7'],
    ['007', '7'],
    ['1 250,50', '1250.5'],
    ['1\u00a0250.5', '1250.5'],
    ['−3,0', '-3'],
    ['1.250', '1.25'],
    ['', undefined],
    ['-', undefined],
    ['1.250,5', undefined],
    ['1,250,000', undefined],
    ['1e3', undefined],
    ['.5', undefined],
    ['12 °C', undefined],
  ] as const)
    assert.equal(parseDecimal(text), number, text);
  assert.equal(parseInteger('12,5'), undefined);
  assert.equal(parseInteger('12,0'), '12');
  assert.equal(parseMinor('12,345', 2), undefined);
  assert.equal(parseMinor('-0,5', 2), '-50');
});

const values = fc.record({ name: fc.constantFrom('a', 'b', 'c'), zip: fc.constantFrom('1', '2', '3') });

test('[console.21] what one manager has changed is kept, and what both have changed is chosen', () => {
  fc.assert(
    fc.property(values, values, values, fc.constantFrom('mine', 'theirs'), (base, mine, theirs, side) => {
      const versions = { base, mine, theirs };
      const differences = compareVersions(versions);
      const open = differences.filter(({ taken }) => taken === undefined);
      const merged = mergeVersions(versions, Object.fromEntries(open.map(({ name }) => [name, side])));
      for (const name of ['name', 'zip'] as const) {
        const changedByMe = mine[name] !== base[name];
        const changedByThem = theirs[name] !== base[name];
        const isOpen = changedByMe && changedByThem && mine[name] !== theirs[name];
        assert.equal(
          open.some((each) => each.name === name),
          isOpen,
        );
        const expected = isOpen ? { mine, theirs }[side][name] : changedByThem ? theirs[name] : mine[name];
        assert.equal(merged[name], expected);
      }
    }),
  );
});

const noConstraints = {
  min: null,
  max: null,
  step: null,
  maxLength: null,
  pattern: null,
  options: null,
  optionLabels: null,
};

test('the value of a setting comes back from its field as it was', () => {
  const described = (valueType: 'int' | 'decimal' | 'money' | 'text' | 'bool' | 'enum' | 'time' | 'duration') => ({
    valueType,
    unitOfMeasure: valueType === 'money' ? 'DKK' : null,
    constraints: noConstraints,
  });
  fc.assert(
    fc.property(int64, language, (value, reader) => {
      for (const type of ['int', 'duration', 'money'] as const)
        assert.equal(fromField(described(type), toField(described(type), value, localeOf(reader))), String(value));
    }),
  );
  for (const [type, value] of [
    ['decimal', 1.5],
    ['bool', true],
    ['bool', false],
    ['enum', 'Start'],
    ['time', '07:30'],
    ['text', 'Two words'],
    ['text', ''],
    ['int', null],
    ['money', null],
    ['bool', null],
  ] as const)
    assert.equal(fromField(described(type), toField(described(type), value, 'da')), value, `${type} ${value}`);
  const withPattern = { ...described('text'), constraints: { ...noConstraints, pattern: 'closed' } };
  assert.equal(fromField(withPattern, ''), null);
  assert.equal(fromField(described('int'), 'many'), undefined);
});

test('opening hours come back from their fields as they were', () => {
  for (const text of ['', 'closed', '07:00-22:00', '00:00-24:00', '07:00-12:00,13:00-02:00'])
    assert.equal(formatOpeningTimes(parseOpeningTimes(text)), text);
});

test('a week begins on Monday, and a day is that of its place', () => {
  assert.deepEqual(weekOf('2026-11-29'), [
    '2026-11-23',
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
  ]);
  assert.equal(weekOf('2026-11-30')[0], '2026-11-30');
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(dayOf('2026-07-01T22:30:00Z', 'Europe/Copenhagen'), '2026-07-02');
});

test('[console.20] a write without a certain answer may have been done; one that was refused was not', () => {
  for (const [status, code, expected] of [
    [0, 'unreachable', true],
    [0, 'unreadable', true],
    [500, 'internal-error', true],
    [502, '', true],
    [503, 'storage-outcome-unknown', true],
    [409, 'idempotency-in-progress', true],
    [409, 'setting-conflict', false],
    [400, 'invalid-setting', false],
    [403, 'forbidden', false],
    [429, 'too-many-requests', false],
  ] as const)
    assert.equal(isUncertain({ status, code }), expected, `${status} ${code}`);
  const keys = new Set(Array.from({ length: 100 }, newKey));
  assert.equal(keys.size, 100);
  for (const key of keys) assert.match(key, /^[\x21-\x7e]{1,128}$/);
});
