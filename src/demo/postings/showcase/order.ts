// The order of rows: several at one instant, which location and unit then decide, and one that arrives late.

import { dayMs } from '../../calendar.ts';
import { consumption, line } from '../drafts.ts';
import { lately, minutesAgo, type Case, type Stage } from './stage.ts';

export function orderCases(stage: Stage): Case[] {
  return [...atOneInstant(stage), arrivedLate(stage)];
}

/** Recorded in no order at all, so that the account has to make one. */
function atOneInstant(stage: Stage): Case[] {
  const { scene, random, neighbours, units, unitElsewhere } = stage;
  const at = minutesAgo(stage, 3000);
  const userId = neighbours[2].residentId;
  const [unit, otherUnit] = units;
  const used = [unitElsewhere, otherUnit, unit, unit].map((each) =>
    consumption(scene, random, { at, userId, unit: each, documentId: null }),
  );
  const fee = { kind: 'Month', amountMinor: -100n, text: 'Monthly line' } as const;
  const lines = [
    line(scene, { at, userId }, { ...fee, locationId: unit.locationId }),
    line(scene, { at, userId }, fee),
  ];
  return [...used, ...lines].map((step) => lately(stage, step));
}

function arrivedLate(stage: Stage): Case {
  const { scene, random, neighbours, units, open } = stage;
  const at = (scene.periods[open]?.from ?? stage.now) - 12 * dayMs;
  const used = consumption(scene, random, { at, userId: neighbours[2].residentId, unit: units[0], documentId: null });
  return lately(stage, { ...used, text: 'Arrived late' });
}
