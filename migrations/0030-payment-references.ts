// Adds the index that finds postings by their payment reference: which refunds a use has.

import type { PortalMigration } from '../src/database/migration.ts';

export const paymentReferencesMigration: PortalMigration = async ({ schema }, { engine }) => {
  const index = schema.createIndex('postings_by_reference').on('postings').columns(['bank_id', 'payment_reference']);
  // Few postings have one. MariaDB has no index of some rows.
  await (engine === 'sqlite' ? index.where('payment_reference', 'is not', null) : index).execute();
};
