// Reads residents of a bank: a page of those that match criteria, or one of them.

import { sql, type JoinBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import {
  joinPackedRows,
  jsonArrayOf,
  parsePackedRows,
  toPackedRows,
  type PackedRow,
  type PackedRows,
} from '../../../database/statements/json-rows.ts';
import {
  hasWords,
  orderList,
  selectPage,
  type ListOrder,
  type ListPosition,
} from '../../../database/statements/list-page.ts';
import { compileOnce, findPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { SortDirection } from '../../../http/schemas/list-schemas.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { personalFields, residentFieldNames, residentSorts, type ResidentField } from '../../residents/fields.ts';
import type { ResidentCriteria } from '../rules/resident-criteria.ts';

export type ResidentRow = Pick<
  Tables['residents'],
  ResidentField | 'resident_id' | 'phone_number' | 'enabled' | 'deleted_at' | 'expired_at' | 'revision'
> & {
  /** Both are null without a location, or if it is deleted. */
  readonly location_id: number | null;
  readonly location_name: string | null;
  readonly has_pin: number;
};

type ResidentSort = keyof typeof residentSorts;

type ResidentOrder = { readonly sort: ResidentSort; readonly direction: SortDirection };

const residentColumns = [
  ...residentFieldNames.map((field) => `r.${field}` as const),
  'r.resident_id',
  'r.phone_number',
  'r.enabled',
  'r.deleted_at',
  'r.expired_at',
  'r.revision',
  'l.location_id',
  'l.name as location_name',
] as const;
type TablesOfResident = { readonly r: Tables['residents']; readonly l: Tables['locations'] };

const hasPin = sql<number>`r.pin_hash is not null`.as('has_pin');

const joinLocation = (join: JoinBuilder<TablesOfResident, 'r' | 'l'>) =>
  join.onRef('l.bank_id', '=', 'r.bank_id').onRef('l.location_id', '=', 'r.location_id').on('l.deleted_at', 'is', null);

const toListOrder = ({ sort, direction }: ResidentOrder): ListOrder => ({
  idColumn: `r.${residentSorts.kid}`,
  sortColumn: `r.${residentSorts[sort]}`,
  direction,
});

type ListedResidentRow = ResidentRow & { readonly sort_key: string | number };

/** One page, and one further row if there is one. */
export function listResidents(
  db: Db,
  criteria: ResidentCriteria,
  { sort, direction, ...slice }: ResidentOrder & PageSlice<ListPosition>,
): Promise<ListedResidentRow[]> {
  const page = selectPage(selectMatching(db, criteria), { ...toListOrder({ sort, direction }), ...slice });
  return db
    .selectFrom(page.as('page'))
    .crossJoin('residents as r')
    .leftJoin('locations as l', joinLocation)
    .select(residentColumns)
    .select(hasPin)
    .select(sql<string | number>`page.sort_key`.as('sort_key'))
    .where('r.bank_id', '=', criteria.bank.bankId)
    .whereRef('r.resident_id', '=', 'page.id')
    .orderBy('page.sort_key', direction)
    .orderBy('page.id', direction)
    .execute();
}

const exportedColumns = ['resident_id', 'location_id', 'enabled', 'deleted_at', 'language'] as const;
const exportedNames = [...exportedColumns, ...personalFields].map((column) => `r.${column}`);

/**
 * The values of the exported columns, and behind them those of the personal fields. There are many rows, and an object for
 * each would take time.
 */
type ExportedResident = readonly [...PackedRow<ResidentRow, typeof exportedColumns>, ...texts: string[]];

/** The ids of all matching residents, in the order of a list. */
export async function listResidentIds(db: Db, criteria: ResidentCriteria, order: ResidentOrder): Promise<number[]> {
  const ids = orderList(selectMatching(db, criteria), toListOrder(order)).select(sql<string>`r.resident_id`.as('row'));
  const { text } = toPackedRows(await joinPackedRows(db, ids).execute());
  return JSON.parse(`[${text}]`) as number[];
}

/** Reads residents by their ids, in the order of these, packed (database/json-rows.ts) for `unpackResidents`. */
type ReadPackedResidents = (ids: readonly number[]) => Promise<PackedRows>;

export function preparePackedResidents(db: Db, { bankId }: GrantedBank): ReadPackedResidents {
  const read = compileOnce(db, (bind) =>
    joinPackedRows(
      db,
      db
        .selectFrom(db.dialect.listedIds(bind('ids')).as('listed'))
        .crossJoin('residents as r')
        .where('r.bank_id', '=', bankId)
        .whereRef('r.resident_id', '=', 'listed.id')
        .orderBy('listed.place')
        .select(jsonArrayOf(exportedNames).as('row')),
    ),
  );
  return async (ids) => toPackedRows(await read({ ids: JSON.stringify(ids) }));
}

export const unpackResidents = (packed: PackedRows): readonly ExportedResident[] =>
  parsePackedRows(packed) as unknown as readonly ExportedResident[];

/** The names of a bank's locations by id, without deleted ones. */
export async function readLocationNames(db: Db, { bankId }: GrantedBank): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('locations')
    .select(['location_id', 'name'])
    .where('bank_id', '=', bankId)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ location_id, name }) => [location_id, name]));
}

