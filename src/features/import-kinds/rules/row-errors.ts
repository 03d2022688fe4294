// Makes the errors of rows.

import type { RowError } from '../import-kind.ts';
import { fieldError } from './parse-fields.ts';

export const unknownReference = (field: string): RowError =>
  fieldError(field, 'unknown-reference', 'names nothing that there is');

/** Parses the fields of a row one after another. Fields that the file does not have are left out. */
export class RowParser {
  readonly values: Record<string, string> = {};
  readonly errors: RowError[] = [];
  readonly #given: Readonly<Record<string, string>>;

  constructor(given: Readonly<Record<string, string>>) {
    this.#given = given;
  }

  /** An empty cell stays empty. `parse` returns the canonical spelling; undefined where the text has none. */
  field(name: string, parse: (text: string) => string | undefined, reason: string): void {
    const text = this.#given[name];
    if (text === undefined) return;
    const value = text === '' ? '' : parse(text);
    if (value === undefined) this.errors.push(fieldError(name, 'invalid', reason));
    else this.values[name] = value;
  }

  /** Is to be called before the field is parsed: a field that is not there either is missing. */
  require(...names: readonly string[]): void {
    for (const name of names)
      if ((this.#given[name] ?? '') === '') this.errors.push(fieldError(name, 'required', 'must not be empty'));
  }

  fail(error: RowError): void {
    this.errors.push(error);
  }
}

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
