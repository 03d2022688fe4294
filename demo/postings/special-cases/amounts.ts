// Special cases of amounts: every sign, kind and currency, unknown currencies, zeroes, each kind of payment, and
// amounts that a double cannot hold exactly.

import { containedVat, type PostingDraft } from '../../../src/features/account/rules/posting-draft.ts';
import { bookingPrice } from '../../bookings/booking-policies.ts';
import { postingDraft, createPaymentReference } from '../posting-drafts.ts';
import {
  sampleConsumption,
  inOpenPeriod,
  minutesAgo,
  type SpecialCase,
  type SpecialCaseContext,
} from './special-case-context.ts';

type PostingDetails = Pick<PostingDraft, 'kind' | 'amountMinor' | 'text'> & Partial<PostingDraft>;

/** A posting of the second neighbour in the last days. */
function neighbourPosting(context: SpecialCaseContext, minutes: number, rest: PostingDetails): SpecialCase {
  const residentId = context.neighbours[1].residentId;
  return inOpenPeriod(
    context,
    postingDraft(context.scenario, { recordedAt: minutesAgo(context, minutes), residentId }, rest),
  );
}

export function amountCases(context: SpecialCaseContext): SpecialCase[] {
  const { otherCurrency, bank } = context.scenario;
  const vatMinor = containedVat(0n, bank.vatBasisPoints);
  const { locationId, unitId } = context.units[0];
  const place = { locationId, unitId };
  const unpriced = { currency: '' };
  return [
    neighbourPosting(context, 4000, {
      kind: 'Consumption',
      ...place,
      ...unpriced,
      amountMinor: -700n,
      text: 'Old equipment',
    }),
    neighbourPosting(context, 3990, {
      kind: 'Consumption',
      ...place,
      ...unpriced,
      amountMinor: -1n,
      text: 'Old equipment',
    }),
    neighbourPosting(context, 3980, { kind: 'Credit', ...unpriced, amountMinor: 300n, text: 'Old equipment' }),
    neighbourPosting(context, 3900, { kind: 'Unknown', amountMinor: 0n, text: '' }),
    neighbourPosting(context, 3890, { kind: 'Unknown', amountMinor: 4200n, text: 'Line of an unknown kind' }),
    ...reservationCases(context),
    neighbourPosting(context, 3700, { kind: 'Consumption', ...place, amountMinor: 0n, vatMinor, text: 'Free wash' }),
    neighbourPosting(context, 3600, { kind: 'Credit', amountMinor: -1500n, text: 'Correction' }),
    neighbourPosting(context, 3590, {
      kind: 'Credit',
      currency: otherCurrency,
      amountMinor: 1500n,
      text: 'Compensation',
    }),
    ...paymentCases(context),
    ...oddTextCases(context),
  ];
}

/** The second neighbour's reservation is cancelled soon after; the third's, made in between, is not. */
function reservationCases(context: SpecialCaseContext): SpecialCase[] {
  const { scenario, neighbours, units } = context;
  const [{ locationId, unitId, type }] = units;
  const price = bookingPrice(type, scenario.tenant.currency);
  const [, { residentId: second }, { residentId: third }] = neighbours;
  const posted = (minutes: number, residentId: number, amountMinor: bigint, text: string): SpecialCase => {
    const rest = { kind: 'Booking', locationId, unitId, amountMinor, text } as const;
    return inOpenPeriod(
      context,
      postingDraft(scenario, { recordedAt: minutesAgo(context, minutes), residentId }, rest),
    );
  };
  return [
    posted(3800, second, -price, 'Reservation fee'),
    posted(3790, third, -price, 'Reservation fee'),
    posted(3780, second, price, 'Reservation cancelled'),
  ];
}

function paymentCases(context: SpecialCaseContext): SpecialCase[] {
  const paid = (minutes: number, rest: Partial<PostingDraft>): SpecialCase =>
    neighbourPosting(context, minutes, { kind: 'Payment', amountMinor: 20_000n, text: 'Payment', ...rest });
  const paymentReference = createPaymentReference(context.random);
  return [
    paid(3500, {}),
    paid(3490, { paymentKind: 'Credit', paymentReference }),
    paid(3480, { paymentKind: 'ReserveRefund', paymentReference, amountMinor: 7500n, text: 'Refund of a reserve' }),
    paid(3470, { paymentKind: 'Managed', paymentReference, documentId: 90_000_009 }),
    paid(3460, { currency: context.scenario.otherCurrency, paymentKind: 'Credit', paymentReference }),
  ];
}

/** Texts that would break a page, a spreadsheet or a count that does not treat them as plain text. */
function oddTextCases(context: SpecialCaseContext): SpecialCase[] {
  const texts = ['Wash 40° – “Eco” <b>& more</b>', '=1+1', 'Wash, "gentle"', 'Vask ÆØÅ åéü 🧺', 'Test wash E'];
  return texts.map((text, index) =>
    inOpenPeriod(context, { ...sampleConsumption(context, minutesAgo(context, 3400 - index)), text }),
  );
}

export function hugeAmountCases(context: SpecialCaseContext): SpecialCase[] {
  const fee = { kind: 'Consumption', text: 'Beyond what a double holds' } as const;
  return [
    neighbourPosting(context, 2000, { ...fee, amountMinor: -(2n ** 53n) - 1n }),
    neighbourPosting(context, 1990, { ...fee, kind: 'Credit', amountMinor: 2n ** 60n + 7n }),
  ];
}
