// The shape of booking rules on the wire. Every code has a value of its own type.

import { Type, type Static } from 'typebox';
import { choice, closed, kidInput, kidText, minor, nullable } from '../../../http/fields.ts';
import { jsonInt64 } from '../../../lib/int64.ts';
import type { HouseRule, RuleCode, RuleValue } from '../rules/house-rules.ts';
import { warningCodes, type Warning } from '../rules/warnings.ts';
import type { Sentence } from './words.ts';

export const BookingRulesParams = closed({ locationKid: kidInput('location') });

const text = Type.String({ description: 'Plain text, in the language of the answer.' });

const ruleOf = <V extends Parameters<typeof Type.Array>[0]>(codes: readonly RuleCode[], value: V) =>
  closed({ code: choice(codes, 'Stable.'), text, value });

const time = (description: string) => Type.String({ description, examples: ['07:00'] });

const Rule = Type.Union(
  [
    ruleOf(['horizon'], Type.Integer({ description: 'Days, from today on.' })),
    ruleOf(
      ['notice', 'step', 'min-length', 'max-length', 'hold', 'cancel-deadline'],
      Type.Integer({ description: 'Minutes.' }),
    ),
    ruleOf(['max-open', 'max-per-day', 'max-per-week', 'max-per-month'], Type.Integer({ description: 'Bookings.' })),
    ruleOf(['refund'], Type.Integer({ description: 'Percent of the price.' })),
    ruleOf(['last-start'], time('`HH:MM`.')),
    ruleOf(['outside-hours'], choice(['FirstCome', 'Closed'], 'What the units are outside the bookable hours.')),
    ruleOf(
      ['hours', 'quiet-hours'],
      closed({
        from: time('`HH:MM`.'),
        through: time('`HH:MM`, up to `24:00`; at or before `from`, it lies on the next day.'),
      }),
    ),
    ruleOf(
      ['price', 'cancel-fee', 'no-show-fee'],
      closed({ amountMinor: minor('Never negative.'), currency: Type.String({ description: 'ISO 4217.' }) }),
    ),
    ruleOf(
      ['who'],
      closed({
        for: choice(['Location', 'Tag'], 'The residents of the location, or those with a tag.'),
        tag: nullable(Type.String({ description: 'Null where bookings are not by tag, or none is named.' })),
      }),
    ),
  ],
  {
    description: `
| code | value | what it says |
| --- | --- | --- |
| \`horizon\` | integer, days | how far ahead bookings can be made |
| \`notice\` | integer, minutes | how long before its start a booking has to be made |
| \`hours\` | \`{from, through}\` | the hours in which bookings lie |
| \`outside-hours\` | \`FirstCome\` or \`Closed\` | what the units are outside those hours |
| \`quiet-hours\` | \`{from, through}\` | the hours in which no booking lies |
| \`last-start\` | \`HH:MM\` | when the last booking starts |
| \`step\` | integer, minutes | starts lie on multiples of it, from the beginning of the hours or midnight |
| \`min-length\`, \`max-length\` | integer, minutes | how long a booking is |
| \`max-open\` | integer | how many bookings a resident may have ahead |
| \`max-per-day\`, \`max-per-week\`, \`max-per-month\` | integer | how many may start in a local day, ISO week, month |
| \`who\` | \`{for, tag}\` | for whom bookings are, where not for everyone |
| \`hold\` | integer, minutes | how long after its start a booking is held for who does not come |
| \`cancel-deadline\` | integer, minutes | until how long before its start it can be cancelled |
| \`price\`, \`cancel-fee\`, \`no-show-fee\` | \`{amountMinor, currency}\` | what is to be paid |
| \`refund\` | integer, percent | how much of the price a cancellation gives back |
`.trim(),
  },
);
type Rule = Static<typeof Rule>;

const WarningAnswer = closed({ code: choice(warningCodes, 'Stable.'), text });

const Group = closed({
  calendar: nullable(
    Type.String({ description: 'Units of one calendar are booked side by side; null where there is none.' }),
  ),
  unitKids: Type.Array(kidText('unit')),
  rules: Type.Array(Rule, { description: 'What is configured, and nothing else.' }),
  warnings: Type.Array(WarningAnswer, { description: 'What is wrong with the rules as such.' }),
});
export type BookingRulesGroup = Static<typeof Group>;

export const BookingRulesAnswer = closed({
  locationKid: kidText('location'),
  groups: Type.Array(Group, {
    description:
      'Bookable units with the same calendar and the same rules; by calendar, none last, and lowest unit id.',
  }),
});

/** An amount is told with its currency. */
export function ruleShape({ code, value, text: key, words }: HouseRule, sentence: Sentence, currency: string): Rule {
  return { code, text: sentence(key, words), value: valueShape(value, currency) } as Rule;
}

const valueShape = (value: RuleValue, currency: string): unknown =>
  typeof value === 'object' && 'amountMinor' in value ? { amountMinor: jsonInt64(value.amountMinor), currency } : value;

export const warningShape = ({ code, words }: Warning, sentence: Sentence): Static<typeof WarningAnswer> => ({
  code,
  text: sentence(code, words),
});
