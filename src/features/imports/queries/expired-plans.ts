// Deletes the rows of plans that are over, save for what later plans have to know of them.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { ImportState, RowAction, RowOutcome } from '../rules/import-states.ts';
import { saysDisabled } from './import-rows.ts';

/** What is kept of a row that disabled somebody: whoever is in a later file again is active again. */
const keptValues = JSON.stringify({ state: 'disabled' });

/** Rows of a plan of which more is stored than what is kept of them. */
const isDeletable = sql<boolean>`(r.outcome is null or r.outcome <> 'applied' or r.changes is not null
  or r.errors is not null or (r.row_values is not null and r.row_values <> ${keptValues}))`;

/** The imports that have ended, were changed last before an instant (MS2000) or never applied, and still have rows. */
export async function listPlansToDelete(db: Db, before: number): Promise<number[]> {
  const rows = await db
    .selectFrom('imports as i')
    .select('i.import_id')
    .where('i.state', 'in', ['applied', 'undone', 'failed', 'cancelled', 'planned'] satisfies ImportState[])
    .where((eb) =>
      eb.or([
        eb('i.changed_at', '<', before),
        eb.and([eb('i.state', '=', 'cancelled' satisfies ImportState), eb('i.applied', '=', 0)]),
      ]),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('import_rows as r')
          .select('r.position')
          .whereRef('r.import_id', '=', 'i.import_id')
          .where(isDeletable),
      ),
    )
    .orderBy('i.import_id')
    .execute();
  return rows.map(({ import_id }) => import_id);
}

/**
 * Deletes at most so many claims or rows of an import whose plan is no longer needed, save for what says that a row disabled
 * somebody. False if none are left. Others wait for the transaction: a plan can have millions of rows.
 */
export async function deletePlanPart(db: WriteDb, importId: number, limit: number): Promise<boolean> {
  const claims = await db
    .selectFrom('import_claims')
    .select('claim')
    .where('import_id', '=', importId)
    .limit(limit)
    .execute();
  if (claims.length > 0) {
    const texts = claims.map(({ claim }) => claim);
    await db.deleteFrom('import_claims').where('import_id', '=', importId).where('claim', 'in', texts).execute();
    return true;
  }
  const rows = await db
    .selectFrom('import_rows as r')
    .select(['r.position', 'r.action', 'r.outcome', 'r.row_values'])
    .where('r.import_id', '=', importId)
    .where(isDeletable)
    .orderBy('r.position')
    .limit(limit)
    .execute();
  if (rows.length === 0) return false;
  const {
    missing = [],
    disabled = [],
    other = [],
  } = Object.groupBy(rows, (row) => {
    if (row.outcome !== ('applied' satisfies RowOutcome)) return 'other';
    if (row.action === ('missing' satisfies RowAction)) return 'missing';
    return saysDisabled(row.row_values) ? 'disabled' : 'other';
  });
  const positionsOf = (some: typeof rows): number[] => some.map(({ position }) => position);
  await strip(db, importId, positionsOf(missing), null);
  await strip(db, importId, positionsOf(disabled), keptValues);
  if (other.length > 0)
    await db
      .deleteFrom('import_rows')
      .where('import_id', '=', importId)
      .where('position', 'in', positionsOf(other))
      .execute();
  return true;
}

async function strip(
  db: WriteDb,
  importId: number,
  positions: readonly number[],
  values: string | null,
): Promise<void> {
  if (positions.length === 0) return;
  await db
    .updateTable('import_rows')
    .set({ row_values: values, changes: null, errors: null })
    .where('import_id', '=', importId)
    .where('position', 'in', positions)
    .execute();
}
