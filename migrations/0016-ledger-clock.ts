// Adds the time of the last write to each ledger: a clock that was set back shows against it.

import type { PortalMigration } from '../src/database/migration.ts';

export const ledgerClockMigration: PortalMigration = async (db, { int64 }) => {
  await db.schema
    .alterTable('ledgers')
    .addColumn('last_write_at', int64, (column) => column.notNull().defaultTo(0))
    .execute();
  // The times of postings are those of the events, as devices tell them. That of a closing is the service's own.
  await db
    .updateTable('ledgers')
    .set((eb) => ({
      last_write_at: eb.fn.coalesce(
        eb
          .selectFrom('settlement_periods')
          .select(({ fn }) => fn.max<number>('closed_at').as('last_closing_at'))
          .whereRef('settlement_periods.bank_id', '=', 'ledgers.bank_id')
          .$asScalar(),
        'opened_at',
      ),
    }))
    .execute();
};
