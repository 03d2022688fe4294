// The codes of held lines: why a line could not be booked when it arrived.

export const heldCodes = [
  'malformed',
  'unknown-unit',
  'unknown-key',
  'foreign-currency',
  'time-ahead',
  'ref-conflict',
  'unknown-ref',
  'invalid-amount',
  'booking-refused',
  'unknown-value',
  'unknown-command',
] as const;
export type HeldCode = (typeof heldCodes)[number];

export const heldStates = ['held', 'resolved', 'discarded'] as const;
export type HeldState = (typeof heldStates)[number];
