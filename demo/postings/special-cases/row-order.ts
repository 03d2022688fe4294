// Special cases of row order: several postings at one instant, sorted by location and unit, and one that arrives late.

import { consumptionDraft, postingDraft } from '../posting-drafts.ts';
import { inOpenPeriod, minutesAgo, type SpecialCase, type SpecialCaseContext } from './special-case-context.ts';
import { dayMs } from '../../../src/lib/time/durations.ts';

export function rowOrderCases(context: SpecialCaseContext): SpecialCase[] {
  return [...sameInstantCases(context), lateCase(context)];
}

/** Recorded out of order, so that the account must sort them. */
function sameInstantCases(context: SpecialCaseContext): SpecialCase[] {
  const { scenario, random, neighbours, units, unitElsewhere } = context;
  const recordedAt = minutesAgo(context, 3000);
  const residentId = neighbours[2].residentId;
  const [unit, otherUnit] = units;
  const used = [unitElsewhere, otherUnit, unit, unit].map((each) =>
    consumptionDraft(scenario, random, { recordedAt, residentId, unit: each, documentId: null }),
  );
  const fee = { kind: 'Month', amountMinor: -100n, text: 'Monthly line' } as const;
  const lines = [
    postingDraft(scenario, { recordedAt, residentId }, { ...fee, locationId: unit.locationId }),
    postingDraft(scenario, { recordedAt, residentId }, fee),
  ];
  return [...used, ...lines].map((step) => inOpenPeriod(context, step));
}

function lateCase(context: SpecialCaseContext): SpecialCase {
  const { scenario, random, neighbours, units, open } = context;
  const recordedAt = (scenario.periods[open]?.from ?? context.now) - 12 * dayMs;
  const used = consumptionDraft(scenario, random, {
    recordedAt,
    residentId: neighbours[2].residentId,
    unit: units[0],
    documentId: null,
  });
  return inOpenPeriod(context, { ...used, text: 'Arrived late' });
}
