// Receipt groups: what shares a document id and belongs together, what shares one and does not, and what has none.

import type { PostingDraft } from '../../../features/account/ledger.ts';
import { guestUserId } from '../../../lib/kid.ts';
import { dayMs, minuteMs } from '../../calendar.ts';
import type { DemoUnit } from '../../places.ts';
import { consumption, line, reference } from '../drafts.ts';
import { lately, minutesAgo, type Case, type Stage } from './stage.ts';

// Far above what everyday life counts up to, far below the simulator's.
const shared = 90_000_001;

export function documentCases(stage: Stage): Case[] {
  const { scene, random, neighbours, visitor, units, unitElsewhere, open } = stage;
  const [one, two, three] = neighbours.map(({ residentId }) => residentId) as [number, number, number];
  let at = minutesAgo(stage, 26 * 60);
  const use = (userId: number, documentId: number | null, unit: DemoUnit, rest: Partial<PostingDraft> = {}): Case => {
    at += minuteMs;
    return lately(stage, { ...consumption(scene, random, { at, userId, unit, documentId }), ...rest });
  };
  const [unit, otherUnit] = units;
  const otherPrice = { currency: scene.otherCurrency };
  const managed = { paymentKind: 'Managed', paymentReference: reference(random) } as const;
  const refund = line(
    scene,
    { at: minutesAgo(stage, 25 * 60), userId: two },
    {
      kind: 'Credit',
      locationId: unit.locationId,
      unitId: 0,
      documentId: shared + 1,
      amountMinor: 250n,
      text: 'Part returned',
    },
  );
  return [
    // A group of three.
    use(one, shared, unit),
    use(one, shared, otherUnit),
    use(one, shared, unit),
    // The same number, but another resident, another location, another currency, or managed by a payment.
    use(two, shared, unit),
    use(one, shared, unitElsewhere),
    use(one, shared, unit, otherPrice),
    use(one, shared, unit, managed),
    use(guestUserId, shared, unit, managed),
    // A group of four, one of them a credit, and one of two.
    use(two, shared + 1, unit),
    use(two, shared + 1, otherUnit),
    use(two, shared + 1, unit),
    lately(stage, refund),
    use(visitor.residentId, shared + 2, unitElsewhere),
    use(visitor.residentId, shared + 2, unitElsewhere),
    // No number, and two that are none.
    use(three, null, unit),
    use(three, 0, unit),
    use(three, 0, otherUnit),
    use(three, -5, unit),
    use(three, -5, otherUnit),
    // The first number once more, in the period before.
    { period: open - 1, step: { ...use(one, shared, unit).step, recordedAt: openingOf(stage) - dayMs } },
  ];
}

const openingOf = ({ scene, open }: Stage): number => scene.periods[open]?.from ?? 0;
