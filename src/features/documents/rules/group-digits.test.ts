// Checks the separators between thousands.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupDigits } from './group-digits.ts';

test('numbers of five or more digits have narrow spaces, and negative ones a true minus sign', () => {
  const table: [text: string, grouped: string][] = [
    ['0', '0'],
    ['1834.2', '1834.2'],
    ['-62.74', '−62.74'],
    ['48211.337', '48 211.337'],
    ['-1234567', '−1 234 567'],
    ['0.123456789', '0.123456789'],
    ['1e300', '1e300'],
    ['CoolDown', 'CoolDown'],
    ['', ''],
  ];
  for (const [text, grouped] of table) assert.equal(groupDigits(text).replaceAll('\u202F', ' '), grouped);
});

test('no digit is lost', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^-?\d{1,20}(\.\d{1,9})?$/), (text) => {
      const grouped = groupDigits(text);
      assert.equal(grouped.replaceAll('\u202F', '').replace('−', '-'), text);
      assert.ok(!grouped.includes(','));
    }),
  );
});
