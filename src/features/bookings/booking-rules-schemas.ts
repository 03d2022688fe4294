// The schemas of booking rules. Each code has its own type of value.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, namedUnion, nullable } from '../../http/schemas/named-schemas.ts';
import { kidOutput, minorAmount, stringEnum } from '../../http/schemas/schema-types.ts';
import type { RuleCode } from './rules/booking-rules.ts';
import { warningCodes } from './rules/policy-warnings.ts';

const text = Type.String({ description: 'Plain text in the language of the response.' });

const ruleSchema = <V extends Parameters<typeof Type.Array>[0]>(name: string, codes: readonly RuleCode[], value: V) =>
  namedObject(name, { code: stringEnum(codes, 'Stable.'), text, value });

const time = (description: string) => Type.String({ description, examples: ['07:00'] });

const BookingRule = namedUnion(
  'BookingRule',
  'code',
  [
    ruleSchema('BookingHorizonRule', ['horizon'], Type.Integer({ description: 'Days, counted from today.' })),
    ruleSchema(
      'BookingMinutesRule',
      ['notice', 'step', 'min-length', 'max-length', 'hold', 'cancel-deadline'],
      Type.Integer({ description: 'Minutes.' }),
    ),
    ruleSchema(
      'BookingCountRule',
      ['max-open', 'max-per-day', 'max-per-week', 'max-per-month'],
      Type.Integer({ description: 'Bookings.' }),
    ),
    ruleSchema('BookingRefundRule', ['refund'], Type.Integer({ description: 'Percent of the price.' })),
    ruleSchema('BookingLastStartRule', ['last-start'], time('`HH:MM`.')),
    ruleSchema(
      'BookingOutsideHoursRule',
      ['outside-hours'],
      namedEnum(
        'BookingOutsideHours',
        ['FirstCome', 'Closed'],
        'Use of the units outside the bookable hours: first come, first served, or closed.',
      ),
    ),
    ruleSchema(
      'BookingHoursRule',
      ['hours', 'quiet-hours'],
      namedObject('BookingHours', {
        from: time('`HH:MM`.'),
        through: time('`HH:MM`, up to `24:00`; on the next day if not later than `from`.'),
      }),
    ),
    ruleSchema(
      'BookingAmountRule',
      ['price', 'cancel-fee', 'no-show-fee'],
      namedObject('BookingAmount', {
        amountMinor: minorAmount('Zero or more.'),
        currency: Type.String({ description: 'ISO 4217.' }),
      }),
    ),
    ruleSchema(
      'BookingResidentsRule',
      ['who'],
      namedObject('BookingResidents', {
        for: stringEnum(['Location', 'Tag'], 'Location: residents of the location; Tag: residents with a tag.'),
        tag: nullable(
          Type.String({ description: 'Null if bookings are not limited to a tag, or the tag is not set.' }),
        ),
      }),
    ),
  ],
  {
    description: `
| code | value | meaning |
| --- | --- | --- |
| \`horizon\` | integer, days | how far ahead bookings can be made |
| \`notice\` | integer, minutes | how long before its start a booking must be made |
| \`hours\` | \`{from, through}\` | the bookable hours |
| \`outside-hours\` | \`FirstCome\` or \`Closed\` | use of the units outside those hours: first come, first served, or closed |
| \`quiet-hours\` | \`{from, through}\` | the hours without bookings |
| \`last-start\` | \`HH:MM\` | latest start of a booking |
| \`step\` | integer, minutes | time between possible starts, counted from the beginning of the bookable hours or midnight |
| \`min-length\`, \`max-length\` | integer, minutes | shortest and longest length of a booking |
| \`max-open\` | integer | how many upcoming bookings a resident may have |
| \`max-per-day\`, \`max-per-week\`, \`max-per-month\` | integer | how many bookings of a resident may start in a local day, ISO week, month |
| \`who\` | \`{for, tag}\` | who may book, if not everyone |
| \`hold\` | integer, minutes | how long after its start an unused booking is kept |
| \`cancel-deadline\` | integer, minutes | how long before its start a booking can still be cancelled |
| \`price\`, \`cancel-fee\`, \`no-show-fee\` | \`{amountMinor, currency}\` | what the resident pays |
| \`refund\` | integer, percent | share of the price that a cancellation refunds |
`.trim(),
  },
);
export type BookingRule = Static<typeof BookingRule>;

const BookingWarning = namedObject('BookingWarning', { code: stringEnum(warningCodes, 'Stable.'), text });
export type BookingWarning = Static<typeof BookingWarning>;

const BookingRulesGroup = namedObject('BookingRulesGroup', {
  calendar: nullable(Type.String({ description: 'Booking calendar that the units share; null if not set.' })),
  unitKids: Type.Array(kidOutput('unit')),
  rules: Type.Array(BookingRule, { description: 'Configured rules only.' }),
  warnings: Type.Array(BookingWarning, { description: 'Problems in the configuration.' }),
});

export type BookingRulesGroup = Static<typeof BookingRulesGroup>;

export const BookingRules = namedObject('BookingRules', {
  locationKid: kidOutput('location'),
  groups: Type.Array(BookingRulesGroup, {
    description:
      'Bookable units with the same calendar and the same rules. Sorted by calendar, null last, and lowest unit id.',
  }),
});
