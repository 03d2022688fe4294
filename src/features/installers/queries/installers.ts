// Reads installers: a page of those that match criteria, or one of them.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { jsonArrayOf } from '../../../database/statements/json-rows.ts';
import { hasWords, selectPage, type ListPosition } from '../../../database/statements/list-page.ts';
import { runPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { WholeTenant } from '../../../permissions/coverage.ts';
import type { InstallerCriteria } from '../rules/installer-criteria.ts';

const columns = [
  'installer_id',
  'name',
  'email',
  'phone',
  'organisation',
  'state',
  'last_activity_at',
  'person_icon',
  'icon_revision',
] as const;

const ownColumns = columns.map((column) => `i.${column}` as const);

export type InstallerRow = Pick<Tables['installers'], (typeof columns)[number]> & {
  /** JSON of the tags, in no order; null if there are none. */
  readonly tags: string | null;
  /** JSON of `[bank, location, name]`, without deleted locations. */
  readonly locations: string | null;
};

type InstallerSort = 'name' | 'kid' | 'lastActivity';

export type InstallerOrder = { readonly sort: InstallerSort; readonly direction: SortDirection };

type ListedInstallerRow = InstallerRow & { readonly sort_key: string | number | null };

/** Selected in the row itself, because each list would need another query. */
const selectDetails = (db: Db) =>
  [
    db
      .selectFrom('installer_tags as t')
      .select(db.dialect.aggregateJson(sql.ref('t.tag')).as('tags'))
      .where('t.installer_id', '=', sql.ref<number>('i.installer_id'))
      .as('tags'),
    db
      .selectFrom('installer_locations as il')
      .innerJoin('locations as l', (join) =>
        join.onRef('l.bank_id', '=', 'il.bank_id').onRef('l.location_id', '=', 'il.location_id'),
      )
      .innerJoin('banks as b', 'b.bank_id', 'il.bank_id')
      .select(db.dialect.aggregateJson(jsonArrayOf(['il.bank_id', 'il.location_id', 'l.name'])).as('locations'))
      .where('il.installer_id', '=', sql.ref<number>('i.installer_id'))
      .where('l.deleted_at', 'is', null)
      .where('b.deleted_at', 'is', null)
      .as('locations'),
  ] as const;

const sortColumns = { name: 'i.name_key', kid: 'i.installer_id', lastActivity: 'i.last_activity_at' } as const;

/** One page, with one row more than its limit if there is one. */
export function listInstallers(
  db: Db,
  _tenant: WholeTenant,
  criteria: InstallerCriteria,
  { sort, direction, ...slice }: InstallerOrder & PageSlice<ListPosition>,
): Promise<ListedInstallerRow[]> {
  const order = {
    idColumn: sortColumns.kid,
    sortColumn: sortColumns[sort],
    direction,
    isNullable: sort === 'lastActivity',
  };
  const page = selectPage(selectMatching(db, criteria), { ...order, ...slice });
  return db
    .selectFrom(page.as('page'))
    .crossJoin('installers as i')
    .select(ownColumns)
    .select(selectDetails(db))
    .select(sql<ListedInstallerRow['sort_key']>`page.sort_key`.as('sort_key'))
    .whereRef('i.installer_id', '=', 'page.id')
    .orderBy('page.sort_key', direction)
    .orderBy('page.id', direction)
    .execute();
}

function selectMatching(db: Db, { state, tagKey, search }: InstallerCriteria) {
  let query = db.selectFrom('installers as i').where(db.dialect.interruptCheck(sql.ref('i.installer_id')));
  if (state !== 'all') query = query.where('i.state', '=', state);
  if (tagKey !== undefined)
    query = query.where('i.installer_id', 'in', (inner) =>
      inner.selectFrom('installer_tags as t').select('t.installer_id').where('t.tag_key', '=', tagKey),
    );
  const words = db.selectFrom('installer_words as w').select('w.installer_id');
  return search.length === 0 ? query : query.where(hasWords('i.installer_id', words, search));
}

/** Undefined if there is no such installer. */
export async function findInstaller(
  db: Db,
  _tenant: WholeTenant,
  installerId: number,
): Promise<InstallerRow | undefined> {
  const [row] = await runPrepared(db, 'installer', { installerId }, (bind) =>
    db
      .selectFrom('installers as i')
      .select(ownColumns)
      .select(selectDetails(db))
      .where('i.installer_id', '=', bind<number>('installerId')),
  );
  return row;
}

const selectInstallers = (db: Db) => db.selectFrom('installers as i').select(ownColumns).select(selectDetails(db));

/** Those of these ids that exist, in no order. */
export async function listInstallersById(
  db: Db,
  _tenant: WholeTenant,
  ids: readonly number[],
): Promise<readonly InstallerRow[]> {
  if (ids.length === 0) return [];
  return selectInstallers(db)
    .where(db.dialect.inList(sql.ref('i.installer_id'), ids))
    .execute();
}

/** The next installers, in the order of their ids. */
export const listInstallersAfter = (
  db: Db,
  _tenant: WholeTenant,
  afterId: number,
  limit: number,
): Promise<InstallerRow[]> =>
  selectInstallers(db).where('i.installer_id', '>', afterId).orderBy('i.installer_id').limit(limit).execute();
