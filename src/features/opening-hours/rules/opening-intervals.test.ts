// Checks the grammar of opening intervals.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatClock, parseDayIntervals } from './opening-intervals.ts';

const formatIntervals = (text: string): string[] | undefined =>
  parseDayIntervals(text)?.map(({ from, to }) => `${formatClock(from)}-${formatClock(to)}`);

test('intervals are parsed and sorted, also adjacent and overlapping ones', () => {
  const table: [text: string, intervals: string[]][] = [
    ['', []],
    ['closed', []],
    ['07:00-22:00', ['07:00-22:00']],
    ['13:00-22:00,07:00-12:00', ['07:00-12:00', '13:00-22:00']],
    ['07:00-13:00,12:00-14:00', ['07:00-13:00', '12:00-14:00']],
    ['07:00-12:00,12:00-14:00', ['07:00-12:00', '12:00-14:00']],
    ['07:00-12:00,07:00-08:00', ['07:00-08:00', '07:00-12:00']],
    ['00:00-24:00', ['00:00-24:00']],
    ['14:00-02:00', ['14:00-02:00']],
    ['07:00-07:00', ['07:00-07:00']],
    ['23:59-24:00', ['23:59-24:00']],
  ];
  for (const [text, intervals] of table) assert.deepEqual(formatIntervals(text), intervals, text);
});

test('an interval can end at midnight as 00:00 or as 24:00', () => {
  assert.deepEqual(parseDayIntervals('18:00-00:00'), parseDayIntervals('18:00-24:00'));
  assert.deepEqual(parseDayIntervals('00:00-00:00'), parseDayIntervals('00:00-24:00'));
  assert.deepEqual(formatIntervals('18:00-00:00'), ['18:00-24:00']);
});

test('an interval that ends at or before its beginning ends on the next day', () => {
  assert.deepEqual(parseDayIntervals('14:00-02:00'), [{ from: 840, to: 1560 }]);
  assert.deepEqual(parseDayIntervals('07:00-07:00'), [{ from: 420, to: 1860 }]);
  assert.deepEqual(parseDayIntervals('00:01-00:00'), [{ from: 1, to: 1440 }]);
});

test('an invalid text means unknown hours', () => {
  const words = ['open', 'Closed', ' closed', 'closed,07:00-08:00'];
  const spellings = ['7:00-22:00', '07:00-22', '07:00–22:00', '07:00-22:00;', '07:00-22:00\n', '07:00-22:00,'];
  const times = ['07:00-24:01', '24:00-07:00', '07:60-08:00', ',07:00-22:00'];
  const tooMany = Array.from({ length: 9 }, () => '07:00-08:00').join();
  for (const text of [...words, ...spellings, ...times, tooMany])
    assert.equal(parseDayIntervals(text), undefined, text);
  assert.equal(parseDayIntervals(Array.from({ length: 8 }, () => '07:00-08:00').join())?.length, 8);
});
