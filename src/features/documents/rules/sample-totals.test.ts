// Tests the limits of the samples of a document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/problem.ts';
import { documentLimits } from './document-limits.ts';
import { checkSampleTotals, type SampleTotals } from './sample-totals.ts';

const atLimits: SampleTotals = {
  samples: documentLimits.samples,
  longestValue: documentLimits.valueCharacters,
  characters: documentLimits.characters,
};

test('samples at every limit are accepted, and one more of anything is refused', () => {
  checkSampleTotals(atLimits);
  for (const [name, expected] of [
    ['samples', 'more than 50000 samples'],
    ['longestValue', 'a value of more than 16384 characters'],
    ['characters', 'more than 8000000 characters'],
  ] as const)
    assert.throws(
      () => checkSampleTotals({ ...atLimits, [name]: atLimits[name] + 1 }),
      (error) => error instanceof Problem && error.code === 'document-too-large' && error.message.includes(expected),
    );
});
