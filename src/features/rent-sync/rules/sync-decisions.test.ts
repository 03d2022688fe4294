// What is done with a file of a synchronised folder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncomingFiles } from './sync-config.ts';
import { decideNextStep, judgeEnd, judgePlan, type EarlierImport } from './sync-decisions.ts';

const now = 10_000_000;
const earlier = (importId: number, changes: Partial<EarlierImport>): EarlierImport => ({
  importId,
  state: 'planned',
  missing: 'keep',
  staleRows: 0,
  isOfOperator: true,
  changedAt: now - 1000,
  isFollowed: false,
  isOutdated: false,
  ...changes,
});

test('[sync.03] the same bytes are planned once, unless other files came in between: what was applied, is being applied or was planned is found', () => {
  const cases: [imports: EarlierImport[], expected: object][] = [
    [[], { step: 'plan' }],
    [[earlier(1, { state: 'applied' })], { step: 'applied-before', importId: 1 }],
    [[earlier(2, {}), earlier(1, { state: 'applied' })], { step: 'applied-before', importId: 1 }],
    [[earlier(2, { state: 'applied' }), earlier(1, { state: 'applying' })], { step: 'go-on', importId: 1 }],
    [[earlier(1, { state: 'applied', staleRows: 1 })], { step: 'plan' }],
    [[earlier(1, { state: 'applied', isFollowed: true })], { step: 'plan' }],
    [[earlier(1, { state: 'applied', isOutdated: true })], { step: 'plan' }],
    [
      [earlier(3, { state: 'applied' }), earlier(1, { state: 'applied', isFollowed: true })],
      { step: 'applied-before', importId: 3 },
    ],
    [[earlier(3, {}), earlier(1, { state: 'applied', isFollowed: true })], { step: 'approve', importId: 3 }],
    [[earlier(1, {})], { step: 'approve', importId: 1 }],
    [[earlier(1, { isOfOperator: false })], { step: 'plan' }],
    [[earlier(1, { missing: 'deactivate' })], { step: 'plan' }],
    [[earlier(1, { changedAt: now - 3_600_000 })], { step: 'plan' }],
    [[earlier(1, { state: 'undoing' })], { step: 'wait', importId: 1 }],
    [
      [earlier(3, { state: 'undone' }), earlier(2, { state: 'failed' }), earlier(1, { state: 'cancelled' })],
      { step: 'plan' },
    ],
  ];
  for (const [imports, expected] of cases)
    assert.deepEqual(decideNextStep(imports, { missing: 'keep' }, now), expected, JSON.stringify(imports));
});

const incoming: IncomingFiles = {
  pattern: '*',
  kind: 'residents',
  bankId: 1,
  profile: undefined,
  missing: 'keep',
  allowPartial: false,
  maxMissing: undefined,
  maxChanges: undefined,
};
const none = { create: 0, update: 0, unchanged: 0, missing: 0, refused: 0 };
const full = { missing: 'deactivate' } as const;

test('[sync.05] a plan is applied only within its guards', () => {
  const cases: [counts: object, entry: object, keyless: number, expected: string][] = [
    [{ create: 2 }, {}, 0, 'apply undefined'],
    [{}, {}, 0, 'unchanged'],
    [{ unchanged: 3 }, {}, 0, 'unchanged'],
    [{}, full, 0, 'no-rows'],
    [{ missing: 3 }, full, 0, 'no-rows'],
    [{ create: 1, refused: 1 }, {}, 0, 'rows-refused'],
    [{ create: 1, refused: 1 }, { allowPartial: true }, 0, 'apply undefined'],
    [{ refused: 1, unchanged: 4 }, { allowPartial: true }, 0, 'rows-refused'],
    [{ unchanged: 9, missing: 1, refused: 1 }, { ...full, allowPartial: true }, 1, 'keyless-rows'],
    [{ unchanged: 9, missing: 1, refused: 1 }, { ...full, allowPartial: true }, 0, 'apply undefined'],
    [{ unchanged: 9, missing: 3 }, full, 0, 'apply undefined'],
    [{ unchanged: 9, missing: 3 }, { ...full, maxMissing: 3 }, 0, 'apply 3'],
    [{ unchanged: 9, missing: 4 }, { ...full, maxMissing: 3 }, 0, 'too-many-missing'],
    [{ create: 2, update: 2, missing: 1 }, { ...full, maxMissing: 9, maxChanges: 5 }, 0, 'apply 1'],
    [{ create: 2, update: 2, missing: 2 }, { ...full, maxMissing: 9, maxChanges: 5 }, 0, 'too-many-changes'],
  ];
  for (const [counts, entry, keyless, expected] of cases) {
    const planned = { state: 'planned', counts: { ...none, ...counts }, failure: null } as const;
    const verdict = judgePlan(planned, { ...incoming, ...entry }, keyless);
    const said =
      verdict.verdict === 'failed'
        ? verdict.reason.code
        : verdict.verdict === 'apply'
          ? `apply ${verdict.expectedMissing}`
          : verdict.verdict;
    assert.equal(said, expected, JSON.stringify([counts, entry]));
  }
});

test('a file that could not be read fails with its line', () => {
  const failure = { code: 'repeated-column', text: 'Two columns have one name.', line: 1 };
  assert.deepEqual(judgePlan({ state: 'failed', counts: none, failure }, incoming, 0), {
    verdict: 'failed',
    reason: { code: 'repeated-column', text: 'Line 1: Two columns have one name.' },
  });
  assert.deepEqual(judgePlan({ state: 'cancelled', counts: none, failure: null }, incoming, 0), {
    verdict: 'failed',
    reason: { code: 'cancelled', text: 'The import is cancelled.' },
  });
});

test('rows whose objects have changed meanwhile are planned again, three times at most', () => {
  const outcomes = { applied: 1, stale: 0, failed: 0, undone: 0, kept: 0 };
  const stale = { ...outcomes, stale: 1 };
  const failure = { code: 'rows-refused', text: '1 rows could not be applied: none was.', line: 0 };
  assert.deepEqual(judgeEnd({ state: 'applied', outcomes, failure: null }, 1), { verdict: 'applied' });
  assert.deepEqual(judgeEnd({ state: 'applied', outcomes: stale, failure: null }, 2), { verdict: 'plan-again' });
  assert.deepEqual(judgeEnd({ state: 'applied', outcomes: stale, failure: null }, 3), { verdict: 'applied' });
  assert.deepEqual(judgeEnd({ state: 'failed', outcomes: stale, failure }, 1), { verdict: 'plan-again' });
  assert.equal(judgeEnd({ state: 'failed', outcomes: stale, failure }, 3).verdict, 'failed');
  assert.equal(judgeEnd({ state: 'failed', outcomes, failure }, 1).verdict, 'failed');
  assert.equal(judgeEnd({ state: 'cancelled', outcomes: stale, failure: null }, 1).verdict, 'failed');
});
