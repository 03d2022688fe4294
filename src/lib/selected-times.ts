// Parses the interval of a query that selects by instants.

import { createFieldsProblem } from './field-problem.ts';
import { parseOffsetTime } from './ms2000.ts';

type TimesQuery = { readonly from?: string; readonly through?: string };

/** MS2000; undefined where it is not given. */
type SelectedTimes = { readonly from: number | undefined; readonly through: number | undefined };

/** Throws `invalid-request`, which names every time that is wrong. */
export function parseSelectedTimes(query: TimesQuery): SelectedTimes {
  const parse = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseOffsetTime(text);
  const times = { from: parse(query.from), through: parse(query.through) };
  const wrong = (['from', 'through'] as const).filter((name) => query[name] !== undefined && times[name] === undefined);
  const message = 'must be an ISO 8601 time with a UTC offset, such as 2026-03-01T08:00:00Z';
  if (wrong.length > 0)
    throw createFieldsProblem(
      wrong.map((name) => ({ path: `query.${name}`, message })),
      'invalid-request',
    );
  return times;
}
