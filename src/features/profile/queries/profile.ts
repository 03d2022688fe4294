// Reads and writes the manager's own profile. Every write begins with `lockProfile`.

import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Principal } from '../../../http/context/principal.ts';
import { Problem } from '../../../lib/problem.ts';
import { managerTopic } from '../../credentials/manager-topic.ts';
import { updateManagerSearch } from '../../credentials/queries/manager-search.ts';
import type { ProfileColumns } from '../rules/profile-fields.ts';

/** The manager of the request: profiles of others are never read here. */
export type Self = Pick<Principal, 'managerId'>;

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

export type ProfileRow = Awaited<ReturnType<typeof readProfile>>;

/** Throws 401 where the manager is gone. */
export async function readProfile(db: Db, { managerId }: Self) {
  const row = await db
    .selectFrom('managers')
    .select(columns)
    .where('manager_id', '=', managerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw new Problem('unauthenticated');
  return row;
}

/** Counts the write, which locks the profile until the transaction ends. */
export async function lockProfile(db: WriteDb, { managerId }: Self): Promise<void> {
  await db
    .updateTable('managers')
    .set({ profile_writes: sql<number>`profile_writes + 1` })
    .where('manager_id', '=', managerId)
    .execute();
}

/** Writes the changes, with the next revision. Returns the profile as it is afterwards. */
export async function saveProfile(
  db: WriteDb,
  self: Self,
  row: ProfileRow,
  changes: ProfileColumns,
): Promise<ProfileRow> {
  db.changedTopics.add(managerTopic(self.managerId));
  const { numUpdatedRows } = await db
    .updateTable('managers')
    .set({ ...changes, profile_revision: row.profile_revision + 1 })
    .where('manager_id', '=', self.managerId)
    .where('profile_revision', '=', row.profile_revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Problem('profile-conflict');
  if ('name' in changes || 'email' in changes || 'organisation' in changes)
    await updateManagerSearch(db, self.managerId);
  return { ...row, ...changes, profile_revision: row.profile_revision + 1 };
}
