// Adds what managers keep of themselves: the revision of the profile, whether the email address is verified, and the
// verification codes of the last hour.

import type { PortalMigration } from '../src/database/migration.ts';

export const profileMigration: PortalMigration = async (db, { int64, text, withTableOptions }) => {
  const { schema } = db;
  for (const [name, first] of [
    ['email_verified', 0],
    ['profile_revision', 1],
    ['profile_writes', 0],
  ] as const)
    await schema
      .alterTable('managers')
      .addColumn(name, int64, (column) => column.notNull().defaultTo(first))
      .execute();
  await withTableOptions(
    schema
      .createTable('email_verifications')
      .addColumn('manager_id', int64, (column) => column.notNull())
      .addColumn('verification_id', int64, (column) => column.notNull())
      .addColumn('email', text(254), (column) => column.notNull())
      .addColumn('code_hash', text(64))
      .addColumn('requested_at', int64, (column) => column.notNull())
      .addColumn('wrong_tries', int64, (column) => column.notNull())
      .addPrimaryKeyConstraint('email_verifications_pk', ['manager_id', 'verification_id']),
  ).execute();
};
