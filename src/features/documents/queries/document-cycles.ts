// Reads the Cycles and versions that decide how long a document lasts and what it contains.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { terminalCycle, type DocumentCycles } from '../rules/document-bounds.ts';
import { documentLimits } from '../rules/document-limits.ts';

export type GrantedDocument = GrantedUnit & { readonly documentId: bigint };

export type StoredDocument = DocumentCycles & {
  /** Changes when something is stored with a time before the last synchronisation. */
  readonly lateWrites: number;
};

/** Undefined if no Cycle of the unit has the document's tag. */
export async function findDocument(db: Db, document: GrantedDocument): Promise<StoredDocument | undefined> {
  const [row] = await runPrepared(db, 'cycles of a document', document, (bind) => {
    const ofUnit = (alias: string) =>
      sql<boolean>`${sql.ref(`${alias}.bank_id`)} = ${bind('bankId')}
        and ${sql.ref(`${alias}.location_id`)} = ${bind('locationId')} and ${sql.ref(`${alias}.unit_id`)} = ${bind('unitId')}`;
    return db
      .selectFrom(
        db
          .selectFrom('document_cycles as c')
          .select(({ fn }) => [fn.min<number | null>('c.at').as('firstAt'), fn.max<number | null>('c.at').as('lastAt')])
          .select(sql<number>`max(case when c.value = ${sql.lit(terminalCycle)} then 1 else 0 end)`.as('ended'))
          .where(ofUnit('c'))
          .where('c.document_id', '=', bind<bigint>('documentId'))
          .as('d'),
      )
      .leftJoin('unit_syncs as s', (join) => join.on(ofUnit('s')))
      .select(['d.firstAt', 'd.lastAt', 'd.ended', 's.synced_at as syncedAt', 's.late_writes as lateWrites'])
      .select((eb) =>
        eb
          .selectFrom('document_cycles as n')
          .select(({ fn }) => fn.min<number | null>('n.at').as('at'))
          .where(ofUnit('n'))
          .whereRef('n.at', '>', 'd.lastAt')
          .as('nextAt'),
      );
  });
  if (row === undefined || row.firstAt === null || row.lastAt === null) return undefined;
  const { firstAt, lastAt, ended, syncedAt, lateWrites, nextAt } = row;
  return { firstAt, lastAt, hasEnded: ended === 1, syncedAt, nextAt, lateWrites: lateWrites ?? 0 };
}

type CycleRow = { readonly at: number; readonly value: string | null };

/** The Cycles with the document's tag; another document can have a Cycle at the same time. */
export const listCycles = (
  db: Db,
  { bankId, locationId, unitId, documentId }: GrantedDocument,
): Promise<readonly CycleRow[]> =>
  db
    .selectFrom('document_cycles')
    .select(['at', 'value'])
    .where('bank_id', '=', bankId)
    .where('location_id', '=', locationId)
    .where('unit_id', '=', unitId)
    .where('document_id', '=', documentId)
    .limit(documentLimits.samples + 1)
    .execute();
