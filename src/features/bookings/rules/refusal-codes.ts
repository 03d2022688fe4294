// What can speak against a command, by stable codes.

/** Why a command is refused, in the order in which the first is found. Texts: section bookingCodes of the locales. */
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
] as const;
export type RefusalCode = (typeof refusalCodes)[number];
