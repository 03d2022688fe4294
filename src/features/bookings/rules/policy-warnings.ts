// Finds problems in a policy itself: missing values, contradictions, and rules that no booking can satisfy. A setting
// that merely has no effect is not reported.

import type { BookingPolicy } from './policy.ts';
import {
  bookableHours,
  lastStartMinutesOf,
  shortestBookingMinutes,
  listPossibleStarts,
  type DailyInterval,
} from './possible-starts.ts';
import { calculateRefund } from './refund.ts';
import type { TextValues } from './text-values.ts';

/** In the order in which they are listed. Texts: `locales/booking-warnings.json`. */
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
type PolicyWarningCode = (typeof warningCodes)[number];

export type PolicyWarning = { readonly code: PolicyWarningCode; readonly textValues: TextValues };

/** All warnings about a policy. `invalid`: the names of the settings whose stored values are invalid. */
export function listPolicyWarnings(policy: BookingPolicy, invalid: readonly string[]): PolicyWarning[] {
  const warnings = [
    ...invalid.map((settingName): PolicyWarning => ({
      code: 'invalid-value',
      textValues: { setting: { settingName } },
    })),
    ...listMissingWarnings(policy),
    ...listContradictionWarnings(policy),
    ...listUnreachableWarnings(policy),
    ...listFeeWarnings(policy),
  ];
  return warnings.toSorted((a, b) => warningCodes.indexOf(a.code) - warningCodes.indexOf(b.code));
}

const warnIf = (condition: boolean, code: PolicyWarningCode, textValues: TextValues = {}): PolicyWarning[] =>
  condition ? [{ code, textValues }] : [];

function listMissingWarnings(policy: BookingPolicy): PolicyWarning[] {
  const { calendar, for: group, tag, from, through, quietFrom, quietThrough } = policy;
  return [
    ...warnIf(calendar === null, 'missing-calendar'),
    ...warnIf(group === 'Tag' && tag === null, 'missing-tag'),
    ...warnIf(group !== 'Tag' && tag !== null, 'unused-tag', { tag: tag ?? '' }),
    ...warnIf((from === null) !== (through === null), 'incomplete-hours'),
    ...warnIf((quietFrom === null) !== (quietThrough === null), 'incomplete-quiet-hours'),
  ];
}

function listContradictionWarnings(policy: BookingPolicy): PolicyWarning[] {
  const { minLengthMinutes: min, maxLengthMinutes: max, maxOpen, holdMinutes: hold, lastStart } = policy;
  const [hours, last] = [bookableHours(policy), lastStartMinutesOf(policy)];
  const maxUpcoming = maxUpcomingBookings(policy);
  const lengths = { min: { minutes: min ?? 0 }, max: { minutes: max ?? 0 } };
  return [
    ...warnIf(min !== null && max !== null && min > max, 'contradictory-lengths', lengths),
    ...warnIf(
      hours !== undefined && last !== undefined && leavesNoRoomInHours(last, hours, shortestBookingMinutes(policy)),
      'contradictory-last-start',
      { time: lastStart ?? '' },
    ),
    ...warnIf(maxOpen !== null && maxOpen > maxUpcoming, 'contradictory-max-open', {
      count: maxOpen ?? 0,
      most: maxUpcoming,
    }),
    ...warnIf(hold !== null && max !== null && hold >= max, 'contradictory-hold', {
      hold: { minutes: hold ?? 0 },
      max: lengths.max,
    }),
  ];
}

/** Whether a booking at the last start would end after the hours, although the hours are long enough for one. */
const leavesNoRoomInHours = (last: number, { from, through }: DailyInterval, length: number): boolean =>
  from <= through - length && through - length < last;

function listUnreachableWarnings(policy: BookingPolicy): PolicyWarning[] {
  const possibleStarts = listPossibleStarts(policy);
  if ('blockedBy' in possibleStarts) {
    const { lastStart } = policy;
    const textValues: TextValues =
      possibleStarts.blockedBy === 'last-start'
        ? { time: lastStart ?? '' }
        : { min: { minutes: shortestBookingMinutes(policy) } };
    return [{ code: `unreachable-${possibleStarts.blockedBy}`, textValues }];
  }
  const { horizonDays, noticeMinutes: notice, cancelDeadlineMinutes: deadline } = policy;
  if (horizonDays === null) return [];
  // From midnight to the latest start on the last day of the horizon, without clock changes.
  const longestAhead = horizonDays * 1440 + Math.max(...possibleStarts.starts.map((start) => start % 1440));
  return [
    ...warnIf((notice ?? 0) > longestAhead, 'unreachable-notice', { duration: { minutes: notice ?? 0 } }),
    ...warnIf((deadline ?? 0) > longestAhead, 'unreachable-cancellation', { duration: { minutes: deadline ?? 0 } }),
  ];
}

function listFeeWarnings(policy: BookingPolicy): PolicyWarning[] {
  const [price, fee] = [policy.priceMinor ?? 0n, policy.cancelFeeMinor ?? 0n];
  if (fee === 0n) return [];
  const textValues: TextValues = { fee: { minor: fee }, price: { minor: price } };
  if (price === 0n) return [{ code: 'fee-without-price', textValues }];
  if (fee > price) return [{ code: 'fee-above-price', textValues }];
  const refund = calculateRefund(price, { ...policy, cancelFeeMinor: null });
  return warnIf(fee > refund, 'fee-above-refund', { ...textValues, refund: { minor: refund } });
}

/** The most upcoming bookings that a resident can have within the horizon; Infinity without a horizon. */
function maxUpcomingBookings({ horizonDays, maxPerDay, maxPerWeek, maxPerMonth }: BookingPolicy): number {
  if (horizonDays === null) return Number.POSITIVE_INFINITY;
  const days = horizonDays + 1;
  const limits = [
    [maxPerDay, days],
    [maxPerWeek, Math.floor((days - 2) / 7) + 2],
    [maxPerMonth, maxTouchedMonths(days)],
  ] as const;
  return Math.min(...limits.map(([limit, times]) => (limit === null ? Number.POSITIVE_INFINITY : limit * times)));
}

/**
 * The most months that so many consecutive days can touch. Such days begin on the 31st of a month and avoid a leap day.
 */
function maxTouchedMonths(days: number): number {
  const touched = Array.from({ length: 12 }, (_, index) => {
    const first = Temporal.PlainDate.from({ year: 2025, month: index + 1, day: 31 });
    const last = first.add({ days: days - 1 });
    return (last.year - first.year) * 12 + last.month - first.month + 1;
  });
  return Math.max(...touched);
}
