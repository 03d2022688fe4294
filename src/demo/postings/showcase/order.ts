// The order of rows: several at one instant, which location and unit then decide, and one that arrives late.

import { dayMs } from '../../calendar.ts';
import { consumptionDraft, postingDraft } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type ShowcaseCase, type ShowcaseContext } from './showcase-context.ts';

export function orderCases(stage: ShowcaseContext): ShowcaseCase[] {
  return [...sameInstantCases(stage), lateCase(stage)];
}

/** Recorded in no order at all, so that the account has to make one. */
function sameInstantCases(stage: ShowcaseContext): ShowcaseCase[] {
  const { scene, random, neighbours, units, unitElsewhere } = stage;
  const at = minutesAgo(stage, 3000);
  const userId = neighbours[2].residentId;
  const [unit, otherUnit] = units;
  const used = [unitElsewhere, otherUnit, unit, unit].map((each) =>
    consumptionDraft(scene, random, { at, userId, unit: each, documentId: null }),
  );
  const fee = { kind: 'Month', amountMinor: -100n, text: 'Monthly line' } as const;
  const lines = [
    postingDraft(scene, { at, userId }, { ...fee, locationId: unit.locationId }),
    postingDraft(scene, { at, userId }, fee),
  ];
  return [...used, ...lines].map((step) => inOpenPeriod(stage, step));
}

function lateCase(stage: ShowcaseContext): ShowcaseCase {
  const { scene, random, neighbours, units, open } = stage;
  const at = (scene.periods[open]?.from ?? stage.now) - 12 * dayMs;
  const used = consumptionDraft(scene, random, {
    at,
    userId: neighbours[2].residentId,
    unit: units[0],
    documentId: null,
  });
  return inOpenPeriod(stage, { ...used, text: 'Arrived late' });
}
