// Formats the intervals and exceptions of opening hours.

import type { Static } from 'typebox';
import { formatClock, type MinuteInterval } from './rules/opening-intervals.ts';
import type { ExceptionalHours } from './rules/exception-lookup.ts';
import { OpeningException, type OpeningInterval } from './schemas.ts';

export const toOpeningInterval = ({ from, to }: MinuteInterval): OpeningInterval => ({
  from: formatClock(from),
  to: formatClock(to),
});

export const toOpeningException = ([date, { hours, text }]: readonly [string, ExceptionalHours]): Static<
  typeof OpeningException
> => ({
  date,
  intervals: hours?.map(toOpeningInterval) ?? null,
  text,
});
