// Reads managers as lists show them: a page of those that match criteria, or one of them.

import { sql, type Selectable } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { hasWords, selectPage, type ListPosition } from '../../../database/statements/list-page.ts';
import type { Tables } from '../../../database/tables.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { ManagerCriteria } from '../rules/manager-criteria.ts';

const columns = [
  'manager_id',
  'user_name',
  'name',
  'email',
  'organisation',
  'person_icon',
  'active',
  'revision',
] as const satisfies (keyof Tables['managers'])[];

const ownColumns = columns.map((column) => `m.${column}` as const);

export type ManagerRow = Pick<Tables['managers'], (typeof columns)[number]> & {
  readonly last_seen_at: number | null;
  readonly tenant_wide: number;
  /** Their names, separated by commas; null if there are none. */
  readonly permissions: string | null;
};

type ManagerSort = 'name' | 'kid';

export type ManagerOrder = { readonly sort: ManagerSort; readonly direction: SortDirection };

type ListedManagerRow = ManagerRow & { readonly sort_key: string | number };

const managerColumns = [...ownColumns, 'a.last_seen_at'] as const;

const derivedColumns = [
  sql<number>`exists (select 1 from manager_grants as g
    where g.manager_id = m.manager_id and g.bank_id = 0 and g.location_id = 0)`.as('tenant_wide'),
  sql<string | null>`(select group_concat(p.permission) from manager_permissions as p
    where p.manager_id = m.manager_id)`.as('permissions'),
] as const;

const sortColumns = { name: 'm.name_key', kid: 'm.manager_id' } as const;

/** One page, and one further row if there is one. */
export function listManagers(
  db: Db,
  _tenant: WholeTenant,
  criteria: ManagerCriteria,
  { sort, direction, ...slice }: ManagerOrder & PageSlice<ListPosition>,
): Promise<ListedManagerRow[]> {
  const order = { idColumn: sortColumns.kid, sortColumn: sortColumns[sort], direction };
  const page = selectPage(selectMatching(db, criteria), { ...order, ...slice });
  return db
    .selectFrom(page.as('page'))
    .crossJoin('managers as m')
    .leftJoin('manager_activity as a', 'a.manager_id', 'm.manager_id')
    .select(managerColumns)
    .select(derivedColumns)
    .select(sql<ListedManagerRow['sort_key']>`page.sort_key`.as('sort_key'))
    .whereRef('m.manager_id', '=', 'page.id')
    .orderBy('page.sort_key', direction)
    .orderBy('page.id', direction)
    .execute();
}

function selectMatching(db: Db, { state, search }: ManagerCriteria) {
  let query = db
    .selectFrom('managers as m')
    .where('m.deleted_at', 'is', null)
    .where(db.dialect.interruptCheck(sql.ref('m.manager_id')));
  if (state !== 'all') query = query.where('m.active', '=', state === 'active' ? 1 : 0);
  const words = db.selectFrom('manager_words as w').select('w.manager_id');
  return search.length === 0 ? query : query.where(hasWords('m.manager_id', words, search));
}

/** Undefined if the manager does not exist or is deleted. */
export const findManager = (db: Db, _tenant: WholeTenant, managerId: number): Promise<ManagerRow | undefined> =>
  db
    .selectFrom('managers as m')
    .leftJoin('manager_activity as a', 'a.manager_id', 'm.manager_id')
    .select(managerColumns)
    .select(derivedColumns)
    .where('m.manager_id', '=', managerId)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst();

const administeredColumns = [...columns, 'profile_revision', 'password_hash'] as const;

export type AdministeredManager = Selectable<Pick<Tables['managers'], (typeof administeredColumns)[number]>>;

const selectAdministered = (db: Db) =>
  db
    .selectFrom('managers as m')
    .select(administeredColumns.map((column) => `m.${column}` as const))
    .where('m.deleted_at', 'is', null);

/** Those of these ids that exist, in no order. */
export async function listManagersById(
  db: Db,
  _tenant: WholeTenant,
  ids: readonly number[],
): Promise<readonly AdministeredManager[]> {
  if (ids.length === 0) return [];
  return selectAdministered(db)
    .where(db.dialect.inList(sql.ref('m.manager_id'), ids))
    .execute();
}

/** The next managers, in the order of their ids. */
export const listManagersAfter = (
  db: Db,
  _tenant: WholeTenant,
  afterId: number,
  limit: number,
): Promise<AdministeredManager[]> =>
  selectAdministered(db).where('m.manager_id', '>', afterId).orderBy('m.manager_id').limit(limit).execute();

/** User name as it is compared -> the manager who has it, deleted or not. */
export async function findUserNameHolders(
  db: Db,
  _tenant: WholeTenant,
  userNameKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (userNameKeys.length === 0) return new Map();
  const rows = await db
    .selectFrom('managers')
    .select(['user_name_key', 'manager_id'])
    .where('user_name_key', 'in', [...userNameKeys])
    .execute();
  return new Map(rows.map(({ user_name_key, manager_id }) => [user_name_key, manager_id]));
}
