// Adds the number of reversals in a ledger: a reversal changes how its original is shown, in whatever period that lies.

import { sql } from 'kysely';
import type { PortalMigration } from '../src/database/migration.ts';

export const ledgerReversalsMigration: PortalMigration = async (db, { int64 }) => {
  await db.schema
    .alterTable('ledgers')
    .addColumn('reversals', int64, (column) => column.notNull().defaultTo(0))
    .execute();
  await db
    .updateTable('ledgers')
    .set((eb) => ({
      reversals: eb
        .selectFrom('postings')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('postings.bank_id', '=', 'ledgers.bank_id')
        .where('reversal_of', 'is not', null)
        .$asScalar()
        .$notNull(),
    }))
    .execute();
};
