// Parses the two inclusive times of a query, as operations do that select by instants.

import { createFieldProblem, createFieldsProblem } from '../values/field-problem.ts';
import { parseOffsetTime } from './ms2000.ts';

type TimeTexts = { readonly from?: string; readonly through?: string };

/** MS2000; undefined where none was given. */
type SelectedTimes = { readonly from: number | undefined; readonly through: number | undefined };

/** Throws `invalid-request`, which names every text that is no time. */
export function parseSelectedTimes(texts: TimeTexts): SelectedTimes {
  const parseTime = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : parseOffsetTime(text);
  const times = { from: parseTime(texts.from), through: parseTime(texts.through) };
  const wrong = (['from', 'through'] as const).filter((name) => texts[name] !== undefined && times[name] === undefined);
  if (wrong.length > 0)
    throw createFieldsProblem(
      wrong.map((name) => ({
        path: `query.${name}`,
        message: 'must be an ISO 8601 time with a UTC offset, such as 2026-03-01T08:00:00Z',
      })),
      'invalid-request',
    );
  if (times.from !== undefined && times.through !== undefined && times.from > times.through)
    throw createFieldProblem('query.from', 'must not be after through');
  return times;
}
