// Tests that a list is divided into parts without a loss.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './parts.ts';

test('parts have every value once, in order, and none is longer than its size', () => {
  assert.deepEqual([...partsOf([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]]);
  assert.deepEqual([...partsOf([1, 2], 2)], [[1, 2]]);
  assert.deepEqual([...partsOf([], 2)], []);
});
