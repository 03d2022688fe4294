// What holds for every kind of import, and what a kind makes of the table of its fields.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtInTenants } from '../../tenants.ts';
import { importKinds } from './import-kinds.ts';
import type { FieldTable, ImportTarget, RowValues } from './import-kind.ts';
import { answerEach, answersOf } from './rules/answers.ts';
import {
  createRowParser,
  listColumns,
  listDefaults,
  listFixedErrors,
  parseRowFields,
  writeValues,
} from './rules/parse-fields.ts';

const target = { tenant: builtInTenants.find(({ name }) => name === 'sund'), now: 0 } as ImportTarget;

for (const kind of Object.values(importKinds))
  test(`${kind.name} take the examples of their columns, and read their own spelling of them as the same`, () => {
    const examples = kind.columns.map(({ field, example, decimals }): [string, string] => [
      field,
      decimals === undefined ? example : example.replace('.', ''),
    ]);
    const { values, errors } = kind.parseRow(Object.fromEntries(examples), target);
    assert.deepEqual(errors, []);
    assert.deepEqual(kind.parseRow(values, target), { values, errors });
  });

type Machine = { readonly place: string; readonly price: number };

const fields: FieldTable<Machine> = {
  place: { description: 'Where it is.', example: 'a', isRequired: true, isFixed: true, write: ({ place }) => place },
  price: {
    description: 'What it costs.',
    example: '1',
    parse: (text) => (/^\d*$/.test(text) ? { value: text || '0' } : { reason: 'must be digits' }),
    write: ({ price }) => String(price),
  },
  note: { description: 'What there is to say.', example: '' },
};

const codesOf = ({ errors }: { readonly errors: readonly { readonly field: string; readonly code: string }[] }) =>
  errors.map(({ field, code }) => `${field} ${code}`);

describe('a table of fields', () => {
  test('has the columns in its order, the values of an object, and those of a new one', () => {
    assert.deepEqual(
      listColumns(fields).map(({ field }) => field),
      ['place', 'price', 'note'],
    );
    assert.deepEqual(writeValues(fields, { place: 'a', price: 2 }, target), { place: 'a', price: '2', note: '' });
    assert.deepEqual(listDefaults(fields, target), { place: '', price: '0', note: '' });
  });

  test('reads the fields that a row has, each in its one spelling, and says what is wrong with them', () => {
    const read = (given: RowValues) => parseRowFields(fields, given, target);
    assert.deepEqual(read({ note: ' as it is ', price: '' }), {
      values: { note: ' as it is ', price: '0' },
      errors: [],
    });
    assert.deepEqual(codesOf(read({ place: ' ', price: 'x' })), ['place required', 'price invalid']);
    assert.deepEqual(read({ price: 'x' }).values, { price: 'x' });
  });

  test('wants whole rows of what never changes, and leaves their empty cells empty', () => {
    const read = createRowParser(fields);
    assert.deepEqual(read({ place: 'a', price: '' }, target), { values: { price: '', place: 'a' }, errors: [] });
    const wrong = read({ price: 'x' }, target);
    assert.deepEqual([codesOf(wrong), wrong.values], [['place required', 'price invalid'], {}]);
  });

  test('keeps what its objects keep', () => {
    const stored = { place: 'a', price: '1' };
    assert.deepEqual(listFixedErrors(fields, { place: 'a', price: '2' }, stored), []);
    const changed = { place: 'b', price: '2' };
    assert.deepEqual(codesOf({ errors: listFixedErrors(fields, changed, stored) }), ['place cannot-change']);
    assert.equal(listFixedErrors(fields, changed, stored, ['price']).length, 2);
  });
});

test('a step is asked once for each row, in their order, and answers for rows that it got', () => {
  const asked: number[] = [];
  const answers = answerEach([3, 1, 2], (row) => asked.push(row));
  assert.deepEqual(
    [asked, [...answers]],
    [
      [3, 1, 2],
      [
        [3, 1],
        [1, 2],
        [2, 3],
      ],
    ],
  );
  assert.equal(answersOf(answers)(2), 3);
  assert.throws(() => answersOf(answers)(4), /no answer/);
});
