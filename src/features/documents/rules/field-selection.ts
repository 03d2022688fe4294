// Selects the fields of a unit that become the columns of its document.

import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { Problem } from '../../../lib/problem.ts';
import { unitTypeOf, typeCodeOf, type UnitType, type UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../units/catalogue/type-catalogue.ts';
import type { ValueDefinition, ValueKind } from '../../units/catalogue/value-definition.ts';
import { formatValueLabel } from '../../units/rules/value-labels.ts';
import type { SampleColumn } from './document-table.ts';

/** Names separated by commas. Undefined selects every field, an empty text none. */
export type FieldSelection = { readonly states?: string; readonly settings?: string };

/** Throws 422 if the type of the unit is unknown. */
export function requireKnownType(unit: UnitTypeColumns): UnitType {
  const code = typeCodeOf(unit);
  const type = code === undefined ? undefined : unitTypeOf(code);
  if (type === undefined) throw new Problem('unsupported-unit-type');
  return type;
}

/** The columns, in the order of display. Throws 400 if a name is not a visible field of the unit. */
export function selectColumns(unit: UnitTypeColumns, { states, settings }: FieldSelection): SampleColumn[] {
  const { visibleByGroup } = typeCatalogueOf(typeCodeOf(unit));
  const permitted = [...visibleByGroup.values()].flat();
  const selected = new Set([
    ...selectNames(permitted, 'Setting', { parameter: 'settings', text: settings }),
    ...selectNames(permitted, 'State', { parameter: 'states', text: states }),
  ]);
  return permitted.filter(({ name }) => selected.has(name)).map(toColumn);
}

function selectNames(
  permitted: readonly ValueDefinition[],
  kind: ValueKind,
  { parameter, text }: { readonly parameter: string; readonly text: string | undefined },
): readonly string[] {
  const known = permitted.filter((each) => each.kind === kind).map(({ name }) => name);
  if (text === undefined) return known;
  if (text === '') return [];
  const names = text.split(',');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw createFieldProblem(
      `query.${parameter}`,
      `must name visible ${parameter} of this unit, and "${unknown.slice(0, maxNameLength)}" is none of them; GetUnitDocumentTable without ${parameter} has a column for each`,
    );
  return names;
}

/** Longer names are cut in the message: a name can be as long as the request. */
const maxNameLength = 64;

const toColumn = ({ name, kind, valueType, unitOfMeasure, constraints, isCounter }: ValueDefinition): SampleColumn => ({
  name,
  kind,
  label: formatValueLabel(name, 'en'),
  valueType,
  unitOfMeasure: unitOfMeasure ?? null,
  options: constraints.options ?? [],
  isCounter,
});
