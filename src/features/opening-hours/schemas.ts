// Describes the requests and responses of opening hours.

import { Type, type Static } from 'typebox';
import { namedObject, nullable, useOf } from '../../http/named-schemas.ts';
import { closedObject, instant, kidInput, kidOutput } from '../../http/schema-types.ts';
import { formatClock, type OpeningInterval } from './rules/opening-intervals.ts';
import type { OpeningException } from './rules/opening-exceptions.ts';

export const OpeningHoursParams = closedObject({ locationKid: kidInput('location') });

const IntervalAnswer = namedObject('OpeningInterval', {
  from: Type.String({ description: '`HH:MM`.', examples: ['07:00'] }),
  to: Type.String({
    description: '`HH:MM`, up to `24:00`; at or before `from`: on the next day.',
    examples: ['22:00'],
  }),
});

const intervals = Type.Array(IntervalAnswer, { description: 'Sorted; none: closed all day.' });

const NextChange = namedObject(
  'OpeningChange',
  {
    atUtc: instant('Time of the next change.'),
    opens: Type.Boolean({ description: 'true: the units open; false: they close.' }),
  },
  { description: 'The units open or close.' },
);

const Weekly = namedObject('WeeklyOpening', {
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    description: 'ISO weekdays, 1 = Monday to 7 = Sunday.',
  }),
  intervals,
});

const ExceptionAnswer = namedObject('OpeningException', {
  date: Type.String({ format: 'date', description: 'Local day.' }),
  intervals: Type.Unsafe<Static<typeof IntervalAnswer>[] | null>({
    ...nullable(intervals),
    description: 'Replace the weekday’s, sorted; none: closed all day; null: unknown.',
  }),
  text: Type.String({ description: 'Free text, as entered.' }),
});

const Group = namedObject('OpeningHoursGroup', {
  unitKids: Type.Array(kidOutput('unit')),
  isOpen: nullable(
    Type.Boolean({ description: 'true: the units are open now; null: the hours of today are unknown.' }),
  ),
  nextChange: nullable(
    useOf(NextChange, {
      description:
        'Null if no change is known: the status is unknown, becomes unknown before the next change, or never changes.',
    }),
  ),
  weekly: Type.Array(Weekly, { description: 'By first day. Days with unknown hours are left out.' }),
  exceptions: Type.Array(ExceptionAnswer, {
    description:
      'From yesterday through two years from today, by date. On such a day the exception replaces the weekday’s intervals.',
  }),
});
export type OpeningGroup = Static<typeof Group>;

export const OpeningHoursAnswer = namedObject('OpeningHours', {
  locationKid: kidOutput('location'),
  timeZone: Type.String({
    description: 'IANA name; used for all hours and dates. The tenant’s time zone if the location has no valid one.',
    examples: ['Europe/Copenhagen'],
  }),
  groups: Type.Array(Group, { description: 'Units with the same schedule, by lowest unit id.' }),
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
