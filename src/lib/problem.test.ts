// The catalogue of problems consists of groups, and each code is in one of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problems } from './problem.ts';
import { accessProblems } from './problems/access.ts';
import { invalidRequestProblems } from './problems/invalid-requests.ts';
import { limitAndFailureProblems } from './problems/limits-and-failures.ts';
import { refusalProblems } from './problems/refusals.ts';
import { targetProblems } from './problems/targets.ts';

test('no group of problems replaces a code of another one', () => {
  const groups = [invalidRequestProblems, accessProblems, targetProblems, refusalProblems, limitAndFailureProblems];
  assert.deepEqual(
    Object.keys(problems),
    groups.flatMap((group) => Object.keys(group)),
  );
});
