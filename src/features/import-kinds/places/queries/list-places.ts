// Reads the rows of banks, locations and units, without deleted ones.

import type { Db } from '../../../../database/db.ts';
import type { BankKey } from '../../../../permissions/coverage.ts';

/** All banks of the tenant, or those of the ids. */
export const listBanks = (db: Db, ids?: readonly number[]) =>
  ids?.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('banks as b')
        .leftJoin('ledgers as l', 'l.bank_id', 'b.bank_id')
        .select(['b.bank_id', 'b.name', 'b.bank_type', 'b.icon', 'b.currency', 'b.enabled'])
        .select(['b.vat_basis_points', 'b.discount_basis_points', 'l.next_posting_id'])
        .select(['b.address', 'b.zip', 'b.latitude', 'b.longitude', 'b.coordinate_provenance', 'b.address_revision'])
        .where('b.deleted_at', 'is', null)
        .$if(ids !== undefined, (query) => query.where(({ ref }) => db.dialect.inList(ref('b.bank_id'), ids ?? [])))
        .orderBy('b.bank_id')
        .execute();

export type BankRow = Awaited<ReturnType<typeof listBanks>>[number];

/** Those of the numbers that a bank has or had, and whether it is deleted. */
export const listTakenNumbers = (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('banks')
        .select(['bank_id', 'deleted_at'])
        .where(({ ref }) => db.dialect.inList(ref('bank_id'), ids))
        .execute();

/** Also of deleted banks, so that no id is given twice. */
export async function readLastBankId(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('banks')
    .select(({ fn }) => fn.max<number | null>('bank_id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** All locations of a bank, or those of the ids. */
export const listLocations = (db: Db, { bankId }: BankKey, ids?: readonly number[]) =>
  ids?.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('locations')
        .select(['location_id', 'name', 'icon', 'time_zone', 'enabled'])
        .select(['address', 'zip', 'latitude', 'longitude', 'coordinate_provenance', 'address_revision'])
        .where('bank_id', '=', bankId)
        .where('deleted_at', 'is', null)
        .$if(ids !== undefined, (query) => query.where(({ ref }) => db.dialect.inList(ref('location_id'), ids ?? [])))
        .orderBy('location_id')
        .execute();

export type LocationRow = Awaited<ReturnType<typeof listLocations>>[number];

export async function readLastLocationId(db: Db, { bankId }: BankKey): Promise<number> {
  const { last } = await db
    .selectFrom('locations')
    .select(({ fn }) => fn.max<number | null>('location_id').as('last'))
    .where('bank_id', '=', bankId)
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** The units of all locations of a bank, or of those of the ids. */
export const listUnits = (db: Db, { bankId }: BankKey, locationIds?: readonly number[]) =>
  locationIds?.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('units as u')
        .innerJoin('locations as l', (join) =>
          join.onRef('l.bank_id', '=', 'u.bank_id').onRef('l.location_id', '=', 'u.location_id'),
        )
        .select(['u.location_id', 'u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.enabled', 'u.version'])
        .select('u.computer_name')
        .where('u.bank_id', '=', bankId)
        .where('u.deleted_at', 'is', null)
        .where('l.deleted_at', 'is', null)
        .$if(locationIds !== undefined, (query) =>
          query.where(({ ref }) => db.dialect.inList(ref('u.location_id'), locationIds ?? [])),
        )
        .orderBy('u.location_id')
        .orderBy('u.unit_id')
        .execute();

export type UnitRow = Awaited<ReturnType<typeof listUnits>>[number];

/** The last id of a unit in each of the locations. */
export async function readLastUnitIds(
  db: Db,
  { bankId }: BankKey,
  locationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (locationIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('units')
    .select('location_id')
    .select(({ fn }) => fn.max<number>('unit_id').as('last'))
    .where('bank_id', '=', bankId)
    .where(({ ref }) => db.dialect.inList(ref('location_id'), locationIds))
    .groupBy('location_id')
    .execute();
  return new Map(rows.map(({ location_id, last }) => [location_id, last]));
}
