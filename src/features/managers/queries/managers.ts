// Reads managers as lists show them: a page of those that match criteria, or one of them.

import { sql, type ExpressionBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Pagination, SortDirection } from '../../../http/list-schemas.ts';
import type { WordRange } from '../../../lib/search-words.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { ManagerCriteria } from '../rules/criteria.ts';

export type ManagerRow = Pick<
  Tables['managers'],
  'manager_id' | 'user_name' | 'name' | 'email' | 'organisation' | 'person_icon' | 'active' | 'revision'
> & {
  readonly last_seen_at: number | null;
  readonly tenant_wide: number;
  /** Their names between commas; null if there are none. */
  readonly permissions: string | null;
};

export type ManagerSort = 'name' | 'kid';

export type ManagerPage = Pagination & { readonly sort: ManagerSort; readonly direction: SortDirection };

const managerColumns = [
  'm.manager_id',
  'm.user_name',
  'm.name',
  'm.email',
  'm.organisation',
  'm.person_icon',
  'm.active',
  'm.revision',
  'a.last_seen_at',
] as const;

const derivedColumns = [
  sql<number>`exists (select 1 from manager_grants as g
    where g.manager_id = m.manager_id and g.bank_id = 0 and g.location_id = 0)`.as('tenant_wide'),
  sql<string | null>`(select group_concat(p.permission) from manager_permissions as p
    where p.manager_id = m.manager_id)`.as('permissions'),
] as const;

const sortColumns = { name: 'm.name_key', kid: 'm.manager_id' } as const;

/** One page, with one row more than its limit if there is one. Managers who sort alike are in the order of their ids. */
export function listManagers(
  db: Db,
  _tenant: WholeTenant,
  criteria: ManagerCriteria,
  { sort, direction, offset, limit }: ManagerPage,
): Promise<ManagerRow[]> {
  const page = selectMatching(db, criteria)
    .select(['m.manager_id as id', (eb) => eb.ref(sortColumns[sort]).as('sort_key')])
    .orderBy('sort_key', direction)
    .$if(sort !== 'kid', (query) => query.orderBy('m.manager_id', direction))
    .limit(limit + 1)
    .offset(offset);
  // The page is found in an index alone, and only its own managers are read.
  return db
    .selectFrom(page.as('page'))
    .crossJoin('managers as m')
    .leftJoin('manager_activity as a', 'a.manager_id', 'm.manager_id')
    .select(managerColumns)
    .select(derivedColumns)
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
  if (search.length > 0) query = query.where((eb) => eb.and(search.map((range) => hasWord(eb, range))));
  return query;
}

type ManagersBuilder = ExpressionBuilder<Tables & { m: Tables['managers'] }, 'm'>;

const hasWord = (eb: ManagersBuilder, { from, to }: WordRange) =>
  eb('m.manager_id', 'in', (inner) =>
    inner.selectFrom('manager_words as w').select('w.manager_id').where('w.word', '>=', from).where('w.word', '<', to),
  );

/** Undefined if there is none, or the manager is deleted. */
export const findManager = (db: Db, _tenant: WholeTenant, managerId: number): Promise<ManagerRow | undefined> =>
  db
    .selectFrom('managers as m')
    .leftJoin('manager_activity as a', 'a.manager_id', 'm.manager_id')
    .select(managerColumns)
    .select(derivedColumns)
    .where('m.manager_id', '=', managerId)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst();
