// Creates the rows of the states that demo units last reported.

import type { Tables } from '../../src/database/tables.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { unitTypeCode } from '../../src/features/places/rules/unit-types.ts';
import type { DemoUnit } from '../places/places.ts';
import type { Random } from '../random.ts';
import { demoStateValue, type UnitCondition } from './state-values.ts';
import { minuteMs } from '../../src/lib/time/durations.ts';

const runningShare = 0.3;

/** The rows of one unit; none if its device was never in contact. */
export function createDemoStateRows(
  bankId: number,
  unit: DemoUnit,
  { errorId }: Pick<UnitCondition, 'errorId'>,
  random: Random,
): Tables['unit_states'][] {
  const { locationId, unitId, lastContactAt } = unit;
  if (lastContactAt === null) return [];
  const moment = { errorId, isRunning: errorId === 0 && random.chance(runningShare), random };
  const ofUnit = { bank_id: bankId, location_id: locationId, unit_id: unitId };
  const states = [...typeCatalogueOf(unitTypeCode(unit.type)).visibleByName.values()].filter(
    ({ kind }) => kind === 'State',
  );
  return states.flatMap((definition) => {
    const value = demoStateValue(definition, unit, moment);
    if (value === undefined) return [];
    const reportedAt = lastContactAt - random.int(0, 10 * minuteMs);
    return [{ ...ofUnit, name: definition.name, value, reported_at: reportedAt }];
  });
}
