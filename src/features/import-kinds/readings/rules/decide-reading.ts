// Decides what sample a row of readings becomes, or why it becomes none: a unit of its type must have such a counter, and
// with this value, as of lines that machines send.

import { isAhead } from '../../../inflow/rules/clock.ts';
import { findVisibleDefinition } from '../../../units/catalogue/type-catalogue.ts';
import type { ValueDefinition } from '../../../units/catalogue/value-definition.ts';
import { formatStoredText } from '../../../units/rules/stored-text.ts';
import { toRawJson } from '../../../../lib/values/int64.ts';
import type { RowValues } from '../../import-kind.ts';
import type { NamedPlaces } from '../../queries/named-places.ts';
import type { Decision } from '../../rules/answers.ts';
import { resolveImportTime } from '../../rules/import-time.ts';
import { fieldError, unknownReference } from '../../rules/parse-fields.ts';
import type { ReadingKey } from './reading-fields.ts';

export type Reading = ReadingKey & { readonly value: string };

export function decideReading(values: RowValues, places: NamedPlaces, now: number): Decision<Reading> {
  const { unit: unitKid = '', at: spelled = '', counter = '', value = '' } = values;
  const unit = places.units.get(unitKid);
  if (unit === undefined) return { errors: [unknownReference('unit')] };
  const definition = findVisibleDefinition(unit, counter);
  if (definition === undefined || !isCounter(definition))
    return { errors: [fieldError('counter', 'invalid', 'must be a counter of the unit')] };
  const at = resolveImportTime(spelled, places.zoneOf(unit.locationId));
  if (at === undefined) return { errors: [fieldError('at', 'invalid', 'must be a time that there is at the unit')] };
  if (isAhead(at, now)) return { errors: [fieldError('at', 'time-ahead', 'must not be in the future')] };
  const formatted = formatCounter(definition, value);
  if ('reason' in formatted) return { errors: [fieldError('value', 'invalid', formatted.reason)] };
  const { locationId, unitId } = unit;
  return { draft: { locationId, unitId, counter, at, value: formatted.text } };
}

/** Other states are what only the device itself knows. */
export const isCounter = ({ kind, isCounter: counts }: ValueDefinition): boolean => kind === 'State' && counts;

/** The number as it is stored: `1234.5` is `1234.500`. */
function formatCounter(
  definition: ValueDefinition,
  value: string,
): { readonly text: string } | { readonly reason: string } {
  const json = definition.valueType === 'decimal' ? toRawJson(value.replace(/^(-?)0+(?=\d)/, '$1')) : value;
  const formatted = formatStoredText(definition, json);
  return 'reason' in formatted ? formatted : { text: formatted.text ?? '' };
}
