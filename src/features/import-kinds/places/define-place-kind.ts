// Makes the kinds of banks, locations and units, which are listed, found by name, exported and written in the same way.

import { partsOf } from '../../../lib/values/parts.ts';
import { defineKind } from '../define-kind.ts';
import type { ImportKind, ImportTarget, RowValues } from '../import-kind.ts';
import { digestValues, exportPageSize } from '../rules/export-pages.ts';
import { listFixedErrors, writeValues } from '../rules/parse-fields.ts';
import { applyPlaces, undoPlaces, type PlaceKindDefinition } from './change-places.ts';

export function definePlaceKind<Row extends { readonly name: string }, Columns extends { deleted_at: number | null }>(
  definition: PlaceKindDefinition<Row, Columns>,
): ImportKind {
  const { fields, list, kidOf, toShown = (row: Row) => row, keptFields, createCheck } = definition;
  const toValues = (row: Row, target: ImportTarget): RowValues => writeValues(fields, toShown(row, target), target);
  return defineKind({
    ...definition,
    findCurrent: async (db, target, rows) => {
      const kids = rows.flatMap(({ objectKid }) => objectKid ?? []);
      const stored = new Map((await list(db, target, kids)).map((row) => [kidOf(target, row), row]));
      const check = await createCheck(db, target, rows);
      return (row) => {
        const place = stored.get(row.objectKid ?? '');
        const { errors = [], claims = [], ...found } = check(row, place);
        if (place === undefined) return { current: null, errors, claims, ...found };
        const all = writeValues(fields, place, target);
        const fixed = listFixedErrors(fields, row.values, all, keptFields?.(place));
        const current = { values: toValues(place, target), revision: digestValues(all) };
        return { current, errors: [...fixed, ...errors], claims, ...found };
      };
    },
    findByNames: async (db, target, names) => {
      const places = await list(db, target);
      return indexByName(
        names,
        places.map((row) => ({ name: row.name, kid: kidOf(target, row) })),
      );
    },
    apply: (db, actor, target, rows) => applyPlaces(db, { actor, target, definition }, rows),
    undo: (db, actor, target, rows) => undoPlaces(db, { actor, target, definition }, rows),
    exportRows: async function* exportRows(db, target) {
      for (const rows of partsOf(await list(db, target), exportPageSize))
        yield rows.map((row) => ({ objectKid: kidOf(target, row), values: toValues(row, target) }));
    },
  });
}

/** The KIDs of objects by their names; a name that several have is left out. Names are compared as they are stored. */
function indexByName(
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
