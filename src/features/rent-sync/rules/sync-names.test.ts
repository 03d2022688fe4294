// The names of files in a synchronised folder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreeName, isIgnoredName, findIncoming } from './sync-names.ts';
import type { IncomingFiles } from './sync-config.ts';

const withPattern = (pattern: string): IncomingFiles => ({ pattern }) as IncomingFiles;

test('a pattern has stars for any text and question marks for one character; all else is what it is', () => {
  const cases: [pattern: string, name: string, matches: boolean][] = [
    ['residents-*.csv', 'residents-2026-05-31.csv', true],
    ['residents-*.csv', 'residents-.csv', true],
    ['residents-*.csv', 'Residents-1.csv', false],
    ['residents-*.csv', 'residents-1.csv.gz', false],
    ['*', 'anything', true],
    ['*1*2', 'x1x2x2', true],
    ['*1*2', 'x1x2x', false],
    ['r?.csv', 'r1.csv', true],
    ['r?.csv', 'r.csv', false],
    ['r.csv', 'r-csv', false],
    ['[r].csv', 'r.csv', false],
    ['', '', true],
    ['æ?', 'æ😀', true],
  ];
  for (const [pattern, name, matches] of cases)
    assert.equal(findIncoming([withPattern(pattern)], name) !== undefined, matches, `${pattern} ${name}`);
});

test('a pattern of many stars takes no time worth mention', () => {
  assert.equal(findIncoming([withPattern(`${'*a'.repeat(90)}b`)], 'a'.repeat(200)), undefined);
});

test('[sync.01] names of unfinished and hidden files, and the config, are left alone', () => {
  for (const name of ['.a.csv', 'a.csv.part', 'a.csv.TMP', 'a.filepart', 'sync.json'])
    assert.ok(isIgnoredName(name), name);
  for (const name of ['a.csv', 'a.part.csv', 'part', 'sync.json.csv']) assert.ok(!isIgnoredName(name), name);
});

test('a name that is taken gets the time before its ending, and then a number', () => {
  const utc = '2026-05-31T22:00:01.500Z';
  const taken = new Set(['a.csv', 'b', 'c.csv', 'c-20260531T220001Z.csv']);
  const find = (name: string): string => findFreeName(name, utc, (each) => taken.has(each));
  assert.deepEqual(['d.csv', 'a.csv', 'b', 'c.csv'].map(find), [
    'd.csv',
    'a-20260531T220001Z.csv',
    'b-20260531T220001Z',
    'c-20260531T220001Z-2.csv',
  ]);
});
