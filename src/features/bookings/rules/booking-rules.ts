// Lists the rules of a booking policy, each with a stable code, its value and the key of its text.

import type { BookingPolicy } from './policy.ts';
import type { TextValues } from './text-values.ts';

export type RuleValue =
  | number
  | string
  | { readonly from: string; readonly through: string }
  | { readonly amountMinor: bigint }
  | { readonly for: string; readonly tag: string | null };

export type ConfiguredRule = {
  readonly code: RuleCode;
  readonly value: RuleValue;
  /** The key of its text in `locales/booking-rules.json`. */
  readonly textKey: string;
  readonly textValues: TextValues;
};

type RuleContent = { readonly value: RuleValue; readonly textKey?: string; readonly textValues?: TextValues };

/** The rules that a policy configures. */
export const listBookingRules = (policy: BookingPolicy): ConfiguredRule[] =>
  ruleCodes.flatMap((code) => {
    const content: RuleContent | undefined = ruleReaders[code](policy);
    return content === undefined ? [] : [{ code, textKey: code, textValues: {}, ...content }];
  });

/** `zeroKey`: the key of the text for zero minutes. */
const minutesRule = (value: number | null, zeroKey?: string): RuleContent | undefined => {
  if (value === null) return undefined;
  if (value === 0 && zeroKey !== undefined) return { value, textKey: zeroKey };
  return { value, textValues: { duration: { minutes: value } } };
};
const countRule = (value: number | null): RuleContent | undefined =>
  value === null ? undefined : { value, textValues: { count: value } };
const amountRule = (value: bigint | null): RuleContent | undefined =>
  value === null ? undefined : { value: { amountMinor: value }, textValues: { amount: { minor: value } } };
const hoursRule = (from: string | null, through: string | null): RuleContent | undefined =>
  from === null || through === null ? undefined : { value: { from, through }, textValues: { from, through } };

type ReadRule = (policy: BookingPolicy) => RuleContent | undefined;

/** In the order in which they are listed. */
const ruleReaders = {
  horizon: ({ horizonDays: days }) => {
    if (days === null) return undefined;
    return days === 0 ? { value: 0, textKey: 'horizon-today' } : { value: days, textValues: { duration: { days } } };
  },
  notice: ({ noticeMinutes }) => minutesRule(noticeMinutes, 'notice-none'),
  hours: ({ from, through }) => {
    const rule = hoursRule(from, through);
    return rule && { ...rule, ...(through! <= from! ? { textKey: 'hours-overnight' } : {}) };
  },
  // A unit without bookable hours has no time outside them.
  'outside-hours': ({ from, through, outside }) =>
    hoursRule(from, through) === undefined || outside === null
      ? undefined
      : { value: outside, textKey: outside === 'Closed' ? 'outside-hours-closed' : 'outside-hours-first-come' },
  'quiet-hours': ({ quietFrom, quietThrough }) => hoursRule(quietFrom, quietThrough),
  'last-start': ({ lastStart: time }) => (time === null ? undefined : { value: time, textValues: { time } }),
  step: ({ stepMinutes, from, through }) => {
    const rule = minutesRule(stepMinutes);
    const countedFrom = (hoursRule(from, through) && from) ?? '00:00';
    return rule && { ...rule, textValues: { ...rule.textValues, from: countedFrom } };
  },
  'min-length': ({ minLengthMinutes }) => minutesRule(minLengthMinutes),
  'max-length': ({ maxLengthMinutes }) => minutesRule(maxLengthMinutes),
  'max-open': ({ maxOpen }) => countRule(maxOpen),
  'max-per-day': ({ maxPerDay }) => countRule(maxPerDay),
  'max-per-week': ({ maxPerWeek }) => countRule(maxPerWeek),
  'max-per-month': ({ maxPerMonth }) => countRule(maxPerMonth),
  // There is no rule if everyone may book.
  who: ({ for: group, tag }) => {
    if (group === 'Location') return { value: { for: group, tag: null }, textKey: 'who-location' };
    if (group !== 'Tag') return undefined;
    const value = { for: group, tag };
    return tag === null ? { value, textKey: 'who-some' } : { value, textKey: 'who-tag', textValues: { tag } };
  },
  hold: ({ holdMinutes }) => minutesRule(holdMinutes, 'hold-none'),
  'cancel-deadline': ({ cancelDeadlineMinutes }) => minutesRule(cancelDeadlineMinutes, 'cancel-deadline-none'),
  price: ({ priceMinor }) => {
    const rule = amountRule(priceMinor);
    return rule && { ...rule, ...(priceMinor === 0n ? { textKey: 'price-none' } : {}) };
  },
  // A booking without a price has nothing to refund.
  refund: ({ priceMinor, refundPercent: percent }) =>
    priceMinor === null || priceMinor === 0n || percent === null
      ? undefined
      : { value: percent, textValues: { percent: { percent } } },
  'cancel-fee': ({ cancelFeeMinor }) => amountRule(cancelFeeMinor),
  'no-show-fee': ({ noShowFeeMinor }) => amountRule(noShowFeeMinor),
} satisfies Readonly<Record<string, ReadRule>>;

export type RuleCode = keyof typeof ruleReaders;

export const ruleCodes = Object.keys(ruleReaders) as readonly RuleCode[];
