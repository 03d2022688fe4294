// Reads and writes the rows of plans, and what only one row of a file can have.

import { createHash } from 'node:crypto';
import type { Db, WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { KeySpace } from './import-keys.ts';
import { disabledState, stateField, type RowError, type RowValues } from '../../import-kinds/import-kind.ts';
import { changingActions, type RowAction, type RowOutcome } from '../rules/import-states.ts';
import type { DecidedRow, RowChange } from '../rules/decide-row.ts';

type StoredRow = Tables['import_rows'];

/** A row of the plan, and what has become of it. */
export type PlanRow = DecidedRow & {
  readonly outcome: RowOutcome | null;
  /** The revision of the object after the row was applied. */
  readonly resultRevision: string | null;
};

export const insertPlanRows = (db: WriteDb, importId: number, rows: readonly DecidedRow[]): Promise<void> =>
  insertRows(
    db,
    'import_rows',
    rows.map((row) => toStoredRow(importId, { ...row, outcome: null, resultRevision: null })),
  );

const toJson = (value: object): string | null => (Object.keys(value).length === 0 ? null : JSON.stringify(value));

const toStoredRow = (importId: number, row: PlanRow): StoredRow => ({
  import_id: importId,
  position: row.position,
  line: row.line,
  row_key: row.key,
  action: row.action,
  object_kid: row.objectKid,
  object_revision: row.revision,
  row_values: row.values === null ? null : JSON.stringify(row.values),
  changes: toJson(row.changes),
  errors: toJson(row.errors),
  outcome: row.outcome,
  result_revision: row.resultRevision,
});

const fromStoredRow = (row: StoredRow): PlanRow => ({
  position: row.position,
  line: row.line,
  key: row.row_key,
  action: row.action as RowAction,
  objectKid: row.object_kid,
  revision: row.object_revision,
  values: row.row_values === null ? null : (JSON.parse(row.row_values) as RowValues),
  changes: JSON.parse(row.changes ?? '[]') as RowChange[],
  errors: JSON.parse(row.errors ?? '[]') as RowError[],
  outcome: row.outcome as RowOutcome | null,
  resultRevision: row.result_revision,
});

const selectRows = (db: Db, importId: number) =>
  db.selectFrom('import_rows').selectAll().where('import_id', '=', importId);

export type RowPosition = readonly [position: number];

type RowSelection = PageSlice<RowPosition> & {
  readonly action?: RowAction | undefined;
  readonly outcome?: RowOutcome | undefined;
};

/** In the order of the file, and one further row if there is one. */
export async function listPlanRows(db: Db, importId: number, selection: RowSelection): Promise<PlanRow[]> {
  let query = selectRows(db, importId);
  if (selection.action !== undefined) query = query.where('action', '=', selection.action);
  if (selection.outcome !== undefined) query = query.where('outcome', '=', selection.outcome);
  if (selection.after !== undefined) query = query.where('position', '>', selection.after[0]);
  const rows = await query
    .orderBy('position')
    .limit(selection.limit + 1)
    .offset(selection.offset)
    .execute();
  return rows.map(fromStoredRow);
}

/** The next rows to apply. */
export async function listRowsToApply(db: Db, importId: number, after: number, limit: number): Promise<PlanRow[]> {
  const rows = await selectRows(db, importId)
    .where('position', '>', after)
    .where('action', 'in', changingActions)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(fromStoredRow);
}

/** The next rows to undo, the last first. */
export async function listRowsToUndo(db: Db, importId: number, before: number, limit: number): Promise<PlanRow[]> {
  const rows = await selectRows(db, importId)
    .where('position', '<', before)
    .where('outcome', '=', 'applied' satisfies RowOutcome)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.map(fromStoredRow);
}

/** The objects that the import changes, or has changed. */
export async function listChangedKids(db: Db, importId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('import_rows')
    .select('object_kid')
    .where('import_id', '=', importId)
    .where('action', '=', 'update' satisfies RowAction)
    .execute();
  return rows.flatMap(({ object_kid }) => object_kid ?? []);
}

type Deactivation = {
  readonly objectKid: string;
  /** That the object had afterwards. */
  readonly revision: string;
  /** A full file lacked it. Otherwise the file said so. */
  readonly wasMissing: boolean;
};

/** What imports of a source deactivated of these objects. */
export async function listDeactivations(
  db: Db,
  { kind, bankId, source }: KeySpace,
  objectKids: readonly string[],
): Promise<Deactivation[]> {
  if (objectKids.length === 0) return [];
  const rows = await db
    .selectFrom('import_rows as r')
    .innerJoin('imports as i', 'i.import_id', 'r.import_id')
    .select(['r.object_kid', 'r.result_revision', 'r.action', 'r.row_values'])
    .where('r.object_kid', 'in', objectKids)
    .where('r.outcome', '=', 'applied' satisfies RowOutcome)
    .where('i.kind', '=', kind)
    .where('i.bank_id', '=', bankId)
    .where('i.source', '=', source)
    .execute();
  return rows.flatMap((row) => {
    const wasMissing = row.action === ('missing' satisfies RowAction);
    const deactivated = { objectKid: row.object_kid ?? '', revision: row.result_revision ?? '', wasMissing };
    return wasMissing || saysDisabled(row.row_values) ? [deactivated] : [];
  });
}

/** Takes the places of the same rows. */
export async function replacePlanRows(db: WriteDb, importId: number, rows: readonly PlanRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db
    .deleteFrom('import_rows')
    .where('import_id', '=', importId)
    .where(
      'position',
      'in',
      rows.map(({ position }) => position),
    )
    .execute();
  await insertRows(
    db,
    'import_rows',
    rows.map((row) => toStoredRow(importId, row)),
  );
}

/** Claims are stored as hashes, and only until the plan is made: they hold email addresses and numbers of keys. */
const hashClaim = (importId: number, claim: string): string =>
  createHash('sha256').update(`${importId} ${claim}`).digest('base64url');

export type Claim = { readonly claim: string; readonly position: number };

/** Which of these claims earlier rows of the import have, and the positions of those rows. */
export async function findClaims(
  db: Db,
  importId: number,
  claims: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (claims.length === 0) return new Map();
  const byHash = new Map(claims.map((claim) => [hashClaim(importId, claim), claim]));
  const rows = await db
    .selectFrom('import_claims')
    .select(['claim', 'position'])
    .where('import_id', '=', importId)
    .where('claim', 'in', [...byHash.keys()])
    .execute();
  return new Map(rows.map(({ claim, position }) => [byHash.get(claim) ?? '', position]));
}

export const insertClaims = (db: WriteDb, importId: number, claims: readonly Claim[]): Promise<void> =>
  insertRows(
    db,
    'import_claims',
    claims.map(({ claim, position }) => ({ import_id: importId, claim: hashClaim(importId, claim), position })),
  );

export async function deleteClaims(db: WriteDb, importId: number): Promise<void> {
  await db.deleteFrom('import_claims').where('import_id', '=', importId).execute();
}

/** Whether the values of a row say that somebody is disabled. */
export const saysDisabled = (values: string | null): boolean =>
  (JSON.parse(values ?? '{}') as RowValues)[stateField] === disabledState;
