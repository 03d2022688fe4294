// The shape of opening hours on the wire.

import { Type, type Static } from 'typebox';
import { closedObject, instant, kidInput, kidOutput, nullable } from '../../http/schema-types.ts';
import { formatClock, type OpeningInterval } from './rules/opening-intervals.ts';
import type { OpeningException } from './rules/opening-exceptions.ts';

export const OpeningHoursParams = closedObject({ locationKid: kidInput('location') });

const IntervalAnswer = closedObject({
  from: Type.String({ description: '`HH:MM`.', examples: ['07:00'] }),
  to: Type.String({
    description: '`HH:MM`, up to `24:00`; at or before `from`, it lies on the next day.',
    examples: ['22:00'],
  }),
});

const intervals = Type.Array(IntervalAnswer, { description: 'Sorted; none: closed all day.' });

const NextChange = Type.Object(
  {
    atUtc: instant('When the status next turns.'),
    opens: Type.Boolean({ description: 'true: it opens then; false: it closes.' }),
  },
  {
    additionalProperties: false,
    description:
      'Null where no change is ahead, where the status is not known, and where it stops being known before the next change.',
  },
);

const Weekly = closedObject({
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    description: 'ISO weekdays, 1 = Monday to 7 = Sunday.',
  }),
  intervals,
});

const ExceptionAnswer = closedObject({
  date: Type.String({ format: 'date', description: 'The local day.' }),
  intervals: Type.Unsafe<Static<typeof IntervalAnswer>[] | null>({
    ...nullable(intervals),
    description: 'In place of the weekday’s, sorted; none: closed all day; null: not known.',
  }),
  text: Type.String({ description: 'What the day is, as it was written.' }),
});

const Group = closedObject({
  unitKids: Type.Array(kidOutput('unit')),
  isOpen: nullable(
    Type.Boolean({ description: 'Whether the units are open now; null where the hours of today are not known.' }),
  ),
  nextChange: nullable(NextChange),
  weekly: Type.Array(Weekly, { description: 'By first day. A day whose hours are not known is on none.' }),
  exceptions: Type.Array(ExceptionAnswer, {
    description:
      'From yesterday through two years from today, by date. What begins on such a day is this and not the weekday’s.',
  }),
});
export type OpeningGroup = Static<typeof Group>;

export const OpeningHoursAnswer = closedObject({
  locationKid: kidOutput('location'),
  timeZone: Type.String({
    description: 'IANA name; hours and dates are told in it. The tenant’s own where none is known of the location.',
    examples: ['Europe/Copenhagen'],
  }),
  groups: Type.Array(Group, { description: 'Units with the same schedule; by lowest unit id.' }),
});

export const toInterval = ({ from, to }: OpeningInterval): Static<typeof IntervalAnswer> => ({
  from: formatClock(from),
  to: formatClock(to),
});

export const toException = ([date, { hours, text }]: readonly [string, OpeningException]): Static<
  typeof ExceptionAnswer
> => ({
  date,
  intervals: hours?.map(toInterval) ?? null,
  text,
});
