// Reads and writes addresses directly in the database.

import { sql } from 'kysely';
import type { AddressColumns } from '../../../src/database/tables/address-columns.ts';
import type { TestService } from '../../support/service.ts';

const columns = ['address', 'zip', 'latitude', 'longitude', 'coordinate_provenance', 'address_revision'] as const;

/** The table of an object and the key of its row, by its KID. */
function rowOf(kid: string) {
  const [tenant = '', ...parts] = kid.split('-');
  const keys = { B: 'bank_id', L: 'location_id', U: 'unit_id', R: 'resident_id' } as const;
  const tables = { B: 'banks', L: 'locations', U: 'units', R: 'residents' } as const;
  const letterOf = (part = '') => part.charAt(0) as keyof typeof keys;
  const conditions = parts.map((part) => sql`${sql.ref(keys[letterOf(part)])} = ${Number(part.slice(1))}`);
  return { tenant, table: sql.table(tables[letterOf(parts.at(-1))]), where: sql.join(conditions, sql` and `) };
}

export async function addressOf(service: TestService, kid: string): Promise<AddressColumns> {
  const { tenant, table, where } = rowOf(kid);
  const query = sql<AddressColumns>`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${table} where ${where}`;
  const { rows } = await service.read(tenant, (db) => query.execute(db));
  return rows[0] as AddressColumns;
}

/** Sets any columns of the object's row. */
export async function updateStoredAddress(service: TestService, kid: string, change: object): Promise<void> {
  const { tenant, table, where } = rowOf(kid);
  const set = sql.join(Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));
  await service.write(tenant, (db) => sql`update ${table} set ${set} where ${where}`.execute(db));
}
