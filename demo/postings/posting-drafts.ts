// Creates the drafts of demo postings, each with the usual values of its kind.

import { containedVat, type PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import { bookingPrice } from '../bookings/booking-policies.ts';
import type { DemoUnit } from '../places/places.ts';
import type { Random } from '../random.ts';
import { randomPrice, randomUse } from '../tariff.ts';

/** What a draft needs from its bank. */
type PostingContext = {
  readonly tenant: { readonly currency: string };
  readonly bank: { readonly vatBasisPoints: number | null };
};

type UsedUnit = Pick<DemoUnit, 'locationId' | 'unitId' | 'type'>;
type PostingBasics = { readonly recordedAt: number; readonly residentId: number; readonly currency?: string };

/** One use of a unit. The amount is negative, and contains tax if the bank has a rate. */
export function consumptionDraft(
  { tenant, bank }: PostingContext,
  random: Random,
  {
    recordedAt,
    residentId,
    unit,
    currency = tenant.currency,
    documentId,
  }: PostingBasics & { unit: UsedUnit; documentId: number | null },
): PostingDraft {
  const { text, amountMinor } = randomUse(unit.type, currency, random);
  return {
    recordedAt,
    locationId: unit.locationId,
    unitId: unit.unitId,
    residentId,
    kind: 'Consumption',
    currency,
    amountMinor,
    vatMinor: containedVat(amountMinor, bank.vatBasisPoints),
    documentId,
    text,
    // The equipment needs the tag to reverse the use; some equipment is too old to send it.
    internalTag: random.chance(0.9) ? random.int(1, 2 ** 31 - 1) : null,
  };
}

/** A posting without a unit; without a location too if `locationId` is 0. */
export function postingDraft(
  { tenant }: PostingContext,
  { recordedAt, residentId, currency = tenant.currency }: PostingBasics,
  rest: Pick<PostingDraft, 'kind' | 'amountMinor' | 'text'> & Partial<PostingDraft>,
): PostingDraft {
  return { recordedAt, locationId: 0, unitId: 0, residentId, currency, ...rest };
}

export function paymentDraft(
  book: PostingContext,
  random: Random,
  paid: PostingBasics & { readonly locationId?: number },
): PostingDraft {
  const { currency = book.tenant.currency, locationId = 0 } = paid;
  const paymentKind = random.pick(['', '', 'Credit', 'Credit', 'ReserveRefund'] as const);
  return postingDraft(book, paid, {
    kind: 'Payment',
    paymentKind,
    locationId,
    amountMinor: randomPrice(currency, 5000, 50_000, random),
    text: paymentKind === 'ReserveRefund' ? 'Refund of a reserve' : 'Payment',
    paymentReference: paymentKind === '' ? null : createPaymentReference(random),
  });
}

/** Invented, like everything that an external payment provider would supply. */
export const createPaymentReference = (random: Random): string => `demo-payment-${random.int(100_000, 999_999)}`;

// Booked in the portal, or on the panel beside the machines.
const bookingFeeTexts = ['Reservation fee', 'Reservation fee (panel)'] as const;

/** A reservation at the price of its unit. */
export function bookingFeeDraft(
  book: PostingContext,
  random: Random,
  { recordedAt, residentId, unit }: PostingBasics & { unit: UsedUnit },
): PostingDraft {
  const price = bookingPrice(unit.type, book.tenant.currency);
  return postingDraft(
    book,
    { recordedAt, residentId },
    {
      kind: 'Booking',
      locationId: unit.locationId,
      unitId: unit.unitId,
      amountMinor: -price,
      text: price === 0n ? 'Reservation' : random.pick(bookingFeeTexts),
    },
  );
}

/** Compensates a posting: same place, resident and document, opposite amount. */
export function reversalDraft(original: PostingDraft, reversedAt: number): PostingDraft {
  const { amountMinor, vatMinor } = original;
  return {
    ...original,
    recordedAt: reversedAt,
    amountMinor: -amountMinor,
    vatMinor: vatMinor == null ? null : -vatMinor,
    internalTag: null,
  };
}
