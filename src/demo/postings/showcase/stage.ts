// The few people and units that the showcase is played with, and in which period each case is recorded.

import { minuteMs } from '../../calendar.ts';
import type { DemoUnit } from '../../places.ts';
import type { Random } from '../../random.ts';
import type { DemoResident } from '../../residents.ts';
import { consumption } from '../drafts.ts';
import { nowOf, periodAt, usableUnits, type Scene, type Step } from '../scene.ts';

/** A posting, and the place in the scene's periods of the one that it is recorded in. */
export type Case = { readonly period: number; readonly step: Step };

export type Stage = {
  readonly scene: Scene;
  readonly random: Random;
  readonly now: number;
  /** Active neighbours: they live at the first location. */
  readonly neighbours: readonly [DemoResident, DemoResident, DemoResident];
  /** Somebody of the second location. */
  readonly visitor: DemoResident;
  /** Units in use at the first location, and one at the second. */
  readonly units: readonly [DemoUnit, DemoUnit];
  readonly unitElsewhere: DemoUnit;
  readonly open: number;
};

export function stageOf(scene: Scene, random: Random): Stage {
  const now = nowOf(scene);
  const [first = 0, second = 0] = scene.bank.locations.map(({ locationId }) => locationId);
  const at = (locationId: number): DemoResident[] => scene.active.filter((each) => each.locationId === locationId);
  const [one, two, three] = at(first);
  const [visitor] = at(second);
  const [unit, otherUnit] = usableUnits(scene, first, now);
  const [unitElsewhere] = scene.consumed.get(second) ?? [];
  if (!one || !two || !three || !visitor || !unit || !otherUnit || !unitElsewhere)
    throw new Error('the stage is too small');
  return {
    scene,
    random,
    now,
    neighbours: [one, two, three],
    visitor,
    units: [unit, otherUnit],
    unitElsewhere,
    open: scene.periods.length - 1,
  };
}

/** Recorded in the open period, whenever it was. */
export const lately = ({ open }: Stage, step: Step): Case => ({ period: open, step });

/** Recorded in the period that it happened in. */
export const inItsTime = ({ scene }: Stage, step: Step): Case => ({ period: periodAt(scene, step.recordedAt), step });

export const minutesAgo = ({ now }: Stage, minutes: number): number => now - minutes * minuteMs;

/** The first neighbour uses the first unit, standing alone in the account. */
export function anyUse({ scene, random, neighbours, units }: Stage, at: number): Step {
  return consumption(scene, random, { at, userId: neighbours[0].residentId, unit: units[0], documentId: null });
}
