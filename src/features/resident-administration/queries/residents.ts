// Reads residents of a bank: a page of those that match criteria, or one of them.

import { sql, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import {
  joinPackedRows,
  jsonArrayOf,
  parsePackedRows,
  toPackedRows,
  type PackedRows,
} from '../../../database/json-rows.ts';
import { compileOnce, runPrepared } from '../../../database/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Pagination, SortDirection } from '../../../http/list-schemas.ts';
import type { WordRange } from '../../../lib/search-words.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import type { ResidentCriteria } from '../rules/criteria.ts';

export type ResidentRow = Pick<
  Tables['residents'],
  | 'resident_id'
  | 'location_id'
  | 'name'
  | 'apartment'
  | 'email'
  | 'phone'
  | 'phone_number'
  | 'language'
  | 'enabled'
  | 'deleted_at'
  | 'expired_at'
  | 'revision'
> & {
  /** Also of a deleted location. */
  readonly location_name: string | null;
  readonly has_pin: number;
};

export type ResidentSort = 'name' | 'kid' | 'apartment';

type ResidentOrder = { readonly sort: ResidentSort; readonly direction: SortDirection };

export type ResidentPage = Pagination & ResidentOrder;

const residentColumns = [
  'r.resident_id',
  'r.location_id',
  'r.name',
  'r.apartment',
  'r.email',
  'r.phone',
  'r.phone_number',
  'r.language',
  'r.enabled',
  'r.deleted_at',
  'r.expired_at',
  'r.revision',
  'l.name as location_name',
] as const;
const hasPin = sql<number>`r.pin_hash is not null`.as('has_pin');

const sortColumns = { name: 'r.name_key', kid: 'r.resident_id', apartment: 'r.apartment_key' } as const;

/** One page, with one row more than its limit if there is one. Residents who sort alike are in the order of their ids. */
export const listResidents = (db: Db, criteria: ResidentCriteria, page: ResidentPage): Promise<ResidentRow[]> =>
  joinPage(db, criteria, { ...page, limit: page.limit + 1 })
    .leftJoin('locations as l', (join) =>
      join.onRef('l.bank_id', '=', 'r.bank_id').onRef('l.location_id', '=', 'r.location_id'),
    )
    .select(residentColumns)
    .select(hasPin)
    .execute();

const exportedColumns = [
  'resident_id',
  'name',
  'email',
  'phone',
  'apartment',
  'location_id',
  'enabled',
  'deleted_at',
  'language',
] as const satisfies (keyof ResidentRow)[];
const exportedNames = exportedColumns.map((column) => `r.${column}`);

/** The values of the exported columns, in their order: there are many rows, and an object of each would take time. */
export type ExportedResident = readonly [
  resident_id: number,
  name: string,
  email: string,
  phone: string,
  apartment: string,
  location_id: number | null,
  enabled: number,
  deleted_at: number | null,
  language: string,
];

/** The ids of those that match, in the order of a list, `limit` of them at most. */
export async function listResidentIds(
  db: Db,
  criteria: ResidentCriteria,
  { limit, ...order }: Omit<ResidentPage, 'offset'>,
): Promise<number[]> {
  const ids = listMatching(db, criteria, order)
    .select(sql<string>`r.resident_id`.as('row'))
    .limit(limit);
  const { text } = toPackedRows(await joinPackedRows(db, ids).execute());
  return JSON.parse(`[${text}]`) as number[];
}

/** Reads residents by their ids, in the order of these, packed (database/json-rows.ts) for `unpackResidents`. */
export type ReadPackedResidents = (ids: readonly number[]) => Promise<PackedRows>;

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

/** The names of a bank's locations, of deleted ones too, by id. */
export async function readLocationNames(db: Db, { bankId }: GrantedBank): Promise<ReadonlyMap<number, string>> {
  const rows = await db.selectFrom('locations').select(['location_id', 'name']).where('bank_id', '=', bankId).execute();
  return new Map(rows.map(({ location_id, name }) => [location_id, name]));
}

function joinPage(db: Db, criteria: ResidentCriteria, { sort, direction, offset, limit }: ResidentPage) {
  const page = listMatching(db, criteria, { sort, direction })
    .select(['r.resident_id as id', (eb) => eb.ref(sortColumns[sort]).as('sort_key')])
    .limit(limit)
    .offset(offset);
  // The page is found in an index alone, and only its own residents are read: SQLite takes a cross join in its order, and
  // would otherwise look through the page for each resident of the bank.
  return db
    .selectFrom(page.as('page'))
    .crossJoin('residents as r')
    .where('r.bank_id', '=', criteria.bank.bankId)
    .whereRef('r.resident_id', '=', 'page.id')
    .orderBy('page.sort_key', direction)
    .orderBy('page.id', direction);
}

const listMatching = (db: Db, criteria: ResidentCriteria, { sort, direction }: ResidentOrder) =>
  selectMatching(db, criteria)
    .orderBy(sortColumns[sort], direction)
    .$if(sort !== 'kid', (query) => query.orderBy('r.resident_id', direction));

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
  if (locationIds !== undefined) query = query.where('r.location_id', 'in', locationIds);
  if (search !== undefined)
    query = query.where((eb) => eb.or(search.map((ranges) => eb.and(ranges.map((range) => hasWord(eb, bank, range))))));
  return query;
}

type ResidentsBuilder = ExpressionBuilder<Tables & { r: Tables['residents'] }, 'r'>;

const hasWord = (eb: ResidentsBuilder, { bankId }: GrantedBank, { from, to }: WordRange) =>
  eb('r.resident_id', 'in', (inner) =>
    inner
      .selectFrom('resident_words as w')
      .select('w.resident_id')
      .where('w.bank_id', '=', bankId)
      .where('w.word', '>=', from)
      .where('w.word', '<', to),
  ) satisfies { readonly expressionType?: SqlBool | undefined };

/** A resident, whoever may see it; undefined if there is none, or the bank is deleted. */
export async function findResident(
  db: Db,
  { bankId }: GrantedBank,
  residentId: number,
): Promise<ResidentRow | undefined> {
  const [row] = await runPrepared(db, 'resident', { bankId, residentId }, (bind) =>
    db
      .selectFrom('residents as r')
      .innerJoin('banks as b', 'b.bank_id', 'r.bank_id')
      .leftJoin('locations as l', (join) =>
        join.onRef('l.bank_id', '=', 'r.bank_id').onRef('l.location_id', '=', 'r.location_id'),
      )
      .select(residentColumns)
      .select(hasPin)
      .where('r.bank_id', '=', bind<number>('bankId'))
      .where('r.resident_id', '=', bind<number>('residentId'))
      .where('b.deleted_at', 'is', null),
  );
  return row;
}
