// Checks which PINs of residents are accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertParsed, assertStable } from '../../../../test/support/field-results.ts';
import { parsePin } from './pin.ts';

test('a PIN has 4 to 8 digits, or is removed', () => {
  assertParsed(parsePin, [
    ['', ''],
    ['4711', '4711'],
    ['90817263', '90817263'],
    ['1243', '1243'],
    ['1221', '1221'],
    ['12345679', '12345679'],
    ['123', undefined],
    ['123456789', undefined],
    ['12a4', undefined],
    [' 4711', undefined],
    ['4711\n', undefined],
    ['٤٧١١', undefined],
  ]);
});

test('four-digit PINs that everybody tries first are refused', () => {
  const refused: string[] = [];
  for (let number = 0; number < 10_000; number += 1) {
    const pin = String(number).padStart(4, '0');
    const [a = 0, b = 0, c = 0, d = 0] = Array.from(pin, Number);
    const steps = [b - a, c - b, d - c].join();
    // A row may end or begin at the zero after the nine.
    const isRow = ['1,1,1', '1,1,-9', '-1,-1,-1', '9,-1,-1'].includes(steps);
    const isRefused = 'reason' in parsePin(pin);
    assert.equal(isRefused, (a === c && b === d) || isRow, pin);
    if (isRefused) refused.push(pin);
  }
  assert.equal(refused.length, 116);
  for (const pin of ['0000', '1111', '1234', '4321', '1212', '7890', '0987']) assert.ok(refused.includes(pin), pin);
  for (const pin of ['00000000', '12345678', '121212', '12121', '87654321']) assert.ok('reason' in parsePin(pin), pin);
});

test('no text makes the rule throw, and an accepted PIN is accepted again unchanged', () => {
  assertStable(parsePin);
});
