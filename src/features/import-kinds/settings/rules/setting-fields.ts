// Parses the fields of a setting of a unit: its name decides how its value is spelled.

import { toRawJson } from '../../../../lib/values/int64.ts';
import { allDefinitions } from '../../../units/catalogue/type-catalogue.ts';
import type { ValueDefinition } from '../../../units/catalogue/value-definition.ts';
import { effectiveText, formatStoredText } from '../../../units/rules/stored-text.ts';
import type { ParsedFields } from '../../import-kind.ts';
import { pointNumber } from '../../rules/field-parsers.ts';
import { addErrors, fieldError } from '../../rules/parse-fields.ts';

/** A definition is the same for every type of unit that has it. */
const definitionsByName: ReadonlyMap<string, ValueDefinition> = new Map(
  allDefinitions.map((each) => [each.name, each]),
);

/** Whether the unit has the setting, and whether it can be written, is decided where the type of the unit is known. */
export function combineSetting(parsed: ParsedFields): ParsedFields {
  const { setting = '', value } = parsed.values;
  const definition = definitionsByName.get(setting);
  if (setting === '' || value === undefined) return parsed;
  if (definition?.visible !== true || definition.kind !== 'Setting') return addErrors(parsed, [unknownSetting]);
  if (!definition.editable) return addErrors(parsed, [readOnlySetting]);
  const result = formatSettingText(definition, value);
  return 'reason' in result
    ? addErrors(parsed, [fieldError('value', 'invalid', result.reason)])
    : { ...parsed, values: { ...parsed.values, value: result.value } };
}

/** A profile reads what has the currency of the bank with its decimals; imports have it in minor units. */
export const scaleOfSetting = (textOf: (field: string) => string): 'currency' | undefined =>
  definitionsByName.get(textOf('setting'))?.valueType === 'money' ? 'currency' : undefined;

export const readOnlySetting = fieldError('setting', 'read-only-setting', 'only the equipment writes it');
export const unknownSetting = fieldError('setting', 'unknown-setting', 'the unit has no such setting');

/** An empty text is the default, or no value. */
function formatSettingText(definition: ValueDefinition, text: string): { value: string } | { reason: string } {
  if (text === '') return { value: effectiveText(definition, null) ?? '' };
  const result = formatStoredText(definition, toSettingJson(definition, text));
  return 'text' in result ? { value: result.text ?? '' } : result;
}

/** The JSON that SetUnitSetting would get; a text that is none of its type stays a text, and is refused. */
function toSettingJson({ valueType }: ValueDefinition, text: string): unknown {
  if (valueType === 'bool') return text === 'true' ? true : text === 'false' ? false : text;
  const number = valueType === 'decimal' ? pointNumber(text) : undefined;
  return number === undefined ? text : toRawJson(number.replace(/^(-?)0+(?=\d)/, '$1'));
}
