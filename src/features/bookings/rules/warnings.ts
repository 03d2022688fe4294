// What is wrong with a policy as such: rules that contradict each other, that nothing can ever satisfy, or that miss
// what they speak of. What is merely without effect, and does no harm, is none of these. Texts stand in the section
// bookingWarnings of the locales.

import { mostAhead } from './most-ahead.ts';
import { refundOf } from './money.ts';
import type { Policy } from './policy.ts';
import type { Words } from './word.ts';
import { bookableHours, lastStartOf, shortest, startsOf, type Hours } from './starts.ts';

/** In the order in which they are told. */
export const warningCodes = [
  'invalid-value',
  'missing-calendar',
  'missing-tag',
  'unused-tag',
  'incomplete-hours',
  'incomplete-quiet-hours',
  'contradictory-lengths',
  'contradictory-last-start',
  'contradictory-max-open',
  'contradictory-hold',
  'unreachable-length',
  'unreachable-last-start',
  'unreachable-quiet-hours',
  'unreachable-step',
  'unreachable-notice',
  'unreachable-cancellation',
  'fee-without-price',
  'fee-above-price',
  'fee-above-refund',
] as const;
export type WarningCode = (typeof warningCodes)[number];

export type Warning = { readonly code: WarningCode; readonly words: Words };

/** All that is wrong with a policy; `invalid` names the settings whose stored text is not what it may be. */
export function warningsOf(policy: Policy, invalid: readonly string[]): Warning[] {
  const found = [
    ...invalid.map((setting): Warning => ({ code: 'invalid-value', words: { setting } })),
    ...missing(policy),
    ...contradictory(policy),
    ...unreachable(policy),
    ...fees(policy),
  ];
  return found.toSorted((a, b) => warningCodes.indexOf(a.code) - warningCodes.indexOf(b.code));
}

const when = (isSo: boolean, code: WarningCode, words: Words = {}): Warning[] => (isSo ? [{ code, words }] : []);

function missing(policy: Policy): Warning[] {
  const { calendar, for: group, tag, from, through, quietFrom, quietThrough } = policy;
  return [
    ...when(calendar === null, 'missing-calendar'),
    ...when(group === 'Tag' && tag === null, 'missing-tag'),
    ...when(group !== 'Tag' && tag !== null, 'unused-tag', { tag: tag ?? '' }),
    ...when((from === null) !== (through === null), 'incomplete-hours'),
    ...when((quietFrom === null) !== (quietThrough === null), 'incomplete-quiet-hours'),
  ];
}

function contradictory(policy: Policy): Warning[] {
  const { minLengthMinutes: min, maxLengthMinutes: max, maxOpen, holdMinutes: hold, lastStart } = policy;
  const [hours, last] = [bookableHours(policy), lastStartOf(policy)];
  const most = mostAhead(policy);
  const lengths = { min: { minutes: min ?? 0 }, max: { minutes: max ?? 0 } };
  return [
    ...when(min !== null && max !== null && min > max, 'contradictory-lengths', lengths),
    ...when(
      hours !== undefined && last !== undefined && isBeyond(last, hours, shortest(policy)),
      'contradictory-last-start',
      { time: lastStart ?? '' },
    ),
    ...when(maxOpen !== null && maxOpen > most, 'contradictory-max-open', { count: maxOpen ?? 0, most }),
    ...when(hold !== null && max !== null && hold >= max, 'contradictory-hold', {
      hold: { minutes: hold ?? 0 },
      max: lengths.max,
    }),
  ];
}

/** Whether a start leaves no room within the hours, which would have room for another. */
const isBeyond = (last: number, { from, through }: Hours, length: number): boolean =>
  from <= through - length && through - length < last;

function unreachable(policy: Policy): Warning[] {
  const found = startsOf(policy);
  if ('blockedBy' in found) {
    const { lastStart } = policy;
    const words: Words =
      found.blockedBy === 'last-start' ? { time: lastStart ?? '' } : { min: { minutes: shortest(policy) } };
    return [{ code: `unreachable-${found.blockedBy}`, words }];
  }
  const { horizonDays, noticeMinutes: notice, cancelDeadlineMinutes: deadline } = policy;
  if (horizonDays === null) return [];
  // From the midnight of a day to the latest start on the last day of its horizon; no account is taken of clock changes.
  const longestAhead = horizonDays * 1440 + Math.max(...found.starts.map((start) => start % 1440));
  return [
    ...when((notice ?? 0) > longestAhead, 'unreachable-notice', { duration: { minutes: notice ?? 0 } }),
    ...when((deadline ?? 0) > longestAhead, 'unreachable-cancellation', { duration: { minutes: deadline ?? 0 } }),
  ];
}

function fees(policy: Policy): Warning[] {
  const [price, fee] = [policy.priceMinor ?? 0n, policy.cancelFeeMinor ?? 0n];
  if (fee === 0n) return [];
  const words: Words = { fee: { minor: fee }, price: { minor: price } };
  if (price === 0n) return [{ code: 'fee-without-price', words }];
  if (fee > price) return [{ code: 'fee-above-price', words }];
  const refund = refundOf(price, { ...policy, cancelFeeMinor: null });
  return when(fee > refund, 'fee-above-refund', { ...words, refund: { minor: refund } });
}
