// Tests how the values and times of a row of postings are parsed.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseImportTime, resolveImportTime, spellLike } from '../../rules/import-time.ts';
import type { ImportTarget, RowValues } from '../../import-kind.ts';
import { createRowParser } from '../../rules/parse-fields.ts';
import { combinePosting, postingFields } from './posting-fields.ts';

const parseFields = createRowParser(postingFields);
const parsePostingRow = (given: RowValues) => combinePosting(parseFields(given, {} as ImportTarget));

const valid = { at: '2026-01-31T07:15:00Z', kind: 'Consumption', amount: '-1250' };

describe('a row of postings', () => {
  test('has each value in its one spelling', () => {
    const { values, errors } = parsePostingRow({
      at: '2026-01-31T08:15+01:00',
      kind: 'consumption',
      paymentKind: '',
      amount: '-9223372036854775808',
      currency: 'dkk',
      anonymous: 'False',
      text: ' as it is ',
    });
    assert.deepEqual(errors, []);
    assert.deepEqual(values, {
      at: '2026-01-31T07:15:00.000Z',
      kind: 'Consumption',
      paymentKind: '',
      amount: '-9223372036854775808',
      currency: 'DKK',
      anonymous: '',
      text: ' as it is ',
    });
  });

  for (const [name, change, expected] of [
    [
      'needs time, kind and amount',
      { at: '', kind: '', amount: '' },
      ['at required', 'kind required', 'amount required'],
    ],
    ['has a time', { at: '31.1.2026' }, ['at invalid']],
    ['has a day that there is', { at: '2026-02-30 08:00' }, ['at invalid']],
    ['has a known kind', { kind: 'Gift' }, ['kind invalid']],
    ['has an amount of 64 bits', { amount: '-9223372036854775809' }, ['amount invalid']],
    ['has whole minor units', { amount: '-1.5' }, ['amount invalid']],
    ['has a currency of ISO 4217', { currency: 'DKR' }, ['currency invalid']],
    ['has no control characters', { text: 'a\nb' }, ['text invalid']],
    ['has at most 500 characters of text', { text: 'x'.repeat(501) }, ['text invalid']],
    ['has no tax against the amount', { vat: '250' }, ['vat invalid']],
    ['has no more tax than amount', { vat: '-1251' }, ['vat invalid']],
    ['does not give for consumption', { amount: '1' }, ['amount invalid']],
    ['does not take for a payment', { kind: 'Payment', amount: '-1' }, ['amount invalid']],
    ['is reversal or refund', { amount: '1', reverses: 'a', refunds: 'b' }, ['refunds invalid']],
    ['is anonymous or of a resident', { anonymous: 'true', resident: 'r' }, ['resident invalid']],
  ] as const)
    test(name, () => {
      const { errors } = parsePostingRow({ ...valid, ...change });
      assert.deepEqual(
        errors.map(({ field, code }) => `${field} ${code}`),
        expected,
      );
    });
});

describe('a time of a row', () => {
  test('is an instant, or local without an offset', () => {
    assert.equal(parseImportTime('2026-01-31 08:15:30.1239+01:00'), '2026-01-31T07:15:30.123Z');
    assert.equal(parseImportTime('2026-01-31 08:15'), '2026-01-31T08:15:00.000');
    assert.equal(parseImportTime('2026-01-31'), '2026-01-31T00:00:00.000');
    for (const text of ['2026-01-31T24:00', '2026-1-31', '8:15', '2026-01-31T08:60'])
      assert.equal(parseImportTime(text), undefined);
  });

  test('is the earlier one of two, and none that is skipped', () => {
    const zone = 'Europe/Copenhagen';
    assert.equal(
      resolveImportTime('2026-10-25T02:30:00.000', zone),
      resolveImportTime('2026-10-25T00:30:00.000Z', zone),
    );
    assert.equal(resolveImportTime('2026-03-29T02:30:00.000', zone), undefined);
  });

  test('is shown as the file has it if that is the same instant', () => {
    const at = resolveImportTime('2026-01-31T07:15:00.000Z', 'UTC') ?? 0;
    assert.equal(spellLike('2026-01-31T08:15:00.000', at, 'Europe/Copenhagen'), '2026-01-31T08:15:00.000');
    assert.equal(spellLike('2026-01-31T08:15:00.000', at, 'UTC'), '2026-01-31T07:15:00.000Z');
  });
});
