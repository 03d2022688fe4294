// Parses the fields of a row, each by its own rule, and says what is wrong with them.

import { namesOf, recordOf } from '../../../lib/values/fields.ts';
import type {
  Field,
  FieldParser,
  FieldTable,
  ImportColumn,
  ImportTarget,
  ParsedFields,
  RowError,
  RowValues,
} from '../import-kind.ts';

export const listColumns = (fields: FieldTable): ImportColumn[] =>
  Object.entries(fields).map(([field, column]) => ({ field, ...column }));

const parserOf = ({ parse, isRequired }: Field): FieldParser | undefined =>
  parse ?? (isRequired === true ? parseNotEmpty : undefined);

/** Parses the fields that the row has. One that is invalid keeps its text. */
export function parseRowFields(fields: FieldTable, given: RowValues, target: ImportTarget): ParsedFields {
  const errors: RowError[] = [];
  const parsed = Object.entries(given).map(([name, text]) => {
    const field = fields[name];
    const result = (field && parserOf(field)?.(text, target)) ?? { value: text };
    if ('value' in result) return [name, result.value];
    errors.push(fieldError(name, codeOf(text, result.reason), result.reason));
    return [name, text];
  });
  return { values: Object.fromEntries(parsed) as RowValues, errors };
}

/**
 * Parses rows of what never changes: they have to have all fields that are required, empty cells stay empty, and what is
 * invalid is left out. References, which have no parsers, come last.
 */
export function createRowParser(fields: FieldTable): (given: RowValues, target: ImportTarget) => ParsedFields {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name);
  const ordered = [...entries.filter(([, { parse }]) => parse), ...entries.filter(([, { parse }]) => !parse)];
  return (given, target) => {
    const values: Record<string, string> = {};
    const errors = required
      .filter((name) => (given[name] ?? '') === '')
      .map((name) => fieldError(name, 'required', 'must not be empty'));
    for (const [name, { parse }] of ordered) {
      const text = given[name];
      if (text === undefined) continue;
      const result = text === '' || parse === undefined ? { value: text } : parse(text, target);
      if ('value' in result) values[name] = result.value;
      else errors.push(fieldError(name, 'invalid', result.reason));
    }
    return { values, errors };
  };
}

/** What a new object has in the fields that the file does not have. */
export function listDefaults(fields: FieldTable, target: ImportTarget): RowValues {
  return recordOf(namesOf(fields), (name) => {
    const result = fields[name]?.parse?.('', target);
    return result !== undefined && 'value' in result ? result.value : '';
  });
}

/** All fields of an object. */
export function writeValues<Subject>(fields: FieldTable<Subject>, subject: Subject, target: ImportTarget): RowValues {
  return recordOf(namesOf(fields), (name) => fields[name]?.write?.(subject, target) ?? '');
}

/** The row has other values in fields that its object keeps: those that every object keeps, and `alsoFixed`. */
export const listFixedErrors = (
  fields: FieldTable,
  given: RowValues,
  stored: RowValues,
  alsoFixed: readonly string[] = [],
): RowError[] =>
  Object.entries(fields)
    .filter(([name, { isFixed }]) => isFixed === true || alsoFixed.includes(name))
    .filter(([name]) => given[name] !== undefined && given[name] !== stored[name])
    .map(([name]) => fieldError(name, 'cannot-change', 'cannot be changed'));

export const addErrors = (parsed: ParsedFields, errors: readonly RowError[]): ParsedFields =>
  errors.length === 0 ? parsed : { ...parsed, errors: [...parsed.errors, ...errors] };

/** `reason` is a predicate of the field: must be a date. */
export const fieldError = (field: string, code: string, reason: string): RowError => ({
  field,
  code,
  text: `${field}: ${reason}.`,
});

export const unknownReference = (field: string): RowError =>
  fieldError(field, 'unknown-reference', 'names nothing that there is');

export const notFound = (object: string): RowError => ({
  field: 'kid',
  code: 'not-found',
  text: `There is no such ${object}.`,
});

/** The fields with which a row differs from what cannot be changed. */
export const listChangeErrors = (
  given: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): RowError[] =>
  Object.keys(given).flatMap((field) =>
    given[field] === current[field]
      ? []
      : [fieldError(field, 'cannot-change', `is ${current[field] || 'empty'}, and cannot be changed`)],
  );

const parseNotEmpty: FieldParser = (text) => {
  const value = text.trim();
  return value === '' ? { reason: 'must not be empty' } : { value };
};

function codeOf(text: string, reason: string): string {
  if (text.trim() === '') return 'required';
  return reason.startsWith('must have at most') ? 'too-long' : 'invalid';
}
