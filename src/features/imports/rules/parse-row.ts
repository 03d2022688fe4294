// A row of the file -> what the kind makes of it: its key, its fields, and what is wrong with them. Pure.

import type { ReadableRow, SourceRow } from '../../import-profiles/formats/source-row.ts';
import type { ImportKind, ImportTarget, RowError, RowValues } from '../../import-kinds/import-kind.ts';
import { keyField } from '../../import-kinds/import-kind.ts';
import { fieldError } from '../../import-kinds/rules/parse-fields.ts';
import { createNumberWriter, type NumberWriter } from './number-writer.ts';
import { readWith, type FieldProblem } from '../../import-profiles/rules/profile-reader.ts';
import type { Profile } from '../../import-profiles/rules/profile.ts';

/** A row of the file whose references are not looked up yet. */
export type ParsedRow = {
  readonly position: number;
  readonly line: number;
  readonly key: string;
  /** The KID that the row names; empty if it names none. */
  readonly kid: string;
  readonly values: RowValues;
  readonly errors: readonly RowError[];
};

/** Its column holds so many characters. */
const maxKeyLength = 200;

type RowFormat = {
  readonly kind: ImportKind;
  readonly profileOf: (row: ReadableRow) => Profile;
  /** That of amounts whose row names none. */
  readonly currency: string;
};

export const createRowReader = (format: RowFormat, target: ImportTarget) => {
  const toText = createNumberWriter(format);
  return (row: SourceRow, position: number): ParsedRow => readRow(format, { target, row, position, toText });
};

type RowInput = {
  readonly target: ImportTarget;
  readonly row: SourceRow;
  readonly position: number;
  readonly toText: NumberWriter;
};

function readRow({ kind, profileOf }: RowFormat, { target, row, position, toText }: RowInput): ParsedRow {
  const { line } = row;
  if ('problem' in row) {
    const { code, text } = row.problem;
    return { position, line, key: '', kid: '', values: {}, errors: [{ field: '', code, text }] };
  }
  const profile = profileOf(row);
  const { fields, problems: found } = readWith(profile, row);
  const problems = [...found];
  const ownFields = new Set(kind.columns.map(({ field }) => field));
  const values: Record<string, string> = {};
  const names: Record<string, string> = {};
  for (const { field, key, decimals = 0 } of profile.columns) {
    if (field === undefined) continue;
    const isAbsent = profile.format === 'json-lines' && key !== undefined && !row.values.has(key);
    const read = fields.get(field) ?? '';
    const text = typeof read === 'bigint' ? toText({ field, number: read, decimals, fields }) : read;
    if (text === undefined) problems.push(tooManyDecimals(field));
    if (!ownFields.has(field)) names[field] = text ?? '';
    else if (!isAbsent) values[field] = text ?? '';
  }
  const { kid = '' } = names;
  const key = names[keyField] || kid || (kind.defaultKey?.(values) ?? '');
  const parsed = kind.parseRow(values, target);
  // What could not be read is empty, which must not be a second error.
  const unread = new Set(problems.map(({ field }) => field));
  const errors = [
    ...problems.map(toRowError),
    ...findKeyErrors(key, unread),
    ...parsed.errors.filter(({ field }) => !unread.has(field)),
  ];
  return { position, line, key: key.slice(0, maxKeyLength), kid, values: parsed.values, errors };
}

const tooManyDecimals = (field: string): FieldProblem => ({
  field,
  code: 'too-many-decimals',
  text: `${field}: has more decimals than the field holds.`,
});

const toRowError = ({ field, code, text }: FieldProblem): RowError => ({ field, code, text });

function findKeyErrors(key: string, unread: ReadonlySet<string>): RowError[] {
  if (unread.has(keyField)) return [];
  if (key === '') return [fieldError(keyField, 'required', 'must not be empty')];
  const tooLong = fieldError(keyField, 'too-long', `must have at most ${maxKeyLength} characters`);
  return key.length > maxKeyLength ? [tooLong] : [];
}
