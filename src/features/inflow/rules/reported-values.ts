// Validates the values that devices report by the catalogue of their unit.

import { findVisibleDefinition } from '../../units/catalogue/type-catalogue.ts';
import type { ValueKind } from '../../units/catalogue/value-definition.ts';
import { formatStoredText } from '../../units/rules/stored-text.ts';
import type { UnitTypeColumns } from '../../places/rules/unit-types.ts';

export type ReportedValue = { readonly name: string; readonly text: string | null };

/** The value as it is stored; undefined where the unit has no such setting or state, or not with this value. */
export function toReportedValue(
  unit: UnitTypeColumns,
  kind: ValueKind,
  [name, value]: readonly [name: string, value: unknown],
): ReportedValue | undefined {
  const definition = findVisibleDefinition(unit, name);
  if (definition?.kind !== kind) return undefined;
  const formatted = formatStoredText(definition, value);
  return 'text' in formatted ? { name, text: formatted.text } : undefined;
}
