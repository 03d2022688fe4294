// The shape of booking rules on the wire. Every code has a value of its own type.

import { Type, type Static } from 'typebox';
import { stringEnum, closedObject, kidInput, kidOutput, minorAmount, nullable } from '../../http/schema-types.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import type { BookingRule, RuleCode, RuleValue } from './rules/booking-rules.ts';
import { warningCodes, type PolicyWarning } from './rules/policy-warnings.ts';
import type { TextFormatter } from './rules/text-format.ts';

export const BookingRulesParams = closedObject({ locationKid: kidInput('location') });

const text = Type.String({ description: 'Plain text, in the language of the answer.' });

const ruleSchema = <V extends Parameters<typeof Type.Array>[0]>(codes: readonly RuleCode[], value: V) =>
  closedObject({ code: stringEnum(codes, 'Stable.'), text, value });

const time = (description: string) => Type.String({ description, examples: ['07:00'] });

const Rule = Type.Union(
  [
    ruleSchema(['horizon'], Type.Integer({ description: 'Days, from today on.' })),
    ruleSchema(
      ['notice', 'step', 'min-length', 'max-length', 'hold', 'cancel-deadline'],
      Type.Integer({ description: 'Minutes.' }),
    ),
    ruleSchema(
      ['max-open', 'max-per-day', 'max-per-week', 'max-per-month'],
      Type.Integer({ description: 'Bookings.' }),
    ),
    ruleSchema(['refund'], Type.Integer({ description: 'Percent of the price.' })),
    ruleSchema(['last-start'], time('`HH:MM`.')),
    ruleSchema(
      ['outside-hours'],
      stringEnum(['FirstCome', 'Closed'], 'What the units are outside the bookable hours.'),
    ),
    ruleSchema(
      ['hours', 'quiet-hours'],
      closedObject({
        from: time('`HH:MM`.'),
        through: time('`HH:MM`, up to `24:00`; at or before `from`, it lies on the next day.'),
      }),
    ),
    ruleSchema(
      ['price', 'cancel-fee', 'no-show-fee'],
      closedObject({
        amountMinor: minorAmount('Never negative.'),
        currency: Type.String({ description: 'ISO 4217.' }),
      }),
    ),
    ruleSchema(
      ['who'],
      closedObject({
        for: stringEnum(['Location', 'Tag'], 'The residents of the location, or those with a tag.'),
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

const WarningAnswer = closedObject({ code: stringEnum(warningCodes, 'Stable.'), text });

const Group = closedObject({
  calendar: nullable(
    Type.String({ description: 'Units of one calendar are booked side by side; null where there is none.' }),
  ),
  unitKids: Type.Array(kidOutput('unit')),
  rules: Type.Array(Rule, { description: 'What is configured, and nothing else.' }),
  warnings: Type.Array(WarningAnswer, { description: 'What is wrong with the rules as such.' }),
});
export type BookingRulesGroup = Static<typeof Group>;

export const BookingRulesAnswer = closedObject({
  locationKid: kidOutput('location'),
  groups: Type.Array(Group, {
    description:
      'Bookable units with the same calendar and the same rules; by calendar, none last, and lowest unit id.',
  }),
});

/** An amount is told with its currency. */
export function toRule(
  { code, value, textKey: key, textValues }: BookingRule,
  formatText: TextFormatter,
  currency: string,
): Rule {
  return { code, text: formatText(key, textValues), value: toRuleValueJson(value, currency) } as Rule;
}

const toRuleValueJson = (value: RuleValue, currency: string): unknown =>
  typeof value === 'object' && 'amountMinor' in value
    ? { amountMinor: toJsonInt64(value.amountMinor), currency }
    : value;

export const toWarning = (
  { code, textValues }: PolicyWarning,
  formatText: TextFormatter,
): Static<typeof WarningAnswer> => ({
  code,
  text: formatText(code, textValues),
});
