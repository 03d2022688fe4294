// Adds the index that has the refunds of each use, with their amounts. Without kind and amount in it, SQLite, which keeps no
// statistics, would rather go through all postings of the bank.

import type { PortalMigration } from '../src/database/migration.ts';

export const paymentReferencesMigration: PortalMigration = async ({ schema }, { engine }) => {
  const index = schema
    .createIndex('postings_by_reference')
    .on('postings')
    .columns(['bank_id', 'payment_reference', 'kind', 'amount_minor']);
  // Few postings have one. MariaDB has no index of some rows.
  await (engine === 'sqlite' ? index.where('payment_reference', 'is not', null) : index).execute();
};
