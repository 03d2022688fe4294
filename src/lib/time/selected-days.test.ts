// Tests how the selected days of a request are parsed and limited.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMs2000 } from './ms2000.ts';
import { Problem } from '../problem.ts';
import { parseSelectedDays, parseTimeZone } from './selected-days.ts';

const now = toMs2000(Date.parse('2026-03-01T23:30:00Z'));

function parse(from: string | undefined, through: string | undefined, timeZone = 'Europe/Copenhagen'): string[] {
  const texts = { from: { name: 'From', text: from }, through: { name: 'Through', text: through } };
  const days = parseSelectedDays(texts, { timeZone, now });
  return [days.from.toString(), days.through.toString()];
}

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${String(error.details.detail)}`;
    throw error;
  }
  return 'no problem';
};

test('a day that is not given is today in the zone', () => {
  assert.deepEqual(parse(undefined, undefined), ['2026-03-02', '2026-03-02']);
  assert.deepEqual(parse('2026-02-28', undefined, 'UTC'), ['2026-02-28', '2026-03-01']);
});

test('367 days may be selected, both included', () => {
  assert.deepEqual(parse('2023-12-31', '2024-12-31'), ['2023-12-31', '2024-12-31']);
  assert.equal(
    messageOf(() => parse('2023-12-30', '2024-12-31')),
    'invalid-request: query.Through must be at most 367 days from From, both included',
  );
});

test('an invalid day, interval or zone is refused by the name of its parameter', () => {
  const cases: [from: string | undefined, through: string | undefined, message: string][] = [
    ['2026-02-30', '2026-03-01', 'query.From must be a date, YYYY-MM-DD'],
    ['2026-02-01', '1.3.2026', 'query.Through must be a date, YYYY-MM-DD'],
    ['yesterday', '1.3.2026', 'query.From must be a date, YYYY-MM-DD'],
    ['2026-03-02', '2026-03-01', 'query.Through must not be before From'],
    ['2026-03-03', undefined, 'query.From must not be after Through (today by default)'],
    [undefined, '2026-03-01', 'query.Through must not be before From (today by default)'],
    ['2025-02-28', undefined, 'query.From must be at most 367 days from Through (today by default), both included'],
    [undefined, '2027-03-04', 'query.Through must be at most 367 days from From (today by default), both included'],
  ];
  for (const [from, through, message] of cases)
    assert.equal(
      messageOf(() => parse(from, through)),
      `invalid-request: ${message}`,
    );
  assert.equal(
    messageOf(() => parseTimeZone({ name: 'TimeZone', text: 'Nowhere/Else' }, 'DK')),
    'invalid-request: query.TimeZone must be an IANA or Windows time zone',
  );
});
