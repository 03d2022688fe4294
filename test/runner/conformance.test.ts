// The ids in the names of tests: what is read out of a source, and what a run is held to. The names here are put together
// from parts, since a name that stands literally in a test file counts as a promise of this project.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { leftOutByQuick } from '../support/programs.ts';
import { checkRules, parsePromises, parseRuleIds, parseRules, renderDocument, type Rule } from './conformance.ts';
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

const rule = (id: string, text: string): Rule => ({ id, source: 'spec', text });

test('the document shows the sentence of each rule, and each of its tests once, area by area', () => {
  const rules = [
    rule('kid.01', 'A KID names one object.'),
    rule('kid.02', 'a | <b>'),
    rule('account.12', 'Zero is zero.'),
  ];
  const promises = [
    { ...promised('kid.01'), promise: 'it holds 10 times' },
    { ...promised('kid.01'), promise: 'it holds 9 times' },
    ...['account.12', 'account.12'].map(promised),
  ];
  const rows = renderDocument(rules, promises).split('\n');
  const firstHeading = rows.indexOf('## kid');
  assert.deepEqual(
    rows.slice(firstHeading).filter((row) => /^(?:## |\| [a-z]+\.)/.test(row)),
    [
      '## kid',
      '| kid.01 | spec | A KID names one object. | it holds 9 times (a.test.ts)<br>it holds 10 times (a.test.ts) |',
      String.raw`| kid.02 | spec | a \| &lt;b> |  |`,
      '## account',
      '| account.12 | spec | Zero is zero. | it holds (a.test.ts) |',
    ],
  );
});

test('rules are the lines below the heading', () => {
  const text = 'id\tsource\trule\naccount.12\tspec\tZero is zero.\nkid.01\tdesign\tIt is so.\n';
  assert.deepEqual(parseRules(text), [
    rule('account.12', 'Zero is zero.'),
    { id: 'kid.01', source: 'design', text: 'It is so.' },
  ]);
});

test('every rule of the service has an id, a source and a sentence', () => {
  const rules = parseRules(readFileSync(new URL('../../docs/rules.tsv', import.meta.url), 'utf8'));
  assert.ok(rules.length > 600);
  for (const { id, source, text } of rules) {
    assert.deepEqual(parseRuleIds(named(id, 'it holds')), [id]);
    assert.match(source, /^(?:spec|design)$/, id);
    assert.match(text, /^\S.*\S$/, id);
  }
});

test('a rule is proven by a test that passed on one engine and was skipped on the other', () => {
  const outcomes = [passing('kid.01'), skipped('kid.01', wanting)];
  assert.deepEqual(checkRules(['kid.01'], [promised('kid.01')], outcomes), { problems: [], unproven: [] });
});

for (const [what, outcome, reason] of [
  ['its test', skipped('kid.01', wanting), wanting],
  ['a suite of its file', skippedSuite('a.test.ts', wanting), wanting],
  ['a suite of its file, in a quick run', skippedSuite('a.test.ts', leftOutByQuick), leftOutByQuick],
] as const)
  test(`a rule is unproven, and no problem, where ${what} was skipped for want of something`, () => {
    assert.deepEqual(checkRules(['kid.01'], [promised('kid.01')], [outcome]), {
      problems: [],
      unproven: [{ id: 'kid.01', reasons: [reason] }],
    });
  });

for (const [what, rules, written, outcomes, problem] of [
  ['a rule without a test', ['kid.01'], [], [], /no test of it ran and passed/],
  ['a rule whose test was skipped', ['kid.01'], ['kid.01'], [skipped('kid.01')], /no test .* ran and passed/],
  [
    'a rule whose test did not run, whatever else was skipped',
    ['kid.01'],
    ['kid.01'],
    [skipped('', wanting), skippedSuite('b.test.ts', wanting)],
    /no test .* ran and passed/,
  ],
  ['a rule whose test did not run', ['kid.01'], ['kid.01'], [], /no test .* ran and passed/],
  ['a test that failed on one engine', ['kid.01'], ['kid.01'], [passing('kid.01'), failing('kid.01')], /failed/],
  ['a test of a rule that is not listed', [], ['kid.01'], [passing('kid.01')], /not listed/],
  ['an id that is written but did not run', [], ['kid.01'], [], /not listed/],
  ['an id that is made at run time', ['kid.01'], [], [passing('kid.01')], /stands in no source/],
  ['malformed ids', [], [], [passing('kid.1')], /malformed ids/],
  ['a rule listed twice', ['kid.01', 'kid.01'], ['kid.01'], [passing('kid.01')], /twice/],
] as const) {
  test(`the run fails on ${what}`, () => {
    const { problems } = checkRules(rules, written.map(promised), outcomes);
    assert.equal(problems.length, 1);
    assert.match(String(problems[0]), problem);
  });
}
