// Parses the fields of a row, each by its own rule, and says what is wrong with them.

import type { FieldResult } from '../../../lib/values/field-values.ts';
import type { ImportTarget, ParsedRow, RowError, RowValues } from '../import-kind.ts';

/** The canonical spelling of a text, or why it is invalid. An empty text is what the field is where nothing is given. */
export type FieldParser = (text: string, target: ImportTarget) => FieldResult;

export type FieldParsers = Readonly<Record<string, FieldParser>>;

/** Fields without a parser stay as they are. */
export function parseFields(values: RowValues, parsers: FieldParsers, target: ImportTarget): ParsedRow {
  const errors: RowError[] = [];
  const parsed = Object.entries(values).map(([field, text]) => {
    const result = parsers[field]?.(text, target) ?? { value: text };
    if ('value' in result) return [field, result.value];
    errors.push(fieldError(field, codeOf(text, result.reason), result.reason));
    return [field, text];
  });
  return { values: Object.fromEntries(parsed) as RowValues, errors };
}

/** What a new object has in the fields that the file does not have. */
export function defaultValues(parsers: FieldParsers, target: ImportTarget): RowValues {
  const defaults = Object.entries(parsers).map(([field, parse]) => {
    const result = parse('', target);
    return [field, 'value' in result ? result.value : ''];
  });
  return Object.fromEntries(defaults) as RowValues;
}

/** `reason` is a predicate of the field: must be a date. */
export const fieldError = (field: string, code: string, reason: string): RowError => ({
  field,
  code,
  text: `${field}: ${reason}.`,
});

export const isRequiredField: FieldParser = (text) => {
  const value = text.trim();
  return value === '' ? { reason: 'must not be empty' } : { value };
};

function codeOf(text: string, reason: string): string {
  if (text.trim() === '') return 'required';
  return reason.startsWith('must have at most') ? 'too-long' : 'invalid';
}
