// The lines an account is made of, each with what is usual for it.

import type { PostingDraft } from '../../features/account/ledger.ts';
import { bookingPrice } from '../booking-policies.ts';
import type { DemoUnit } from '../places.ts';
import type { Random } from '../random.ts';
import { priceIn, usePrice, vatWithin } from '../tariff.ts';

/** What a line needs to know of the bank it is posted in. */
export type Book = {
  readonly tenant: { readonly currency: string };
  readonly bank: { readonly vatBasisPoints: number | null };
};

type Used = Pick<DemoUnit, 'locationId' | 'unitId' | 'type'>;
type Line = { readonly at: number; readonly userId: number; readonly currency?: string };

/** One use of a unit; the amount is negative, and holds tax where the bank has a rate. */
export function consumption(
  { tenant, bank }: Book,
  random: Random,
  { at, userId, unit, currency = tenant.currency, documentId }: Line & { unit: Used; documentId: number | null },
): PostingDraft {
  const { text, amountMinor } = usePrice(unit.type, currency, random);
  return {
    recordedAt: at,
    locationId: unit.locationId,
    unitId: unit.unitId,
    userId,
    kind: 'Consumption',
    currency,
    amountMinor,
    vatMinor: vatWithin(amountMinor, bank.vatBasisPoints),
    documentId,
    text,
    // What the equipment needs to take the use back; some of it is too old to know.
    internalTag: random.chance(0.9) ? random.int(1, 2 ** 31 - 1) : null,
  };
}

/** A line without a unit, and where `locationId` is 0 without a place. */
export function line(
  { tenant }: Book,
  { at, userId, currency = tenant.currency }: Line,
  rest: Pick<PostingDraft, 'kind' | 'amountMinor' | 'text'> & Partial<PostingDraft>,
): PostingDraft {
  return { recordedAt: at, locationId: 0, unitId: 0, userId, currency, ...rest };
}

export function payment(book: Book, random: Random, paid: Line & { readonly locationId?: number }): PostingDraft {
  const { currency = book.tenant.currency, locationId = 0 } = paid;
  const paymentKind = random.pick(['', '', 'Credit', 'Credit', 'ReserveRefund'] as const);
  return line(book, paid, {
    kind: 'Payment',
    paymentKind,
    locationId,
    amountMinor: priceIn(currency, 5000, 50_000, random),
    text: paymentKind === 'ReserveRefund' ? 'Refund of a reserve' : 'Payment',
    paymentReference: paymentKind === '' ? null : reference(random),
  });
}

/** Made up, like all that an outside payment provider would have given. */
export const reference = (random: Random): string => `demo-payment-${random.int(100_000, 999_999)}`;

// Booked in the portal, or on the panel beside the machines.
const feeTexts = ['Reservation fee', 'Reservation fee (panel)'] as const;

/** A reservation, for what the rules of its unit ask. */
export function booking(book: Book, random: Random, { at, userId, unit }: Line & { unit: Used }): PostingDraft {
  const price = bookingPrice(unit.type, book.tenant.currency);
  return line(
    book,
    { at, userId },
    {
      kind: 'Booking',
      locationId: unit.locationId,
      unitId: unit.unitId,
      amountMinor: -price,
      text: price === 0n ? 'Reservation' : random.pick(feeTexts),
    },
  );
}

/** Compensates a line: the same place, person and document, the opposite amount. */
export function reversalOf(original: PostingDraft, at: number): PostingDraft {
  const { amountMinor, vatMinor } = original;
  return {
    ...original,
    recordedAt: at,
    amountMinor: -amountMinor,
    vatMinor: vatMinor == null ? null : -vatMinor,
    internalTag: null,
  };
}
