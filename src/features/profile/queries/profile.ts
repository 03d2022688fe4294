// Reads and writes the manager's own profile.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { managerTopic } from '../../managers/rules/manager-topic.ts';
import { updateManagerSearch } from '../../managers/queries/update-manager-search.ts';
import type { ProfileColumns } from '../rules/profile-fields.ts';

/** The manager of the request: profiles of others are never read here. */
export type OwnManager = Pick<Principal, 'id'>;

const columns = [
  'manager_id',
  'name',
  'email',
  'email_verified',
  'organisation',
  'person_icon',
  'theme',
  'retention_days',
  'profile_revision',
  'profile_writes',
] as const satisfies (keyof Tables['managers'])[];

export type ProfileRow = NonNullable<Awaited<ReturnType<typeof findProfile>>>;

/** Undefined if the manager is deleted. */
export const findProfile = (db: Db, { id: managerId }: OwnManager) =>
  db
    .selectFrom('managers')
    .select(columns)
    .where('manager_id', '=', managerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Every write of the profile declares it. */
export const profileLock = ({ id: managerId }: OwnManager): Lock<void> =>
  createLock('profile', [managerId], {
    update: (db) =>
      db
        .updateTable('managers')
        .set({ profile_writes: sql<number>`profile_writes + 1` })
        .where('manager_id', '=', managerId)
        .execute(),
  });

/** Writes the changes with the next revision. Returns the saved profile; undefined if the row is outdated. */
export async function saveProfile(
  db: WriteDb,
  self: OwnManager,
  row: ProfileRow,
  changes: ProfileColumns,
): Promise<ProfileRow | undefined> {
  db.changedTopics.add(managerTopic(self.id));
  const { numUpdatedRows } = await db
    .updateTable('managers')
    .set({ ...changes, profile_revision: row.profile_revision + 1 })
    .where('manager_id', '=', self.id)
    .where('profile_revision', '=', row.profile_revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return undefined;
  if ('name' in changes || 'email' in changes || 'organisation' in changes) await updateManagerSearch(db, self.id);
  return { ...row, ...changes, profile_revision: row.profile_revision + 1 };
}