function selectMatching(db: Db, { bank, state, locationIds, search, deletedSince, now }: ResidentCriteria) {
  let query = db
    .selectFrom('residents as r')
    .where('r.bank_id', '=', bank.bankId)
    .where(db.dialect.interruptCheck(sql.ref('r.resident_id')))
    .where((eb) => eb.or([eb('r.expired_at', 'is', null), eb('r.expired_at', '>', now)]));
  if (state === 'active' || state === 'disabled')
    query = query.where('r.deleted_at', 'is', null).where('r.enabled', '=', state === 'active' ? 1 : 0);
  if (state === 'deleted') query = query.where('r.deleted_at', '>=', deletedSince);
  if (state === 'all')
    query = query.where((eb) => eb.or([eb('r.deleted_at', 'is', null), eb('r.deleted_at', '>=', deletedSince)]));
  if (locationIds !== undefined)
    query = query
      .where('r.location_id', 'in', locationIds)
      .where('r.location_id', 'not in', selectDeletedLocations(db, bank));
  const words = db.selectFrom('resident_words as w').select('w.resident_id').where('w.bank_id', '=', bank.bankId);
  return search.length === 0 ? query : query.where(hasWords('r.resident_id', words, search));
}

const selectDeletedLocations = (db: Db, { bankId }: GrantedBank) =>
  db.selectFrom('locations').select('location_id').where('bank_id', '=', bankId).where('deleted_at', 'is not', null);

/** A resident, visible or not; undefined if there is none, or the bank is deleted. */
export const findResident = (db: Db, { bankId }: GrantedBank, residentId: number): Promise<ResidentRow | undefined> =>
  findPrepared(db, 'resident', { bankId, residentId }, (bind) =>
    selectResidents(db)
      .where('r.bank_id', '=', bind<number>('bankId'))
      .where('r.resident_id', '=', bind<number>('residentId')),
  );

/** Lists many residents, in no order. */
export const listResidentsById = (db: Db, { bankId }: GrantedBank, ids: readonly number[]): Promise<ResidentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : selectResidents(db)
        .where('r.bank_id', '=', bankId)
        .where(db.dialect.inList(sql.ref('r.resident_id'), ids))
        .execute();

/** The next residents by id who are not deleted and whose identities have not expired. */
export const listResidentsAfter = (
  db: Db,
  { bankId }: GrantedBank,
  { afterId, limit, now }: { readonly afterId: number; readonly limit: number; readonly now: number },
): Promise<ResidentRow[]> =>
  selectResidents(db)
    .where('r.bank_id', '=', bankId)
    .where('r.resident_id', '>', afterId)
    .where('r.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('r.expired_at', 'is', null), eb('r.expired_at', '>', now)]))
    .orderBy('r.resident_id')
    .limit(limit)
    .execute();

const selectResidents = (db: Db) =>
  db
    .selectFrom('residents as r')
    .innerJoin('banks as b', 'b.bank_id', 'r.bank_id')
    .leftJoin('locations as l', joinLocation)
    .select(residentColumns)
    .select(hasPin)
    .where('b.deleted_at', 'is', null);
