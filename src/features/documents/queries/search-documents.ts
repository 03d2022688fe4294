// Searches the documents of a bank by their tagged Cycles, and reads the places that a search covers.

import { sql, type Expression, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Tables } from '../../../database/tables.ts';
import type { PageSlice } from '../../../lib/values/paging.ts';
import { isRetained } from '../../places/queries/visible-places.ts';
import { searchLimits, type DocumentCriteria } from '../rules/search-selection.ts';
import { spreadTimes } from './document-samples.ts';

export type SearchedLocationRow = Pick<Tables['locations'], 'location_id' | 'name' | 'time_zone'>;
export type SearchedUnitRow = Pick<Tables['units'], 'location_id' | 'unit_id' | 'name' | 'unit_type' | 'packed_type'>;

/** The locations that are searched, those that were deleted lately too: all of them, or one more than the limit of a search. */
export const listSearchedLocations = async (
  db: Db,
  { bank, locationIds, deletedSince }: DocumentCriteria,
): Promise<readonly SearchedLocationRow[]> =>
  db
    .selectFrom('locations as l')
    .select(['l.location_id', 'l.name', 'l.time_zone'])
    .where('l.bank_id', '=', bank.bankId)
    .where(isOneOf(db, 'l.location_id', locationIds))
    .where(isRetained('l', sql.val(deletedSince)))
    .orderBy('l.location_id')
    .limit(searchLimits.locations + 1)
    .execute();

/** Their units, those that were deleted lately too: all of them, or one more than the limit of a search. */
export const listSearchedUnits = async (
  db: Db,
  { bank, locationIds, deletedSince }: DocumentCriteria,
): Promise<readonly SearchedUnitRow[]> =>
  db
    .selectFrom('units as u')
    .innerJoin('locations as l', onEqual('l', 'u', 'bank_id', 'location_id'))
    .select(['u.location_id', 'u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type'])
    .where('u.bank_id', '=', bank.bankId)
    .where(isOneOf(db, 'u.location_id', locationIds))
    .where(isRetained('u', sql.val(deletedSince)))
    .where(isRetained('l', sql.val(deletedSince)))
    .orderBy('u.location_id')
    .orderBy('u.unit_id')
    .limit(searchLimits.units + 1)
    .execute();

/** The number of settings in these locations, counted up to one more than the limit of a search. */
export async function countSearchedSettings(db: Db, { bank, locationIds }: DocumentCriteria): Promise<number> {
  const rows = db
    .selectFrom('unit_settings')
    .select('name')
    .where('bank_id', '=', bank.bankId)
    .where(isOneOf(db, 'location_id', locationIds))
    .limit(searchLimits.settingRows + 1)
    .as('rows_within');
  const { count } = await db
    .selectFrom(rows)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** `at` is the latest Cycle of the document in the interval. */
export type FoundDocumentRow = Pick<Tables['document_cycles'], 'location_id' | 'unit_id' | 'document_id' | 'at'>;

/** The last document of a page: its latest Cycle, its place, and its id in decimals. */
export type FoundDocumentPosition = readonly [at: number, locationId: number, unitId: number, documentId: string];

/**
 * The documents with the latest Cycles first, in the order of the index, so that reading stops at the end of the page.
 */
export async function listFoundDocuments(
  db: Db,
  { bank, from, through, locationIds, unitId, deletedSince }: DocumentCriteria,
  { after, offset, limit }: PageSlice<FoundDocumentPosition>,
): Promise<readonly FoundDocumentRow[]> {
  let query = db
    .selectFrom('document_cycles as c')
    .select(['c.location_id', 'c.unit_id', 'c.document_id', 'c.at'])
    .where('c.bank_id', '=', bank.bankId)
    .where(isOneOf(db, 'c.location_id', locationIds))
    .where('c.at', '>=', from)
    .where('c.at', '<=', after?.[0] ?? through);
  if (after !== undefined) query = query.where(isListedAfter(after));
  if (unitId !== undefined) query = query.where('c.unit_id', '=', unitId);
  return query
    .where(isOfVisibleUnit(deletedSince))
    .where(
      sql<SqlBool>`c.at = (select max(later.at) from document_cycles as later
        where later.bank_id = c.bank_id and later.location_id = c.location_id and later.unit_id = c.unit_id
          and later.document_id = c.document_id and later.at <= ${through})`,
    )
    .where(sql<SqlBool>`${db.dialect.interruptCheck(spreadTimes('c.at'))}`)
    .orderBy('c.at', 'desc')
    .orderBy('c.location_id')
    .orderBy('c.unit_id')
    .orderBy('c.document_id')
    .limit(limit)
    .offset(offset)
    .execute();
}

const isListedAfter = ([at, locationId, unitId, documentId]: FoundDocumentPosition) =>
  sql<SqlBool>`(c.at < ${at} or c.location_id > ${locationId} or (c.location_id = ${locationId}
    and (c.unit_id > ${unitId} or (c.unit_id = ${unitId} and c.document_id > ${BigInt(documentId)}))))`;

// A scalar subquery runs for each Cycle. With a join the planner could begin with the units.
const isOfVisibleUnit = (deletedSince: number) => sql<SqlBool>`1 = (select count(*) from units as u
  inner join locations as l on l.bank_id = u.bank_id and l.location_id = u.location_id
  where u.bank_id = c.bank_id and u.location_id = c.location_id and u.unit_id = c.unit_id
    and ${isRetained('u', sql.val(deletedSince))} and ${isRetained('l', sql.val(deletedSince))})`;

function isOneOf(db: Db, column: string, ids: readonly number[] | undefined): Expression<SqlBool> {
  if (ids === undefined) return sql`true`;
  return ids.length === 0 ? sql`false` : db.dialect.inList(sql.ref(column), ids);
}
