// Checks the day of the month in Copenhagen, with a clock that the test sets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createDayOfMonth } from './day-of-month.ts';

const at = (instant: string): number => Date.parse(instant);

test('[icons.19] the day changes at midnight in Copenhagen, in summer and in winter', () => {
  let now = 0;
  const today = createDayOfMonth(() => now);
  const days: [instant: string, day: number][] = [
    ['2026-01-31T22:59:59.999Z', 31],
    ['2026-01-31T23:00:00.000Z', 1],
    ['2026-06-14T21:59:59.999Z', 14],
    ['2026-06-14T22:00:00.000Z', 15],
    ['2026-03-28T22:59:59Z', 28],
    ['2026-03-29T00:59:59Z', 29],
    ['2026-03-29T21:59:59Z', 29],
    ['2026-03-29T22:00:00Z', 30],
    ['2026-10-25T22:59:59Z', 25],
    ['2026-10-25T23:00:00Z', 26],
    ['2028-02-28T23:00:00Z', 29],
    ['2026-12-31T23:00:00Z', 1],
    // and back again, as a clock that is set does
    ['2026-06-14T21:59:59.999Z', 14],
  ];
  for (const [instant, day] of days) {
    now = at(instant);
    assert.equal(today(), day, instant);
    assert.equal(today(), day, 'asked again');
  }
});

test('[icons.19] the day equals that of an independent calendar at every instant', () => {
  const there = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Copenhagen', day: 'numeric' });
  let now = 0;
  const today = createDayOfMonth(() => now);
  const instants = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2037-12-31T00:00:00Z') });
  fc.assert(
    fc.property(instants, (instant) => {
      now = instant;
      assert.equal(today(), Number(there.format(instant)));
    }),
    { numRuns: 2000 },
  );
});
