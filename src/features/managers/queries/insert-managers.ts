// Inserts managers with their search words.

import type { Insertable } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { insertRows } from '../../../database/statements/insert-rows.ts';
import { listManagerWords } from '../rules/manager-search.ts';
import { formatSortKey } from '../../../lib/text/search-words.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Permission, Tab } from '../../../permissions/matrix.ts';
import { managerTopic } from '../rules/manager-topic.ts';
import { normalizeUserName } from '../rules/user-name.ts';

export type InsertManagerInput = {
  readonly managerId: number;
  readonly userName: string;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
  readonly personIcon: string;
  readonly passwordHash: string;
  readonly credentialStamp: string;
  readonly active: boolean;
  readonly retentionDays: number | null;
  readonly tabs: readonly Tab[];
  readonly permissions: readonly Permission[];
  /** Bank 0 is the whole tenant, location 0 the whole bank. */
  readonly grants: readonly { readonly bankId: number; readonly locationId: number }[];
};

/** The next free id of a human manager. */
export async function readNextManagerId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('managers')
    .select(({ fn }) => fn.max('manager_id').as('last'))
    .executeTakeFirst();
  return Math.max(1000, row?.last ?? 0) + 1;
}

/** Needs the lock of the managers' rights. Throws DuplicateError where a user name is taken. */
export async function insertManagers(db: WriteDb, managers: readonly InsertManagerInput[]): Promise<void> {
  for (const { managerId } of managers) db.changedTopics.add(managerTopic(managerId));
  // Columns with a default are left out.
  await db.insertInto('managers').values(managers.map(toManagerRow)).execute();
  const rowsOf = <T>(list: (manager: InsertManagerInput) => readonly T[]) =>
    managers.flatMap((manager) => list(manager).map((each) => ({ manager_id: manager.managerId, each })));
  await insertRows(
    db,
    'manager_words',
    rowsOf(listManagerWords).map(({ manager_id, each: word }) => ({ word, manager_id })),
  );
  await insertRows(
    db,
    'manager_tabs',
    rowsOf(({ tabs }) => tabs).map(({ manager_id, each: tab }) => ({ manager_id, tab })),
  );
  await insertRows(
    db,
    'manager_permissions',
    rowsOf(({ permissions }) => permissions).map(({ manager_id, each: permission }) => ({ manager_id, permission })),
  );
  await insertRows(
    db,
    'manager_grants',
    rowsOf(({ grants }) => grants).map(({ manager_id, each: { bankId, locationId } }) => ({
      manager_id,
      bank_id: bankId,
      location_id: locationId,
    })),
  );
}

const toManagerRow = (manager: InsertManagerInput): Insertable<Tables['managers']> => ({
  manager_id: manager.managerId,
  user_name: manager.userName,
  user_name_key: normalizeUserName(manager.userName),
  name: manager.name,
  name_key: formatSortKey(manager.name),
  email: manager.email,
  organisation: manager.organisation,
  person_icon: manager.personIcon,
  theme: 0,
  retention_days: manager.retentionDays,
  password_hash: manager.passwordHash,
  credential_stamp: manager.credentialStamp,
  active: manager.active ? 1 : 0,
  deleted_at: null,
  revision: 1,
});
