// What demo units last reported, as far as they were ever heard of.

import type { Tables } from '../database/tables.ts';
import { shelfOfType } from '../features/units/catalogue/catalogue.ts';
import { unitTypeCode } from '../features/places/unit-types.ts';
import { minuteMs } from './calendar.ts';
import type { DemoUnit } from './places.ts';
import type { Random } from './random.ts';
import { stateOf, type Moment } from './state-values.ts';

const shareRunning = 0.3;

/** The rows of one unit; none where its device was never heard of. */
export function demoStates(
  bankId: number,
  unit: DemoUnit,
  { errorId }: Pick<Moment, 'errorId'>,
  random: Random,
): Tables['unit_states'][] {
  const { locationId, unitId, lastContactAt } = unit;
  if (lastContactAt === null) return [];
  const moment = { errorId, isRunning: errorId === 0 && random.chance(shareRunning), random };
  const ofUnit = { bank_id: bankId, location_id: locationId, unit_id: unitId };
  const states = [...shelfOfType(unitTypeCode(unit.type)).visible.values()].filter(({ kind }) => kind === 'State');
  return states.flatMap((definition) => {
    const value = stateOf(definition, unit, moment);
    if (value === undefined) return [];
    const reportedAt = lastContactAt - random.int(0, 10 * minuteMs);
    return [{ ...ofUnit, name: definition.name, value, reported_at: reportedAt }];
  });
}
