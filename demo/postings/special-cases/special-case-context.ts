// Selects the residents and units of the special cases, and the period in which each case is recorded.

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
import { minuteMs } from '../../../src/lib/time/durations.ts';

/** A posting, and the index of the scenario's period that it is recorded in. */
export type SpecialCase = { readonly period: number; readonly step: PlannedPosting };

export type SpecialCaseContext = {
  readonly scenario: LedgerScenario;
  readonly random: Random;
  readonly now: number;
  /** Active neighbours: they live at the first location. */
  readonly neighbours: readonly [DemoResident, DemoResident, DemoResident];
  /** A resident of the second location. */
  readonly residentElsewhere: DemoResident;
  /** Units in use at the first location, and one at the second. */
  readonly units: readonly [DemoUnit, DemoUnit];
  readonly unitElsewhere: DemoUnit;
  readonly open: number;
};

export function createSpecialCaseContext(scenario: LedgerScenario, random: Random): SpecialCaseContext {
  const now = scenarioNow(scenario);
  const [first = 0, second = 0] = scenario.bank.locations.map(({ locationId }) => locationId);
  const residentsAt = (locationId: number): DemoResident[] =>
    scenario.active.filter((each) => each.locationId === locationId);
  const [one, two, three] = residentsAt(first);
  const [visitor] = residentsAt(second);
  const [unit, otherUnit] = listUsableUnits(scenario, first, now);
  const [unitElsewhere] = scenario.consumptionUnits.get(second) ?? [];
  if (!one || !two || !three || !visitor || !unit || !otherUnit || !unitElsewhere)
    throw new Error('the demo bank is too small for the special cases');
  return {
    scenario,
    random,
    now,
    neighbours: [one, two, three],
    residentElsewhere: visitor,
    units: [unit, otherUnit],
    unitElsewhere,
    open: scenario.periods.length - 1,
  };
}

/** Recorded in the open period, whatever its time. */
export const inOpenPeriod = ({ open }: SpecialCaseContext, step: PlannedPosting): SpecialCase => ({
  period: open,
  step,
});

/** Recorded in the period of its time. */
export const inPeriodOfInstant = ({ scenario }: SpecialCaseContext, step: PlannedPosting): SpecialCase => ({
  period: periodIndexAt(scenario, step.recordedAt),
  step,
});

export const minutesAgo = ({ now }: SpecialCaseContext, minutes: number): number => now - minutes * minuteMs;

/** The first neighbour uses the first unit, without a document id. */
export function sampleConsumption(
  { scenario, random, neighbours, units }: SpecialCaseContext,
  recordedAt: number,
): PlannedPosting {
  return consumptionDraft(scenario, random, {
    recordedAt,
    residentId: neighbours[0].residentId,
    unit: units[0],
    documentId: null,
  });
}
