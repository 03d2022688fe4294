// Special cases of receipt groups: postings that share a document id and belong together, postings that share one and
// do not, and postings without one.

import type { PostingDraft } from '../../../src/features/account/rules/posting-draft.ts';
import { guestId } from '../../../src/lib/kid.ts';
import type { DemoUnit } from '../../places/places.ts';
import { consumptionDraft, postingDraft, createPaymentReference } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type SpecialCase, type SpecialCaseContext } from './special-case-context.ts';
import { dayMs, minuteMs } from '../../../src/lib/time/durations.ts';

// Far above the ids of everyday postings, and far below those of the simulator.
const firstSharedDocumentId = 90_000_001;

export function accountDocumentCases(context: SpecialCaseContext): SpecialCase[] {
  const { scenario, random, neighbours, residentElsewhere, units, unitElsewhere, open } = context;
  const [one, two, three] = neighbours.map(({ residentId }) => residentId) as [number, number, number];
  let recordedAt = minutesAgo(context, 26 * 60);
  const addUse = (
    residentId: number,
    documentId: number | null,
    unit: DemoUnit,
    rest: Partial<PostingDraft> = {},
  ): SpecialCase => {
    recordedAt += minuteMs;
    return inOpenPeriod(context, {
      ...consumptionDraft(scenario, random, { recordedAt, residentId, unit, documentId }),
      ...rest,
    });
  };
  const [unit, otherUnit] = units;
  const otherPrice = { currency: scenario.otherCurrency };
  const managed = { paymentKind: 'Managed', paymentReference: createPaymentReference(random) } as const;
  const refund = postingDraft(
    scenario,
    { recordedAt: minutesAgo(context, 25 * 60), residentId: two },
    {
      kind: 'Credit',
      locationId: unit.locationId,
      unitId: 0,
      documentId: firstSharedDocumentId + 1,
      amountMinor: 250n,
      text: 'Part returned',
    },
  );
  return [
    // A group of three.
    addUse(one, firstSharedDocumentId, unit),
    addUse(one, firstSharedDocumentId, otherUnit),
    addUse(one, firstSharedDocumentId, unit),
    // These have the same number, but another resident, another location, another currency, or managed by a payment.
    addUse(two, firstSharedDocumentId, unit),
    addUse(one, firstSharedDocumentId, unitElsewhere),
    addUse(one, firstSharedDocumentId, unit, otherPrice),
    addUse(one, firstSharedDocumentId, unit, managed),
    addUse(guestId, firstSharedDocumentId, unit, managed),
    // A group of four, one of them a credit, and one of two.
    addUse(two, firstSharedDocumentId + 1, unit),
    addUse(two, firstSharedDocumentId + 1, otherUnit),
    addUse(two, firstSharedDocumentId + 1, unit),
    inOpenPeriod(context, refund),
    addUse(residentElsewhere.residentId, firstSharedDocumentId + 2, unitElsewhere),
    addUse(residentElsewhere.residentId, firstSharedDocumentId + 2, unitElsewhere),
    // No document id, and two values that do not count as one.
    addUse(three, null, unit),
    addUse(three, 0, unit),
    addUse(three, 0, otherUnit),
    addUse(three, -5, unit),
    addUse(three, -5, otherUnit),
    // The first document id again, in the previous period.
    {
      period: open - 1,
      step: { ...addUse(one, firstSharedDocumentId, unit).step, recordedAt: openPeriodStart(context) - dayMs },
    },
  ];
}

const openPeriodStart = ({ scenario, open }: SpecialCaseContext): number => scenario.periods[open]?.from ?? 0;
