// Decides what an import does with a row: create, change, leave or refuse. Pure.

import type { FoundRow, ImportColumn, KeyedRow, RowError, RowValues } from '../../import-kinds/import-kind.ts';
import { keyField } from '../../import-kinds/import-kind.ts';
import { fieldError } from '../../import-kinds/rules/parse-fields.ts';
import type { RowAction } from './import-states.ts';

export type RowChange = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** A row of the plan, before it is stored. */
export type DecidedRow = {
  readonly position: number;
  readonly line: number;
  readonly key: string;
  readonly action: RowAction;
  readonly objectKid: string | null;
  /** The revision of the object; null where there is none yet. */
  readonly revision: string | null;
  /** What is stored when the row is applied: all fields of a new object, the changed ones of another. */
  readonly values: RowValues | null;
  /** Those of an object that exists. */
  readonly changes: readonly RowChange[];
  readonly errors: readonly RowError[];
};

/** A row of the file whose references are KIDs, before it is known what there is of its object. */
export type ResolvedRow = KeyedRow & {
  readonly line: number;
  readonly errors: readonly RowError[];
  /** Whether the object has this key of the source already. */
  readonly hasKey: boolean;
  /** Whether the row has a KID, and so is not to create anything. */
  readonly namesObject: boolean;
};

type KindRules = { readonly columns: readonly ImportColumn[]; readonly isAppendOnly?: true };

export const refuseRow = (
  { position, line, key, objectKid }: ResolvedRow,
  errors: readonly RowError[],
): DecidedRow => ({
  position,
  line,
  key,
  action: 'refused',
  objectKid,
  revision: null,
  values: null,
  changes: [],
  errors,
});

export function decideRow(
  kind: KindRules,
  row: ResolvedRow,
  { current, errors: found, implied }: FoundRow,
): DecidedRow {
  const isNew = current === null;
  if (isNew && row.namesObject) return refuseRow(row, [...row.errors, ...found, unknownObject]);
  const errors = [...row.errors, ...found, ...listMissingValues(kind, row.values, isNew)];
  if (errors.length > 0) return refuseRow(row, errors);
  const { position, line, key, objectKid } = row;
  const values = { ...row.values, ...implied };
  const base = { position, line, key, errors: [] };
  if (isNew) return { ...base, action: 'create', objectKid: null, revision: null, values, changes: [] };
  const changes = listChanges(values, current.values);
  if (kind.isAppendOnly === true && changes.length > 0) return refuseRow(row, changes.map(toFixedError));
  if (!row.hasKey) changes.push({ field: keyField, before: null, after: key });
  const changed = { ...base, objectKid, revision: current.revision, changes };
  if (changes.length === 0) return { ...changed, action: 'unchanged', values: null };
  const changedFields = new Set(changes.map(({ field }) => field));
  const newValues = Object.fromEntries(Object.entries(values).filter(([field]) => changedFields.has(field)));
  return { ...changed, action: 'update', values: newValues };
}

const unknownObject = fieldError('kid', 'unknown-object', 'there is no such object');

const listMissingValues = ({ columns }: KindRules, values: RowValues, isNew: boolean): RowError[] =>
  columns
    .filter(
      ({ field, isRequired }) => isRequired === true && (isNew ? (values[field] ?? '') === '' : values[field] === ''),
    )
    .map(({ field }) => fieldError(field, 'required', 'must not be empty'));

const listChanges = (values: RowValues, current: RowValues): RowChange[] =>
  Object.entries(values)
    .filter(([field, after]) => after !== (current[field] ?? ''))
    .map(([field, after]) => ({ field, before: current[field] ?? '', after }));

const toFixedError = ({ field, before }: RowChange): RowError =>
  fieldError(field, 'cannot-change', `is ${before === '' ? 'empty' : before} already, and cannot be changed`);

/**
 * Why a row can no longer be applied as planned: what its object has become since; undefined if it is as it was.
 */
export function findStaleness(
  planned: Pick<DecidedRow, 'action' | 'revision' | 'changes' | 'values'>,
  current: FoundRow['current'],
): readonly RowError[] | undefined {
  if (planned.action === 'create')
    return current === null ? undefined : [toStaleError('The object has been created meanwhile.')];
  if (current === null) return [toStaleError('The object no longer exists.')];
  if (current.revision === planned.revision) return undefined;
  const changed = planned.changes
    .filter(({ field, before }) => field !== keyField && (current.values[field] ?? '') !== before)
    .map(({ field, before }) => {
      const now = quote(current.values[field] ?? '');
      return fieldError(field, 'stale', `was ${quote(before)} when the plan was made, and is ${now} now`);
    });
  const others = toStaleError('Other fields of the object have been changed since the plan was made.');
  return changed.length > 0 ? changed : [others];
}

const toStaleError = (text: string): RowError => ({ field: '', code: 'stale', text });

const quote = (text: string | null): string => (text === null || text === '' ? 'empty' : JSON.stringify(text));
