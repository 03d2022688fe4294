// Amounts of every sign, kind and currency: unknown currencies, zeroes, payments of each kind, and amounts that no
// double can hold.

import type { PostingDraft } from '../../../features/account/rules/posting-draft.ts';
import { bookingPrice } from '../../bookings/booking-policies.ts';
import { containedVat } from '../../tariff.ts';
import { postingDraft, createPaymentReference } from '../posting-drafts.ts';
import {
  sampleConsumption,
  inOpenPeriod,
  minutesAgo,
  type ShowcaseCase,
  type ShowcaseContext,
} from './showcase-context.ts';

type PostingDetails = Pick<PostingDraft, 'kind' | 'amountMinor' | 'text'> & Partial<PostingDraft>;

/** A line of the second neighbour, somewhen in the last days. */
function neighbourPosting(stage: ShowcaseContext, minutes: number, rest: PostingDetails): ShowcaseCase {
  const userId = stage.neighbours[1].residentId;
  return inOpenPeriod(stage, postingDraft(stage.scene, { at: minutesAgo(stage, minutes), userId }, rest));
}

export function moneyCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { otherCurrency, bank } = stage.scene;
  const vatMinor = containedVat(0n, bank.vatBasisPoints);
  const { locationId, unitId } = stage.units[0];
  const place = { locationId, unitId };
  const unpriced = { currency: '' };
  return [
    neighbourPosting(stage, 4000, {
      kind: 'Consumption',
      ...place,
      ...unpriced,
      amountMinor: -700n,
      text: 'Old equipment',
    }),
    neighbourPosting(stage, 3990, {
      kind: 'Consumption',
      ...place,
      ...unpriced,
      amountMinor: -1n,
      text: 'Old equipment',
    }),
    neighbourPosting(stage, 3980, { kind: 'Credit', ...unpriced, amountMinor: 300n, text: 'Old equipment' }),
    neighbourPosting(stage, 3900, { kind: 'Unknown', amountMinor: 0n, text: '' }),
    neighbourPosting(stage, 3890, { kind: 'Unknown', amountMinor: 4200n, text: 'Line of an unknown kind' }),
    ...reservationCases(stage),
    neighbourPosting(stage, 3700, { kind: 'Consumption', ...place, amountMinor: 0n, vatMinor, text: 'Free wash' }),
    neighbourPosting(stage, 3600, { kind: 'Credit', amountMinor: -1500n, text: 'Correction' }),
    neighbourPosting(stage, 3590, {
      kind: 'Credit',
      currency: otherCurrency,
      amountMinor: 1500n,
      text: 'Compensation',
    }),
    ...paymentCases(stage),
    ...oddTextCases(stage),
  ];
}

/** The second neighbour's is cancelled soon after; the third's, made in between, stands. */
function reservationCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { scene, neighbours, units } = stage;
  const [{ locationId, unitId, type }] = units;
  const price = bookingPrice(type, scene.tenant.currency);
  const [, { residentId: second }, { residentId: third }] = neighbours;
  const posted = (minutes: number, userId: number, amountMinor: bigint, text: string): ShowcaseCase => {
    const rest = { kind: 'Booking', locationId, unitId, amountMinor, text } as const;
    return inOpenPeriod(stage, postingDraft(scene, { at: minutesAgo(stage, minutes), userId }, rest));
  };
  return [
    posted(3800, second, -price, 'Reservation fee'),
    posted(3790, third, -price, 'Reservation fee'),
    posted(3780, second, price, 'Reservation cancelled'),
  ];
}

function paymentCases(stage: ShowcaseContext): ShowcaseCase[] {
  const paid = (minutes: number, rest: Partial<PostingDraft>): ShowcaseCase =>
    neighbourPosting(stage, minutes, { kind: 'Payment', amountMinor: 20_000n, text: 'Payment', ...rest });
  const paymentReference = createPaymentReference(stage.random);
  return [
    paid(3500, {}),
    paid(3490, { paymentKind: 'Credit', paymentReference }),
    paid(3480, { paymentKind: 'ReserveRefund', paymentReference, amountMinor: 7500n, text: 'Refund of a reserve' }),
    paid(3470, { paymentKind: 'Managed', paymentReference, documentId: 90_000_009 }),
    paid(3460, { currency: stage.scene.otherCurrency, paymentKind: 'Credit', paymentReference }),
  ];
}

/** Texts that would break a page, a sheet or a count that trusts them. */
function oddTextCases(stage: ShowcaseContext): ShowcaseCase[] {
  const texts = ['Wash 40° – “Eco” <b>& more</b>', '=1+1', 'Wash, "gentle"', 'Vask ÆØÅ åéü 🧺', 'Test wash E'];
  return texts.map((text, at) =>
    inOpenPeriod(stage, { ...sampleConsumption(stage, minutesAgo(stage, 3400 - at)), text }),
  );
}

export function hugeAmountCases(stage: ShowcaseContext): ShowcaseCase[] {
  const fee = { kind: 'Consumption', text: 'Beyond what a double holds' } as const;
  return [
    neighbourPosting(stage, 2000, { ...fee, amountMinor: -(2n ** 53n) - 1n }),
    neighbourPosting(stage, 1990, { ...fee, kind: 'Credit', amountMinor: 2n ** 60n + 7n }),
  ];
}
