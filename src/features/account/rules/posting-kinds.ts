// The kinds of postings with their stored codes, and the nine classes that filters and roll-ups use.

/** The stored code is the index in this list. */
export const kinds = [
  'Unknown',
  'Consumption',
  'Booking',
  'Month',
  'Payment',
  'Credit',
  'Discount',
  'TransferToRent',
] as const;
export type Kind = (typeof kinds)[number];

/** The stored code is the index in this list; empty is not a payment. */
export const paymentKinds = ['', 'Credit', 'ReserveRefund', 'Managed'] as const;
export type PaymentKind = (typeof paymentKinds)[number];

export const kindCode = (kind: Kind): number => kinds.indexOf(kind);
export const paymentKindCode = (kind: PaymentKind): number => paymentKinds.indexOf(kind);

export const kindFromCode = (code: number): Kind => kinds[code] ?? 'Unknown';
export const paymentKindFromCode = (code: number): PaymentKind => paymentKinds[code] ?? '';

// A class is the sign of the amount and a group of kinds: bookings, monthly entries, or everything else.
export const amountSigns = { debit: 0, zero: 1, credit: 2 } as const;

const computeKindGroup = (kind: number): number =>
  kind === kindCode('Booking') ? 1 : kind === kindCode('Month') ? 2 : 0;

export const postingClassCount = 9;

export function computePostingClass(kind: number, amountMinor: bigint): number {
  const sign = amountMinor < 0n ? amountSigns.debit : amountMinor > 0n ? amountSigns.credit : amountSigns.zero;
  return computeKindGroup(kind) * 3 + sign;
}

export type KindFilter = {
  readonly kind: 'all' | 'debit' | 'credit';
  readonly includeZero: boolean;
  readonly includeBookings: boolean;
  readonly includeMonthly: boolean;
};

/** The classes that a filter includes. */
export function listPostingClasses({ kind, includeZero, includeBookings, includeMonthly }: KindFilter): number[] {
  const wanted = [
    ...(kind === 'credit' ? [] : [amountSigns.debit]),
    ...(kind === 'all' && includeZero ? [amountSigns.zero] : []),
    ...(kind === 'debit' ? [] : [amountSigns.credit]),
  ];
  const groups = [0, ...(includeBookings ? [1] : []), ...(includeMonthly ? [2] : [])];
  return groups.flatMap((group) => wanted.map((sign) => group * 3 + sign));
}
