// The interval of a query: what is given is parsed, and every wrong time is named at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../problem.ts';
import { parseSelectedTimes } from './selected-times.ts';

test('times that are not given stay open', () => {
  assert.deepEqual(parseSelectedTimes({}), { from: undefined, through: undefined });
  assert.deepEqual(parseSelectedTimes({ from: '2000-01-01T00:00:01Z' }), { from: 1000, through: undefined });
  assert.deepEqual(parseSelectedTimes({ through: '2000-01-01T01:00:01+01:00' }), { from: undefined, through: 1000 });
});

test('every wrong time is named at once', () => {
  const pathsOf = (query: Parameters<typeof parseSelectedTimes>[0]): string[] => {
    try {
      parseSelectedTimes(query);
      return [];
    } catch (error) {
      assert.ok(error instanceof Problem && error.status === 400);
      return (error.details.errors ?? []).map(({ path }) => path);
    }
  };
  assert.deepEqual(pathsOf({ from: 'x', through: '2026-01-01' }), ['query.from', 'query.through']);
  assert.deepEqual(pathsOf({ from: '2026-01-01T00:00:00Z', through: '' }), ['query.through']);
});
