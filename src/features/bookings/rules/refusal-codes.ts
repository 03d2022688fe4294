// The codes of the reasons for which a command on a booking is refused.

import type { ProblemReason } from '../../../lib/problem.ts';

/** Two of them have problem codes of their own; the others are the reasons of `booking-not-allowed`. */
export type RefusalCode = 'ended' | 'overlap' | ProblemReason<'booking-not-allowed'>;

/** In the order of their precedence: a command reports the first. Texts: `locales/booking-codes.json`. */
export const refusalCodes = [
  'ended',
  'not-booked',
  'not-cancelled',
  'overlap',
  'unit-deleted',
  'unit-disabled',
  'resident-gone',
  'place-disabled',
  'not-bookable',
  'cancel-deadline',
  'notice',
  'horizon',
  'max-open',
  'max-per-day',
  'max-per-week',
  'max-per-month',
] as const satisfies readonly RefusalCode[];
