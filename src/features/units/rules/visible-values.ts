// Groups stored values by unit, and leaves out settings and states that the unit's type does not have.

import { typeCodeOf, type UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { selectVisibleValues } from '../catalogue/type-catalogue.ts';

/** A stored value and its unit. The name is null for a unit without values. */
export type StoredUnitValueRow = UnitTypeColumns & {
  readonly unit_id: number;
  readonly name: string | null;
  readonly value: string | null;
};

/** Values by name, by unit; the units in the order of the rows. */
export function groupVisibleValuesByUnit(
  rows: readonly StoredUnitValueRow[],
): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const units = Map.groupBy(rows, ({ unit_id }) => unit_id);
  return new Map(units.entries().map(([unitId, ofUnit]) => [unitId, visibleValuesOf(ofUnit)]));
}

/** All rows are of one unit. */
function visibleValuesOf(rows: readonly StoredUnitValueRow[]): ReadonlyMap<string, string> {
  const [unit] = rows;
  const values = rows.flatMap(({ name, value }) => (name === null || value === null ? [] : [[name, value] as const]));
  return selectVisibleValues(unit && typeCodeOf(unit), new Map(values));
}
