// Reads and writes imports: what they are, how far they have come, and who works on them.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { grantedBankIds } from '../../../permissions/coverage.ts';
import type { ImportState } from '../rules/import-states.ts';

export type StoredImport = Tables['imports'];

const headId = 1;

/** Allocates the next id. */
export const importIdsLock = (): Lock<number> =>
  createLock('import-ids', [], {
    update: (db) =>
      db.dialect.upsertRows(db, 'import_heads', [{ id: headId, allocated: 1 }], { key: ['id'], sum: ['allocated'] }),
    read: async (db) => {
      const { allocated } = await db
        .selectFrom('import_heads')
        .select('allocated')
        .where('id', '=', headId)
        .executeTakeFirstOrThrow();
      return allocated;
    },
  });

/** Whoever plans, applies, undoes or cancels an import takes it first. Reads it; undefined if there is none. */
export const importLock = (importId: number): Lock<StoredImport | undefined> =>
  createLock('import', [importId], {
    update: (db) =>
      db
        .updateTable('imports')
        .set({ done_through: sql<number>`done_through` })
        .where('import_id', '=', importId)
        .execute(),
    read: (db) => findImport(db, importId),
  });

export const insertImport = async (db: WriteDb, row: StoredImport): Promise<void> => {
  await db.insertInto('imports').values(row).execute();
};

export const findImport = (db: Db, importId: number): Promise<StoredImport | undefined> =>
  db.selectFrom('imports').selectAll().where('import_id', '=', importId).executeTakeFirst();

/** One that there is. */
export const readImport = (db: Db, importId: number): Promise<StoredImport> =>
  db.selectFrom('imports').selectAll().where('import_id', '=', importId).executeTakeFirstOrThrow();

/** Changes an import that the transaction has locked. */
export async function updateImport(db: WriteDb, importId: number, changes: Partial<StoredImport>): Promise<void> {
  await db
    .updateTable('imports')
    .set({ ...changes, revision: sql<number>`revision + 1` })
    .where('import_id', '=', importId)
    .execute();
}

export type ImportPosition = readonly [importId: number];

type ImportSelection = PageSlice<ImportPosition> & { readonly bankId?: number | undefined };

/** Those of the banks that are granted as a whole, the newest first, and one further row if there is one. */
export function listImports(db: Db, { grants }: Scope, selection: ImportSelection): Promise<StoredImport[]> {
  const banks = grantedBankIds({ ...grants, locations: new Map() });
  let query = db.selectFrom('imports').selectAll();
  if (banks !== 'all') query = query.where('bank_id', 'in', banks.length === 0 ? [-1] : banks);
  if (selection.bankId !== undefined) query = query.where('bank_id', '=', selection.bankId);
  if (selection.after !== undefined) query = query.where('import_id', '<', selection.after[0]);
  return query
    .orderBy('import_id', 'desc')
    .limit(selection.limit + 1)
    .offset(selection.offset)
    .execute();
}

type ImportedFile = {
  readonly kind: string;
  /** 0 for a kind that belongs to no bank. */
  readonly bankId: number;
  readonly source: string;
  readonly fileHash: string;
};

/** Imports of the same bytes, the newest first. */
export const listImportsOfFile = (db: Db, { kind, bankId, source, fileHash }: ImportedFile): Promise<StoredImport[]> =>
  db
    .selectFrom('imports')
    .selectAll()
    .where('kind', '=', kind)
    .where('bank_id', '=', bankId)
    .where('source', '=', source)
    .where('file_hash', '=', fileHash)
    .orderBy('import_id', 'desc')
    .execute();

/** The import of the kind and the bank that has changed something last, of whichever file; undefined if none has. */
export async function findLastChange(
  db: Db,
  { kind, bankId }: Pick<ImportedFile, 'kind' | 'bankId'>,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('imports')
    .select('import_id')
    .where('bank_id', '=', bankId)
    .where('kind', '=', kind)
    .where('applied', '>', 0)
    .orderBy('changed_at', 'desc')
    .orderBy('import_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.import_id;
}

/** Imports in one of these states that no process works on now. */
export const listAbandonedImports = (
  db: Db,
  states: readonly ImportState[],
  now: number,
): Promise<Pick<StoredImport, 'import_id' | 'state'>[]> =>
  db
    .selectFrom('imports')
    .select(['import_id', 'state'])
    .where('state', 'in', states)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]))
    .orderBy('import_id')
    .execute();

/** The process no longer works on the import. */
export async function releaseImport(db: WriteDb, importId: number, worker: string): Promise<void> {
  await db
    .updateTable('imports')
    .set({ worker: null, lease_until: null })
    .where('import_id', '=', importId)
    .where('worker', '=', worker)
    .execute();
}
