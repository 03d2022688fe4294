// Reads and writes the addresses of banks, locations, units and residents, which have the same columns in four tables.

import type { Tables } from '../../../database/tables.ts';
import { sql } from 'kysely';
import type { Db, WriteDb } from '../../../database/db.ts';
import { createLock, type Lock } from '../../../database/locks.ts';
import { findPrepared, type BindParameter } from '../../../database/statements/prepared-query.ts';
import type { AddressColumns } from '../../../database/tables/address-columns.ts';
import type { BankKey, GrantedBank, GrantedLocation, GrantedUnit } from '../../../permissions/coverage.ts';
import type { AddressState } from '../rules/provenance.ts';

type ResidentOfBank = GrantedBank & { readonly residentId: number };

/** An object that the grants cover, or one that it belongs to. */
export type AddressKey =
  | { readonly type: 'bank'; readonly granted: GrantedBank }
  | { readonly type: 'location'; readonly granted: GrantedLocation }
  | { readonly type: 'unit'; readonly granted: GrantedUnit }
  | { readonly type: 'user'; readonly granted: ResidentOfBank };

/** Columns that each of the tables has. */
export type AddressRow = AddressColumns & Pick<Tables['locations'], 'name' | 'enabled' | 'deleted_at'>;

type KeyColumn = 'bank_id' | 'location_id' | 'unit_id' | 'resident_id';
type KeyProperty = 'bankId' | 'locationId' | 'unitId' | 'residentId';
type KeyColumns = readonly (readonly [KeyColumn, KeyProperty])[];

const bankKey: KeyColumns = [['bank_id', 'bankId']];
const locationKey: KeyColumns = [...bankKey, ['location_id', 'locationId']];
const unitKey: KeyColumns = [...locationKey, ['unit_id', 'unitId']];
const residentKey: KeyColumns = [...bankKey, ['resident_id', 'residentId']];

const tables = {
  bank: { name: 'banks', key: bankKey },
  location: { name: 'locations', key: locationKey },
  unit: { name: 'units', key: unitKey },
  user: { name: 'residents', key: residentKey },
} as const;

// The query builder can type only one table; all four have the columns that are used here.
const tableOf = (type: AddressKey['type']) => tables[type].name as 'banks';

const isObject = (type: AddressKey['type'], bind: BindParameter) =>
  sql<boolean>`${sql.join(
    tables[type].key.map(([column, property]) => sql`${sql.ref(column)} = ${bind(property)}`),
    sql` and `,
  )}`;

/** The object's row, deleted or not. */
export const findAddressRow = (db: Db, { type, granted }: AddressKey): Promise<AddressRow | undefined> =>
  findPrepared(db, `address of a ${type}`, granted, (bind) =>
    db
      .selectFrom(tableOf(type))
      .select(['name', 'enabled', 'deleted_at'])
      .select(['address', 'zip', 'latitude', 'longitude', 'coordinate_provenance', 'address_revision'])
      .where(isObject(type, bind)),
  );

type ResidentStateRow = { readonly location_id: number | null; readonly expired_at: number | null };

export const findResidentState = (
  db: Db,
  { bankId, residentId }: ResidentOfBank,
): Promise<ResidentStateRow | undefined> =>
  findPrepared(db, 'state of a resident', { bankId, residentId }, (bind) =>
    db
      .selectFrom('residents')
      .select(['location_id', 'expired_at'])
      .where('bank_id', '=', bind<number>('bankId'))
      .where('resident_id', '=', bind<number>('residentId')),
  );

/** Writes the state and returns true, or returns false if the revision has changed meanwhile. */
export async function updateAddress(
  db: WriteDb,
  { type, granted }: AddressKey,
  { address_revision: revision }: AddressColumns,
  { address, zip, latitude, longitude, coordinate_provenance }: AddressState,
): Promise<boolean> {
  const key: Readonly<Record<string, unknown>> = granted;
  const { numUpdatedRows } = await db
    .updateTable(tableOf(type))
    .set({ address, zip, latitude, longitude, coordinate_provenance, address_revision: revision + 1 })
    .where(isObject(type, (name) => sql`${key[name]}`))
    .where('address_revision', '=', revision)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Every write that changes what lists show of the bank's places takes it. */
export const placesLock = ({ bankId }: BankKey): Lock<void, 'places'> =>
  createLock('places', [bankId], {
    update: (db) =>
      db
        .updateTable('banks')
        .set({ places_version: sql<number>`places_version + 1` })
        .where('bank_id', '=', bankId)
        .execute(),
  });
