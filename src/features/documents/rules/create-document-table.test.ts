// Checks the table against a naive one that searches for every cell, its numbers against a list, and its limits.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  column,
  headOf,
  ms2000Of,
  samplesOf,
  type Sample,
} from '../../../../test/documents/support/sample-documents.ts';
import { Problem } from '../../../lib/problem.ts';
import { fromMs2000 } from '../../../lib/time/ms2000.ts';
import type { ValueType } from '../../units/catalogue/value-definition.ts';
import { createDocumentTable } from './create-document-table.ts';
import type { DocumentHead, DocumentSamples } from './document-table.ts';
import { codePoint } from '../../../../test/support/code-point.ts';
import { dayMs } from '../../../lib/time/durations.ts';

const start = ms2000Of('2026-01-15T13:00:00Z');

/** Cell by cell, from the specification: a sample is at its time and its column, and all other cells are empty. */
function naiveTexts({ columns }: DocumentHead, samples: readonly Sample[]): unknown[] {
  const times = [...new Set(samples.map(([ms2000]) => ms2000))].toSorted((a, b) => a - b);
  return times.map((ms2000) => ({
    ms2000,
    utc: new Date(fromMs2000(ms2000)).toISOString(),
    cells: columns.map((_, index) => {
      const found = samples.filter(([at, inColumn]) => at === ms2000 && inColumn === index);
      return found.length === 0 ? null : found[0]?.[2];
    }),
  }));
}

const anyText = fc.option(fc.oneof(fc.string({ unit: codePoint }), fc.constantFrom('', '0', '-1.50', 'true', 'x')));
const anySamples = (columns: number) =>
  fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(columns - 1), anyText), {
    selector: ([at, index]) => `${at} ${index}`,
    maxLength: 60,
  });

test('[documents.28, documents.29, documents.31] a cell contains the sample of its time and column, and no other', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }).chain((columns) => fc.tuple(fc.constant(columns), anySamples(columns))),
      ([count, offsets]) => {
        const head = headOf(Array.from({ length: count }, (_, index) => column(`C${index}`)));
        const samples = offsets.map(([at, index, text]): Sample => [start + at * 700, index, text]);
        const { rows } = createDocumentTable(head, samplesOf(samples));
        const texts = rows.map(({ cells, ...row }) => ({
          ...row,
          cells: cells.map((cell) => (cell === null ? null : cell.text)),
        }));
        assert.deepEqual(texts, naiveTexts(head, samples));
        // A stored null differs from no sample.
        const present = rows.flatMap(({ cells }) => cells.filter((cell) => cell !== null));
        assert.equal(present.length, samples.length);
        assert.equal(
          present.filter(({ text }) => text === null).length,
          samples.filter(([, , text]) => text === null).length,
        );
      },
    ),
  );
});

const valueOf = (valueType: ValueType, text: string, options: readonly string[] = []): number | null | undefined =>
  createDocumentTable(headOf([column('C', { valueType, options })]), samplesOf([[start, 0, text]])).rows[0]?.cells[0]
    ?.value;

test('[documents.30] a value is the finite double that the text spells', () => {
  const spelled: [text: string, value: number | null][] = [
    ['0', 0],
    ['-0', 0],
    ['12', 12],
    ['-3.50', -3.5],
    ['007', 7],
    ['+5', 5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['9007199254740993', 9_007_199_254_740_992],
    ['179769313486231570000e288', Number.MAX_VALUE],
    ['1e-999', 0],
    ['1e999', null],
    ['-1e309', null],
    ['NaN', null],
    ['Infinity', null],
    ['-Infinity', null],
    ['', null],
    [' 5', null],
    ['5 ', null],
    ['5\n', null],
    ['1,5', null],
    ['1 000', null],
    ['0x10', null],
    ['0b1', null],
    ['1_000', null],
    ['12 kWh', null],
    ['１２', null],
    ['.', null],
    ['-', null],
    ['e5', null],
    ['true', null],
  ];
  for (const type of ['int', 'decimal', 'duration', 'money'] as const)
    for (const [text, value] of spelled) assert.deepEqual([text, valueOf(type, text)], [text, value]);
});

test('[documents.30] the value of a boolean is 0 or 1, of an enum the index of its option, and of a text none', () => {
  const options = ['Off', 'On', '7'];
  const table: [type: ValueType, text: string, value: number | null][] = [
    ['bool', 'true', 1],
    ['bool', 'false', 0],
    ['bool', 'True', null],
    ['bool', '1', null],
    ['bool', '', null],
    ['enum', 'Off', 0],
    ['enum', 'On', 1],
    ['enum', '7', 2],
    ['enum', 'on', null],
    ['enum', '0', null],
    ['enum', 'constructor', null],
    ['text', '12', null],
    ['time', '07:00', null],
    ['time', '12', null],
  ];
  for (const [type, text, value] of table)
    assert.deepEqual([type, text, valueOf(type, text, options)], [type, text, value]);
});

test('[documents.30] whatever the text, the value is finite or null', () => {
  const numberLike = fc.stringMatching(/^[+-]?[0-9.eE+-]{0,12}$/);
  fc.assert(
    fc.property(fc.oneof(numberLike, fc.double().map(String), fc.string()), (text) => {
      const value = valueOf('decimal', text);
      assert.ok(value === null || Number.isFinite(value), `${text}: ${value}`);
      if (/^-?\d+(\.\d+)?$/.test(text)) assert.equal(value, Number.parseFloat(text) + 0);
    }),
  );
});

const columnsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => column(`C${index}`, { valueType: 'text' }));

