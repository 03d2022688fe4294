// Which files of a copy make the database of a moment, and which of them nobody needs any longer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFiles, listExpired } from '../../sqlite-follower/choose-copy.ts';
import {
  formatBaseName,
  formatJoinedName,
  formatSegmentName,
  isGenerationName,
  readGeneration,
  type Generation,
} from '../../sqlite-follower/copy-names.ts';

const dayMs = 86_400_000;
const day = (number: number): number => Date.parse('2026-06-01T00:00:00.123Z') + number * dayMs;

const base = (first: number, last: number, atMs: number): string => formatBaseName({ first, last, atMs });
const segment = (first: number, last: number, atMs: number): string => formatSegmentName({ first, last, atMs });

/** A generation of two bases and four segments, and a later one that has begun after a gap. */
const generations: readonly Generation[] = [
  readGeneration('20260601T000000000Z', [
    base(1, 1, day(0)),
    base(3, 4, day(2)),
    ...[1, 2, 3, 4, 5].map((part) => segment(part, part, day(part / 2))),
    'notes.txt',
    `${segment(6, 6, day(3))}.0d2c.part`,
  ]),
  readGeneration('20260605T000000000Z', [base(1, 0, day(4)), segment(1, 1, day(5))]),
];

test('names are read as they were written, and others are left out', () => {
  const [first] = generations;
  assert.deepEqual(
    first?.bases.map((each) => ({ first: each.first, last: each.last, atMs: each.atMs })),
    [
      { first: 1, last: 1, atMs: day(0) },
      { first: 3, last: 4, atMs: day(2) },
    ],
  );
  assert.equal(first.segments.length, 5);
  assert.ok(isGenerationName('20260601T000000000Z') && !isGenerationName('20260601'));
});

test('segments that are in a joined file are told from those that are not', () => {
  const joined = formatJoinedName({ first: 1, last: 3, atMs: 3 });
  const names = [joined, segment(1, 1, 1), segment(2, 2, 2), segment(3, 3, 3), segment(4, 4, 4)];
  const { segments, superseded } = readGeneration('g', names);
  assert.deepEqual(
    segments.map(({ first, last, isJoined }) => [first, last, isJoined]),
    [
      [1, 3, true],
      [4, 4, false],
    ],
  );
  assert.deepEqual(
    superseded.map(({ name }) => name),
    names.slice(1, 4),
  );
});

test('a moment is made of the newest base before it', () => {
  const cases: [at: number, generation: number, base: number, next: boolean][] = [
    [day(0), 0, day(0), true],
    [day(1.9), 0, day(0), true],
    [day(2), 0, day(2), true],
    [day(3.9), 0, day(2), true],
    [day(4), 1, day(4), false],
    [day(9), 1, day(4), false],
  ];
  for (const [at, generation, baseAt, hasNext] of cases) {
    const chosen = chooseFiles(generations, at);
    assert.deepEqual(
      [chosen.generation, chosen.base.atMs, chosen.nextFromMs !== undefined],
      [generations[generation], baseAt, hasNext],
    );
  }
  assert.throws(() => chooseFiles(generations, day(-1)), /begins at 2026-06-01T00:00:00.123Z: nothing before/);
  assert.throws(() => chooseFiles([], day(1)), /has no base yet/);
});

test('[backups.13] a missing part is found where it is, also at the end of what a base needs', () => {
  const without = (...parts: number[]): Generation[] =>
    generations
      .slice(0, 1)
      .map((each) => ({ ...each, segments: each.segments.filter(({ first }) => !parts.includes(first)) }));
  const cases: [missing: number[], at: number, problem: RegExp][] = [
    [[1], day(1), /lacks part 1 of the generation 20260601T000000000Z/],
    [[2, 3], day(1), /lacks the parts from 2 to 3 of/],
    [[4, 5], day(2), /lacks part 4 of/],
  ];
  for (const [missing, at, problem] of cases) assert.throws(() => chooseFiles(without(...missing), at), problem);
  // The parts before the base are not needed.
  assert.equal(chooseFiles(without(1, 2), day(2)).base.atMs, day(2));
});

test('what a kept moment does not need is removed, and the newest base never is', () => {
  const [first = '', second = ''] = generations.map(({ name }) => name);
  const named = (...names: string[]): string[] => names.map((name) => `${first}/${name}`);
  const cases: [from: number, removedGenerations: string[], files: string[]][] = [
    [day(-1), [], []],
    [day(1), [], []],
    [day(2), [], named(base(1, 1, day(0)), segment(1, 1, day(0.5)), segment(2, 2, day(1)))],
    [day(3.9), [], named(base(1, 1, day(0)), segment(1, 1, day(0.5)), segment(2, 2, day(1)))],
    [day(4), [first], []],
    [day(99), [first], []],
  ];
  for (const [from, removedGenerations, files] of cases)
    assert.deepEqual(listExpired(generations, from), { generations: removedGenerations, files });
  assert.deepEqual(listExpired([readGeneration(second, [])], day(99)), { generations: [], files: [] });
});
