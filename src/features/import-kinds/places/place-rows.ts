// What the kinds of places share when they read: what is found of a row, names, and the batches of an export.

import { digestRevision } from '../../../lib/values/revision.ts';
import { fieldError } from '../rules/parse-fields.ts';
import type { ExportedRow, FoundRow, KeyedRow, RowValues } from '../import-kind.ts';

/** How many objects an export has in a batch. */
const batchSize = 1000;

export const revisionOf = (values: RowValues): string =>
  digestRevision(JSON.stringify(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))));

/** `stored` is what the row's object has now; `fixedFields` are those that it keeps for good. */
export function toFoundRow(row: KeyedRow, stored: RowValues | undefined, fixedFields: readonly string[]): FoundRow {
  if (stored === undefined) return { current: null, errors: [], claims: [] };
  const errors = fixedFields
    .filter((field) => row.values[field] !== undefined && row.values[field] !== stored[field])
    .map((field) => fieldError(field, 'cannot-change', 'cannot be changed'));
  return { current: { values: stored, revision: revisionOf(stored) }, errors, claims: [] };
}

export function* toBatches(rows: readonly ExportedRow[]): Generator<readonly ExportedRow[]> {
  for (let from = 0; from < rows.length; from += batchSize) yield rows.slice(from, from + batchSize);
}

/** The KIDs of objects by their names; a name that several have is left out. Names are compared as they are stored. */
export function indexByName(
  names: readonly string[],
  objects: readonly { readonly name: string; readonly kid: string }[],
): ReadonlyMap<string, string> {
  const byName = Map.groupBy(objects, ({ name }) => name.normalize('NFC').trim());
  return new Map(
    names.flatMap((name) => {
      const [found, ...others] = byName.get(name.normalize('NFC').trim()) ?? [];
      return found === undefined || others.length > 0 ? [] : [[name, found.kid] as const];
    }),
  );
}
