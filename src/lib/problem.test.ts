// The catalogue of problems consists of groups, and each code is in one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problems } from './problem.ts';
import { problemGroups } from './problems-by-status.ts';

test('no group of problems replaces a code of another one', () => {
  assert.deepEqual(
    Object.keys(problems),
    Object.values(problemGroups).flatMap((group) => Object.keys(group)),
  );
});
