// Decides the type that the tenant status shows of a unit.

import { typeCodeOf, type UnitTypeColumns } from '../../places/rules/unit-types.ts';

const maxType = 255;

/**
 * One of the 255 numbers that the packed field can have. The newer field decides, unless it is 0: missing. Undefined where
 * the type is missing or invalid.
 */
export function validTypeOf(unit: UnitTypeColumns): number | undefined {
  const code = unit.unit_type === 0 ? typeCodeOf(unit) : unit.unit_type;
  return code !== undefined && code >= 1 && code <= maxType ? code : undefined;
}
