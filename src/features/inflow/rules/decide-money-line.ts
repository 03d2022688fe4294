// Decides what becomes of a line of the stream of money: it is booked, it is held for a manager, or it repeats a line
// that another epoch has brought. No consumption is refused.

import { maxBookingLengthMs, slotMs } from '../../bookings/rules/slots.ts';
import type { HeldCode } from './held-codes.ts';
import type { MoneyLine } from './money-line.ts';

/** Who had a key, and since when (MS2000). */
export type KeyHolder = { readonly residentId: number; readonly since: number };

/** A booked use, and what of it was not refunded yet. */
export type RefundableUse = {
  readonly residentId: number;
  readonly documentId: number | null;
  readonly text: string;
  /** Less than zero. */
  readonly amountMinor: bigint;
  readonly vatMinor: bigint | null;
  readonly leftMinor: bigint;
  /** The posting, or the place of the use among the lines that are booked together with the refund. */
  readonly source: UseSource;
};
type UseSource = { readonly postingId: number } | { readonly plannedIndex: number };

export type MoneyFacts = {
  /** The time of the event, MS2000; undefined where it cannot be known. */
  readonly at: number | undefined;
  readonly isAhead: boolean;
  /** Whether the unit that the line names is one of the computer. */
  readonly isUnitKnown: boolean;
  /** The currency of the bank. */
  readonly currency: string;
  readonly content: string;
  /** The content of the line of the same unit that was booked with the same reference. */
  readonly knownContent: string | undefined;
  readonly keyHolder: KeyHolder | undefined;
  /** The use that a refund names. */
  readonly refunded: RefundableUse | undefined;
};

export type BookDecision = {
  readonly kind: 'book';
  readonly at: number;
  readonly residentId: number;
  readonly amountMinor: bigint;
};

export type MoneyDecision =
  | BookDecision
  | { readonly kind: 'make-booking'; readonly at: number; readonly residentId: number; readonly priceMinor: bigint }
  | { readonly kind: 'cancel-booking'; readonly at: number }
  | HoldDecision
  /** A repeat of a line that another epoch has brought. */
  | { readonly kind: 'other' };

export type HoldDecision = {
  readonly kind: 'hold';
  readonly code: HeldCode;
  /** Why a booking is refused. */
  readonly reason?: string;
};

/** The line is undefined where it is malformed. */
export function decideMoneyLine(line: MoneyLine | undefined, facts: MoneyFacts): MoneyDecision {
  const { at, knownContent, content } = facts;
  if (line === undefined || at === undefined) return hold('malformed');
  if (!facts.isUnitKnown) return hold('unknown-unit');
  if (knownContent !== undefined) return knownContent === content ? { kind: 'other' } : hold('ref-conflict');
  if (facts.isAhead) return hold('time-ahead');
  if (line.currency !== undefined && line.currency !== facts.currency) return hold('foreign-currency');
  if (!hasValidSign(line)) return hold('invalid-amount');
  if (line.kind === 'cancel') return { kind: 'cancel-booking', at };
  if (line.kind === 'refund') return decideRefund(line, facts.refunded, at);
  if (line.kind === 'booking' && !isValidInterval(line)) return hold('booking-refused', 'invalid-interval');
  return decideForHolder(line, facts, at);
}

const hold = (code: HeldCode, reason?: string): HoldDecision => ({
  kind: 'hold',
  code,
  ...(reason === undefined ? {} : { reason }),
});

/** Consumption is negative, what is paid is positive. */
function hasValidSign({ kind, amountMinor = 0n }: MoneyLine): boolean {
  switch (kind) {
    case 'use':
    case 'booking':
      return amountMinor <= 0n;
    case 'pay':
      return amountMinor > 0n;
    case 'refund':
      return amountMinor >= 0n;
    case 'access':
    case 'cancel':
      return amountMinor === 0n;
  }
}

/** A refund without an amount is of all that is left of the use. */
function decideRefund({ amountMinor }: MoneyLine, refunded: RefundableUse | undefined, at: number): MoneyDecision {
  if (refunded === undefined) return hold('unknown-ref');
  const { leftMinor, residentId } = refunded;
  const refundMinor = amountMinor ?? leftMinor;
  return refundMinor <= 0n || refundMinor > leftMinor
    ? hold('invalid-amount')
    : { kind: 'book', at, residentId, amountMinor: refundMinor };
}

const isValidInterval = ({ from = 0, to = 0 }: MoneyLine): boolean =>
  from % slotMs === 0 && to % slotMs === 0 && from < to && to - from <= maxBookingLengthMs;

/** A key that somebody got only after the event was somebody else's then. */
function decideForHolder({ kind, amountMinor = 0n }: MoneyLine, { keyHolder }: MoneyFacts, at: number): MoneyDecision {
  if (keyHolder === undefined || keyHolder.since > at) return hold('unknown-key');
  const { residentId } = keyHolder;
  return kind === 'booking'
    ? { kind: 'make-booking', at, residentId, priceMinor: -amountMinor }
    : { kind: 'book', at, residentId, amountMinor };
}
