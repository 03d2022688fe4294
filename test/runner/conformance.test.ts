// The ids in the names of tests: what is read out of a source, and what a run is held to. The names here are put together
// from parts, as a name that stands literally in a test file counts as a promise of this project.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftOutByQuick } from '../support/programs.ts';
import { parseClaims, parseRuleIds, checkClaims, parsePromises, renderDocument } from './conformance.ts';
import type { TestOutcome } from './run-files.ts';

const named = (ids: string, text: string) => `[${ids}] ${text}`;
const promised = (id: string) => ({ id, promise: 'it holds', file: 'a.test.ts' });
const passing = (ids: string): TestOutcome => ({
  name: named(ids, 'it holds'),
  file: 'a.test.ts',
  isSuite: false,
  passed: true,
  skipped: false,
});
const failing = (ids: string): TestOutcome => ({ ...passing(ids), passed: false });
const skipped = (ids: string, reason = 'some day'): TestOutcome => ({ ...failing(ids), skipped: true, reason });
const skippedSuite = (file: string, reason: string): TestOutcome => ({
  ...skipped('', reason),
  name: 'mariadb',
  file,
  isSuite: true,
});
const wanting = 'needs xls2csv (package catdoc)';

test('ids stand in front of a name, in brackets', () => {
  assert.deepEqual(parseRuleIds(named('account.12', 'it holds')), ['account.12']);
  assert.deepEqual(parseRuleIds(named('account.12, kid.103', 'it holds')), ['account.12', 'kid.103']);
  for (const name of ['it holds', 'it [account.12] holds', '[account.12]it holds', named('account.1', 'it holds')]) {
    assert.deepEqual(parseRuleIds(name), []);
  }
});

test('promises are read from string and template literals, without the mark of an engine', () => {
  const source = [
    `test('${named('account.12', String.raw`a bank\'s day (whole)`)}', async () => {});`,
    `  await t.test(\n    "${named('account.13, account.14', 'it holds')}",`,
    `test(\`${named('kid.01', 'a ${kind} has one spelling (${engine})')}\`, f);`,
    `test('${named('kid.02', 'it holds (mariadb)')}', f); test('no ids', f);`,
  ].join('\n');
  assert.deepEqual(
    parsePromises(source, 'a.test.ts').map(({ id, promise }) => [id, promise]),
    [
      ['account.12', `a bank's day (whole)`],
      ['account.13', 'it holds'],
      ['account.14', 'it holds'],
      ['kid.01', 'a … has one spelling'],
      ['kid.02', 'it holds'],
    ],
  );
});

test('the document lists each promise once, in natural order', () => {
  const rows = renderDocument(['kid.01', 'account.100', 'account.12', 'account.12'].map(promised))
    .split('\n')
    .slice(7, -1);
  assert.deepEqual(
    rows,
    ['account.12', 'account.100', 'kid.01'].map((id) => `| ${id} | it holds | a.test.ts |`),
  );
});

test('claims are the lines without comments', () => {
  assert.deepEqual(parseClaims('# all\n\naccount.12\n kid.01 # why\n'), ['account.12', 'kid.01']);
});

test('a claim is proven by a test that passed on one engine and was skipped on the other', () => {
  const outcomes = [passing('kid.01'), skipped('kid.01', wanting)];
  assert.deepEqual(checkClaims(['kid.01'], [promised('kid.01')], outcomes), { problems: [], unproven: [] });
});

for (const [what, outcome, reason] of [
  ['its test', skipped('kid.01', wanting), wanting],
  ['a suite of its file', skippedSuite('a.test.ts', wanting), wanting],
  ['a suite of its file, in a quick run', skippedSuite('a.test.ts', leftOutByQuick), leftOutByQuick],
] as const)
  test(`a claim is unproven, and no problem, where ${what} was skipped for want of something`, () => {
    assert.deepEqual(checkClaims(['kid.01'], [promised('kid.01')], [outcome]), {
      problems: [],
      unproven: [{ id: 'kid.01', reasons: [reason] }],
    });
  });

for (const [what, claims, written, outcomes, problem] of [
  ['a claim without a test', ['kid.01'], [], [], /no test that carries it ran and passed/],
  ['a claim whose test was skipped', ['kid.01'], ['kid.01'], [skipped('kid.01')], /no test .* ran and passed/],
  [
    'a claim whose test did not run, whatever else was skipped',
    ['kid.01'],
    ['kid.01'],
    [skipped('', wanting), skippedSuite('b.test.ts', wanting)],
    /no test .* ran and passed/,
  ],
  ['a claim whose test did not run', ['kid.01'], ['kid.01'], [], /no test .* ran and passed/],
  ['a test that failed on one engine', ['kid.01'], ['kid.01'], [passing('kid.01'), failing('kid.01')], /failed/],
  ['a test of a rule that is not claimed', [], ['kid.01'], [passing('kid.01')], /not listed/],
  ['an id that is written but did not run', [], ['kid.01'], [], /not listed/],
  ['an id that is made at run time', ['kid.01'], [], [passing('kid.01')], /stands in no source/],
  ['malformed ids', [], [], [passing('kid.1')], /malformed ids/],
  ['a claim listed twice', ['kid.01', 'kid.01'], ['kid.01'], [passing('kid.01')], /twice/],
] as const) {
  test(`the run fails on ${what}`, () => {
    const { problems } = checkClaims(claims, written.map(promised), outcomes);
    assert.equal(problems.length, 1);
    assert.match(String(problems[0]), problem);
  });
}
