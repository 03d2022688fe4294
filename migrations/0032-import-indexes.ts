// Adds the indexes by which the imports of a file, and the last one of a kind that has changed something, are found.

import type { PortalMigration } from '../src/database/migration.ts';

export const importIndexesMigration: PortalMigration = async ({ schema }) => {
  await schema.createIndex('imports_by_file').on('imports').columns(['bank_id', 'kind', 'file_hash']).execute();
  await schema.createIndex('imports_by_change').on('imports').columns(['bank_id', 'kind', 'changed_at']).execute();
};
