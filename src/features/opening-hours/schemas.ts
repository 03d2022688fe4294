// Describes the requests and responses of opening hours.

import { Type, type Static } from 'typebox';
import { namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import { instant, kidOutput } from '../../http/schemas/schema-types.ts';

const OpeningInterval = namedObject('OpeningInterval', {
  from: Type.String({ description: '`HH:MM`.', examples: ['07:00'] }),
  to: Type.String({
    description: '`HH:MM`, up to `24:00`; at or before `from`: on the next day.',
    examples: ['22:00'],
  }),
});
export type OpeningInterval = Static<typeof OpeningInterval>;

const intervals = Type.Array(OpeningInterval, { description: 'Sorted; none: closed all day.' });

const OpeningChange = namedObject(
  'OpeningChange',
  {
    atUtc: instant('Time of the next change.'),
    opens: Type.Boolean({ description: 'true: the units open; false: they close.' }),
  },
  { description: 'The units open or close.' },
);

const WeeklyOpening = namedObject('WeeklyOpening', {
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    description: 'ISO weekdays, 1 = Monday to 7 = Sunday.',
  }),
  intervals,
});

export const OpeningException = namedObject('OpeningException', {
  date: Type.String({ format: 'date', description: 'Local day.' }),
  intervals: Type.Unsafe<Static<typeof OpeningInterval>[] | null>({
    ...nullable(intervals),
    description: 'They replace the weekday’s. Sorted; none: closed all day; null: unknown.',
  }),
  text: Type.String({ description: 'Free text, as entered.' }),
});

const OpeningHoursGroup = namedObject('OpeningHoursGroup', {
  unitKids: Type.Array(kidOutput('unit')),
  isOpen: nullable(
    Type.Boolean({ description: 'true: the units are open now; null: the hours of today are unknown.' }),
  ),
  nextChange: nullable(
    useOf(OpeningChange, {
      description:
        'Null if no change is known: the status is unknown, becomes unknown before the next change, or never changes.',
    }),
  ),
  weekly: Type.Array(WeeklyOpening, { description: 'By first day. Days with unknown hours are left out.' }),
  exceptions: Type.Array(OpeningException, {
    description:
      'From yesterday through two years from today, by date. On such a day the exception replaces the weekday’s intervals.',
  }),
});
export type OpeningHoursGroup = Static<typeof OpeningHoursGroup>;

export const OpeningHours = namedObject('OpeningHours', {
  locationKid: kidOutput('location'),
  timeZone: Type.String({
    description: 'IANA name; used for all hours and dates. The tenant’s time zone if the location has no valid one.',
    examples: ['Europe/Copenhagen'],
  }),
  groups: Type.Array(OpeningHoursGroup, { description: 'Units with the same schedule, by lowest unit id.' }),
});
