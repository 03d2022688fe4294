// Makes the errors of rows.

import type { RowError } from '../import-kind.ts';
import { fieldError } from './parse-fields.ts';

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
