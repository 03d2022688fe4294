// Makes the kinds of banks, locations and units, which are listed, found by name, exported and written in the same way.

import type { Db, WriteDb } from '../../../database/db.ts';
import { defineKind, type KindDefinition } from '../define-kind.ts';
import type { FieldTable, ImportKind, ImportTarget, RowValues } from '../import-kind.ts';
import { writeValues } from '../rules/parse-fields.ts';
import { applyPlaces, undoPlaces, type PlaceSteps } from './change-places.ts';
import { indexByName, toBatches } from './place-rows.ts';

type SharedSteps = 'findByNames' | 'apply' | 'undo' | 'exportRows';

type PlaceKindDefinition<Row> = Omit<KindDefinition, SharedSteps | 'fields'> & {
  readonly fields: FieldTable<Row>;
  /** All places of the bank or tenant. */
  list(db: Db, target: ImportTarget): Promise<readonly Row[]>;
  kidOf(target: ImportTarget, row: Row): string;
  createSteps(db: WriteDb, target: ImportTarget, now: number): PlaceSteps;
  /** What an export has of a place, where that is not all. */
  toShownValues?(row: Row, target: ImportTarget): RowValues;
};

export function definePlaceKind<Row extends { readonly name: string }>({
  list,
  kidOf,
  createSteps,
  toShownValues,
  ...kind
}: PlaceKindDefinition<Row>): ImportKind {
  const toValues = toShownValues ?? ((row: Row, target: ImportTarget) => writeValues(kind.fields, row, target));
  return defineKind({
    ...kind,
    findByNames: async (db, target, names) => {
      const rows = await list(db, target);
      return indexByName(
        names,
        rows.map((row) => ({ name: row.name, kid: kidOf(target, row) })),
      );
    },
    apply: (db, actor, target, rows) => applyPlaces(db, actor, rows, createSteps(db, target, actor.now)),
    undo: (db, actor, target, rows) => undoPlaces(db, actor, rows, createSteps(db, target, actor.now)),
    exportRows: async function* exportRows(db, target) {
      const rows = await list(db, target);
      yield* toBatches(rows.map((row) => ({ objectKid: kidOf(target, row), values: toValues(row, target) })));
    },
  });
}
