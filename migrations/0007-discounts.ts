// Adds the discount that a bank's settlements give on purchases.

import type { PortalMigration } from '../src/database/migration.ts';

export const discountsMigration: PortalMigration = async (db, { int64 }) => {
  await db.schema.alterTable('banks').addColumn('discount_basis_points', int64).execute();
};
