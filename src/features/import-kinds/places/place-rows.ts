// What the kinds of places share when they read: what is found of a row, names, and the batches of an export.

import { digestRevision } from '../../../lib/values/revision.ts';
import { listFixedErrors } from '../rules/parse-fields.ts';
import type { ExportedRow, FieldTable, FoundRow, KeyedRow, RowValues } from '../import-kind.ts';

/** How many objects an export has in a batch. */
const batchSize = 1000;

export const revisionOf = (values: RowValues): string =>
  digestRevision(JSON.stringify(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1))));

/** `stored` is what the row's object has now; `alsoFixed` are fields that it keeps beside those that every object keeps. */
export function toFoundRow(
  fields: FieldTable,
  row: KeyedRow,
  stored: RowValues | undefined,
  alsoFixed: readonly string[] = [],
): FoundRow {
  if (stored === undefined) return { current: null, errors: [], claims: [] };
  const errors = listFixedErrors(fields, row.values, stored, alsoFixed);
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
