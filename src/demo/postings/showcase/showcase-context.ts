// The few people and units that the showcase is played with, and in which period each case is recorded.

import { minuteMs } from '../../calendar.ts';
import type { DemoUnit } from '../../places/places.ts';
import type { Random } from '../../random.ts';
import type { DemoResident } from '../../residents.ts';
import { consumptionDraft } from '../posting-drafts.ts';
import {
  scenarioNow,
  periodIndexAt,
  listUsableUnits,
  type LedgerScenario,
  type PlannedPosting,
} from '../ledger-scenario.ts';

/** A posting, and the place in the scene's periods of the one that it is recorded in. */
export type ShowcaseCase = { readonly period: number; readonly step: PlannedPosting };

export type ShowcaseContext = {
  readonly scene: LedgerScenario;
  readonly random: Random;
  readonly now: number;
  /** Active neighbours: they live at the first location. */
  readonly neighbours: readonly [DemoResident, DemoResident, DemoResident];
  /** Somebody of the second location. */
  readonly residentElsewhere: DemoResident;
  /** Units in use at the first location, and one at the second. */
  readonly units: readonly [DemoUnit, DemoUnit];
  readonly unitElsewhere: DemoUnit;
  readonly open: number;
};

export function createShowcaseContext(scene: LedgerScenario, random: Random): ShowcaseContext {
  const now = scenarioNow(scene);
  const [first = 0, second = 0] = scene.bank.locations.map(({ locationId }) => locationId);
  const at = (locationId: number): DemoResident[] => scene.active.filter((each) => each.locationId === locationId);
  const [one, two, three] = at(first);
  const [visitor] = at(second);
  const [unit, otherUnit] = listUsableUnits(scene, first, now);
  const [unitElsewhere] = scene.consumptionUnits.get(second) ?? [];
  if (!one || !two || !three || !visitor || !unit || !otherUnit || !unitElsewhere)
    throw new Error('the stage is too small');
  return {
    scene,
    random,
    now,
    neighbours: [one, two, three],
    residentElsewhere: visitor,
    units: [unit, otherUnit],
    unitElsewhere,
    open: scene.periods.length - 1,
  };
}

/** Recorded in the open period, whenever it was. */
export const inOpenPeriod = ({ open }: ShowcaseContext, step: PlannedPosting): ShowcaseCase => ({ period: open, step });

/** Recorded in the period that it happened in. */
export const inPeriodOfInstant = ({ scene }: ShowcaseContext, step: PlannedPosting): ShowcaseCase => ({
  period: periodIndexAt(scene, step.recordedAt),
  step,
});

export const minutesAgo = ({ now }: ShowcaseContext, minutes: number): number => now - minutes * minuteMs;

/** The first neighbour uses the first unit, standing alone in the account. */
export function sampleConsumption({ scene, random, neighbours, units }: ShowcaseContext, at: number): PlannedPosting {
  return consumptionDraft(scene, random, { at, userId: neighbours[0].residentId, unit: units[0], documentId: null });
}
