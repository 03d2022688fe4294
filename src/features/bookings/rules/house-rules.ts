// The rules that a policy comes to, as a house would print them on its doors: one stable code for each that is
// configured. Texts stand in the section bookingRules of the locales, by the code or by a spelling of its own.

import type { Policy } from './policy.ts';
import type { Words } from './word.ts';

/** In the order in which they are told. */
export const ruleCodes = [
  'horizon',
  'notice',
  'hours',
  'outside-hours',
  'quiet-hours',
  'last-start',
  'step',
  'min-length',
  'max-length',
  'max-open',
  'max-per-day',
  'max-per-week',
  'max-per-month',
  'who',
  'hold',
  'cancel-deadline',
  'price',
  'refund',
  'cancel-fee',
  'no-show-fee',
] as const;
export type RuleCode = (typeof ruleCodes)[number];

export type RuleValue =
  | number
  | string
  | { readonly from: string; readonly through: string }
  | { readonly amountMinor: bigint }
  | { readonly for: string; readonly tag: string | null };

export type HouseRule = {
  readonly code: RuleCode;
  readonly value: RuleValue;
  /** The key of its text. */
  readonly text: string;
  readonly words: Words;
};

type Told = { readonly value: RuleValue; readonly text?: string; readonly words?: Words };

/** The rules that a policy has. */
export function houseRulesOf(policy: Policy): HouseRule[] {
  return ruleCodes.flatMap((code) => {
    const told = tellers[code](policy);
    return told === undefined ? [] : [{ code, text: code, words: {}, ...told }];
  });
}

const minutes = (value: number | null, none?: string): Told | undefined => {
  if (value === null) return undefined;
  if (value === 0 && none !== undefined) return { value, text: none };
  return { value, words: { duration: { minutes: value } } };
};
const count = (value: number | null): Told | undefined =>
  value === null ? undefined : { value, words: { count: value } };
const amount = (value: bigint | null): Told | undefined =>
  value === null ? undefined : { value: { amountMinor: value }, words: { amount: { minor: value } } };
const hours = (from: string | null, through: string | null): Told | undefined =>
  from === null || through === null ? undefined : { value: { from, through }, words: { from, through } };

const tellers: Readonly<Record<RuleCode, (policy: Policy) => Told | undefined>> = {
  horizon: ({ horizonDays: days }) => {
    if (days === null) return undefined;
    return days === 0 ? { value: 0, text: 'horizon-today' } : { value: days, words: { duration: { days } } };
  },
  notice: ({ noticeMinutes }) => minutes(noticeMinutes, 'notice-none'),
  hours: ({ from, through }) => {
    const told = hours(from, through);
    return told && { ...told, ...(through! <= from! ? { text: 'hours-overnight' } : {}) };
  },
  // Outside of no hours there is nothing.
  'outside-hours': ({ from, through, outside }) =>
    hours(from, through) === undefined || outside === null
      ? undefined
      : { value: outside, text: outside === 'Closed' ? 'outside-hours-closed' : 'outside-hours-first-come' },
  'quiet-hours': ({ quietFrom, quietThrough }) => hours(quietFrom, quietThrough),
  'last-start': ({ lastStart: time }) => (time === null ? undefined : { value: time, words: { time } }),
  step: ({ stepMinutes, from, through }) => {
    const told = minutes(stepMinutes);
    const begin = (hours(from, through) && from) ?? '00:00';
    return told && { ...told, words: { ...told.words, from: begin } };
  },
  'min-length': ({ minLengthMinutes }) => minutes(minLengthMinutes),
  'max-length': ({ maxLengthMinutes }) => minutes(maxLengthMinutes),
  'max-open': ({ maxOpen }) => count(maxOpen),
  'max-per-day': ({ maxPerDay }) => count(maxPerDay),
  'max-per-week': ({ maxPerWeek }) => count(maxPerWeek),
  'max-per-month': ({ maxPerMonth }) => count(maxPerMonth),
  // That everyone may book is no rule.
  who: ({ for: group, tag }) => {
    if (group === 'Location') return { value: { for: group, tag: null }, text: 'who-location' };
    if (group !== 'Tag') return undefined;
    const value = { for: group, tag };
    return tag === null ? { value, text: 'who-some' } : { value, text: 'who-tag', words: { tag } };
  },
  hold: ({ holdMinutes }) => minutes(holdMinutes, 'hold-none'),
  'cancel-deadline': ({ cancelDeadlineMinutes }) => minutes(cancelDeadlineMinutes, 'cancel-deadline-none'),
  price: ({ priceMinor }) => {
    const told = amount(priceMinor);
    return told && { ...told, ...(priceMinor === 0n ? { text: 'price-none' } : {}) };
  },
  // Of nothing, nothing is given back.
  refund: ({ priceMinor, refundPercent: percent }) =>
    priceMinor === null || priceMinor === 0n || percent === null
      ? undefined
      : { value: percent, words: { percent: { percent } } },
  'cancel-fee': ({ cancelFeeMinor }) => amount(cancelFeeMinor),
  'no-show-fee': ({ noShowFeeMinor }) => amount(noShowFeeMinor),
};
