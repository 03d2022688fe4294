// Reads what decides how long a document lasts, and what its content depends on.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { runPrepared } from '../../../database/prepared-query.ts';
import type { GrantedUnit } from '../../../permissions/coverage.ts';
import { cycleSetting, terminalCycle, type DocumentMarks } from '../rules/document-bounds.ts';

export type GrantedDocument = GrantedUnit & { readonly documentId: bigint };

export type StoredDocument = DocumentMarks & {
  /** The same as long as nothing was stored that belongs before the time of the last synchronisation. */
  readonly lateWrites: number;
  /** The last version of the unit with which a Cycle within the document was written. */
  readonly cycleVersion: number | null;
};

/** Undefined where no Cycle of the unit has the document's tag. */
export async function findDocument(db: Db, document: GrantedDocument): Promise<StoredDocument | undefined> {
  const [row] = await runPrepared(db, 'marks of a document', document, (bind) => {
    const ofUnit = (alias: string) =>
      sql<boolean>`${sql.ref(`${alias}.bank_id`)} = ${bind('bankId')}
        and ${sql.ref(`${alias}.location_id`)} = ${bind('locationId')} and ${sql.ref(`${alias}.unit_id`)} = ${bind('unitId')}`;
    return db
      .selectFrom(
        db
          .selectFrom('document_cycles as c')
          // Alone they come out of the index, which does not hold the values.
          .select(({ fn }) => [fn.min<number | null>('c.at').as('firstAt'), fn.max<number | null>('c.at').as('lastAt')])
          .where(ofUnit('c'))
          .where('c.document_id', '=', bind<bigint>('documentId'))
          .as('d'),
      )
      .leftJoin('unit_syncs as s', (join) => join.on(ofUnit('s')))
      .select(['d.firstAt', 'd.lastAt', 's.synced_at as syncedAt', 's.late_writes as lateWrites'])
      .select([
        (eb) =>
          eb
            .selectFrom('document_cycles as e')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where(ofUnit('e'))
            .whereRef('e.at', '>=', 'd.firstAt')
            .whereRef('e.at', '<=', 'd.lastAt')
            .where(sql<boolean>`${sql.ref('e.document_id')} + 0 = ${bind<bigint>('documentId')}`)
            .where('e.value', '=', sql.lit(terminalCycle))
            .as('terminalCycles'),
        (eb) =>
          eb
            .selectFrom('document_cycles as n')
            .select(({ fn }) => fn.min<number | null>('n.at').as('at'))
            .where(ofUnit('n'))
            .whereRef('n.at', '>', 'd.lastAt')
            .as('nextAt'),
        (eb) =>
          eb
            .selectFrom('unit_setting_history as h')
            .select(({ fn }) => fn.max<number | null>('h.version').as('version'))
            .where(ofUnit('h'))
            .where('h.name', '=', sql.lit(cycleSetting))
            .whereRef('h.changed_at', '>=', 'd.firstAt')
            .whereRef('h.changed_at', '<=', 'd.lastAt')
            .as('cycleVersion'),
      ]);
  });
  if (row === undefined || row.firstAt === null || row.lastAt === null) return undefined;
  const { firstAt, lastAt, terminalCycles, syncedAt, lateWrites, nextAt, cycleVersion } = row;
  return {
    firstAt,
    lastAt,
    hasEnded: (terminalCycles ?? 0) > 0,
    syncedAt,
    nextAt,
    lateWrites: lateWrites ?? 0,
    cycleVersion,
  };
}
