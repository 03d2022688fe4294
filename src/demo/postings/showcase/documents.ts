// Receipt groups: what shares a document id and belongs together, what shares one and does not, and what has none.

import type { PostingDraft } from '../../../features/account/rules/posting-draft.ts';
import { guestUserId } from '../../../lib/kid.ts';
import { dayMs, minuteMs } from '../../calendar.ts';
import type { DemoUnit } from '../../places/places.ts';
import { consumptionDraft, postingDraft, createPaymentReference } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type ShowcaseCase, type ShowcaseContext } from './showcase-context.ts';

// Far above what everyday life counts up to, far below the simulator's.
const firstSharedDocumentId = 90_000_001;

export function documentCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { scene, random, neighbours, residentElsewhere, units, unitElsewhere, open } = stage;
  const [one, two, three] = neighbours.map(({ residentId }) => residentId) as [number, number, number];
  let at = minutesAgo(stage, 26 * 60);
  const addUse = (
    userId: number,
    documentId: number | null,
    unit: DemoUnit,
    rest: Partial<PostingDraft> = {},
  ): ShowcaseCase => {
    at += minuteMs;
    return inOpenPeriod(stage, { ...consumptionDraft(scene, random, { at, userId, unit, documentId }), ...rest });
  };
  const [unit, otherUnit] = units;
  const otherPrice = { currency: scene.otherCurrency };
  const managed = { paymentKind: 'Managed', paymentReference: createPaymentReference(random) } as const;
  const refund = postingDraft(
    scene,
    { at: minutesAgo(stage, 25 * 60), userId: two },
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
    // The same number, but another resident, another location, another currency, or managed by a payment.
    addUse(two, firstSharedDocumentId, unit),
    addUse(one, firstSharedDocumentId, unitElsewhere),
    addUse(one, firstSharedDocumentId, unit, otherPrice),
    addUse(one, firstSharedDocumentId, unit, managed),
    addUse(guestUserId, firstSharedDocumentId, unit, managed),
    // A group of four, one of them a credit, and one of two.
    addUse(two, firstSharedDocumentId + 1, unit),
    addUse(two, firstSharedDocumentId + 1, otherUnit),
    addUse(two, firstSharedDocumentId + 1, unit),
    inOpenPeriod(stage, refund),
    addUse(residentElsewhere.residentId, firstSharedDocumentId + 2, unitElsewhere),
    addUse(residentElsewhere.residentId, firstSharedDocumentId + 2, unitElsewhere),
    // No number, and two that are none.
    addUse(three, null, unit),
    addUse(three, 0, unit),
    addUse(three, 0, otherUnit),
    addUse(three, -5, unit),
    addUse(three, -5, otherUnit),
    // The first number once more, in the period before.
    {
      period: open - 1,
      step: { ...addUse(one, firstSharedDocumentId, unit).step, recordedAt: openPeriodStart(stage) - dayMs },
    },
  ];
}

const openPeriodStart = ({ scene, open }: ShowcaseContext): number => scene.periods[open]?.from ?? 0;