/** Rows of samples, each in this many columns. */
const gridOf = (rows: number, columns: number): DocumentSamples =>
  samplesOf(
    Array.from({ length: rows * columns }, (_, index): Sample => [
      start + Math.floor(index / columns),
      index % columns,
      'x',
    ]),
  );

/** 500 texts of 16,000 characters are 8 million. */
const longTexts = (more: string): DocumentSamples =>
  samplesOf([
    ...Array.from({ length: 500 }, (_, index): Sample => [start + index, 0, 'y'.repeat(16_000)]),
    [start + 600, 0, more],
  ]);

/** A document at the limit is rendered; a larger one is refused. */
const limits: Readonly<Record<string, (isBeyond: boolean) => [DocumentHead, DocumentSamples]>> = {
  '31 days': (isBeyond) => [
    headOf(columnsOf(1), { throughMs2000: start + 31 * dayMs + Number(isBeyond) }),
    gridOf(2, 1),
  ],
  '128 columns': (isBeyond) => [headOf(columnsOf(128 + Number(isBeyond))), gridOf(2, 128)],
  '50,000 samples': (isBeyond) => [headOf(columnsOf(10)), gridOf(isBeyond ? 50_001 : 50_000, 1)],
  '500,000 cells': (isBeyond) => [headOf(columnsOf(20)), gridOf(25_000 + Number(isBeyond), 1)],
  '16,384 characters in a value': (isBeyond) => [
    headOf(columnsOf(1)),
    samplesOf([[start, 0, 'z'.repeat(16_384 + Number(isBeyond))]]),
  ],
  '8 million characters': (isBeyond) => [headOf(columnsOf(1)), longTexts(isBeyond ? 'y' : '')],
};

for (const [limit, create] of Object.entries(limits))
  test(`[documents.55, documents.56, documents.59] a document of ${limit} is created, a larger one is document-too-large`, () => {
    const [head, samples] = create(false);
    assert.equal(createDocumentTable(head, samples).rows.length, new Set(samples.ms2000).size);
    const [largerHead, largerSamples] = create(true);
    assert.throws(
      () => createDocumentTable(largerHead, largerSamples),
      (error) => error instanceof Problem && error.code === 'document-too-large' && error.status === 422,
    );
  });

test('samples out of order, without a column, or twice in one cell are errors', () => {
  const head = headOf(columnsOf(2));
  const at = [start, start + 1];
  for (const samples of [
    { ms2000: at.toReversed(), columns: [0, 0], texts: ['a', 'b'] },
    { ms2000: at, columns: [0, 2], texts: ['a', 'b'] },
    { ms2000: at, columns: [0, -1], texts: ['a', 'b'] },
    { ms2000: [start, start], columns: [1, 1], texts: ['a', 'b'] },
  ])
    assert.throws(() => createDocumentTable(head, samples), RangeError);
});

test('a document without samples, or without columns, has no rows', () => {
  assert.deepEqual(createDocumentTable(headOf(columnsOf(2)), samplesOf([])).rows, []);
  assert.deepEqual(createDocumentTable(headOf([]), samplesOf([])).rows, []);
});
