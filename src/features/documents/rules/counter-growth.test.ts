// How much counters grow, against sums of their steps.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { column, headOf, samplesOf, type Sample } from '../../../../test/documents/support/sample-documents.ts';
import { computeCounterGrowth } from './counter-growth.ts';
import { createDocumentTable } from './create-document-table.ts';

const head = headOf([column('Reading', { isCounter: true })]);

const growthOf = (texts: readonly (string | null)[], counted = head): string | undefined =>
  computeCounterGrowth(
    createDocumentTable(counted, samplesOf(texts.map((text, index): Sample => [head.fromMs2000 + index, 0, text]))),
  )[0]?.growth;

test('[documents.62] a counter has grown by the sum of its steps, exactly', () => {
  const thousandths = (count: bigint): string => `${count / 1000n}.${String(count % 1000n).padStart(3, '0')}`;
  fc.assert(
    fc.property(
      fc.bigInt(0n, 10n ** 12n),
      fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1, maxLength: 20 }),
      (start, steps) => {
        let reading = start;
        const texts = [start, ...steps.map((step) => (reading += step))].map(thousandths);
        assert.equal(growthOf(texts), thousandths(steps.reduce((sum, step) => sum + step, 0n)));
      },
    ),
  );
});

test('[documents.62] readings with fewer decimals, nulls and faults between them', () => {
  const table: [texts: (string | null)[], growth: string | undefined][] = [
    [['31634.6', null, '31952.306'], '317.706'],
    [['5', 'fault', '', '7'], '2'],
    [['5'], undefined],
    [['9', '10', '3'], undefined],
    [['5', '5.0'], '0.0'],
  ];
  for (const [texts, growth] of table) assert.equal(growthOf(texts), growth, String(texts));
});

test('[documents.62] only counters count, and no money', () => {
  assert.equal(growthOf(['1', '2'], headOf([column('Power')])), undefined);
  assert.equal(
    growthOf(['1', '2'], headOf([column('PaymentTotal', { isCounter: true, valueType: 'money' })])),
    undefined,
  );
});
