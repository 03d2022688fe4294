// Selects the units that a scope covers and the tenant status shows, with the names of their places.

import { sql, type Compilable, type Expression, type InferResult, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import {
  compileOnce,
  runPrepared,
  type BindParameter,
  type ParameterValues,
} from '../../../database/statements/prepared-query.ts';
import type { Grants } from '../../../permissions/needs.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { packedTypeMask } from '../../places/rules/unit-types.ts';

export type StatusUnitRow = InferResult<ReturnType<typeof selectVisibleUnits>>[number];

/** The time of the request, MS2000, and how many units are listed. */
export type LookupOptions = { readonly now: number; readonly limit: number };

export type AlertUnitRow = StatusUnitRow & {
  /** MS2000. */
  readonly alert_at: number;
};

/** Unit, location and bank are not deleted, and the location is enabled. */
export const selectVisibleUnits = (db: Db, { grants }: Pick<Scope, 'grants'>) =>
  db
    .selectFrom('units as u')
    .innerJoin('locations as l', onEqual('l', 'u', 'bank_id', 'location_id'))
    .innerJoin('banks as b', 'b.bank_id', 'u.bank_id')
    .select(['u.bank_id', 'u.location_id', 'u.unit_id', 'u.name', 'u.unit_type', 'u.packed_type', 'u.computer_name'])
    .select(['b.name as bank_name', 'b.bank_type', 'b.icon as bank_icon'])
    .select(['l.name as location_name', 'l.icon as location_icon'])
    .where('l.enabled', '=', sql.lit(1))
    .where(isNotDeleted('u'))
    .where(isNotDeleted('l'))
    .where(isNotDeleted('b'))
    .where(isCovered(db, grants));

/**
 * Runs a lookup that `build` makes of values that it takes from `bind`. Grants are written into the statement, so only the
 * lookup of a whole tenant is built once for all requests: building takes as long as the lookup itself.
 */
export const runLookup = <R>(
  db: Db,
  { grants }: Scope,
  { name, values }: { readonly name: string; readonly values: ParameterValues },
  build: (bind: BindParameter) => Compilable<R>,
): Promise<R[]> => (grants.tenantWide ? runPrepared(db, name, values, build) : compileOnce(db, build)(values));

/** Any other value hides the object: even a time in the future, or one that is not a time. */
const isNotDeleted = (alias: string) => sql<SqlBool>`coalesce(${sql.ref(`${alias}.deleted_at`)}, 0) = 0`;

/** Whether `validTypeOf` finds a type. */
export const hasValidType = sql<SqlBool>`case when u.unit_type <> 0 then u.unit_type
  else (coalesce(u.packed_type, 0) >> 1) & ${sql.lit(packedTypeMask)} end between 1 and ${sql.lit(packedTypeMask)}`;

function isCovered({ dialect }: Db, { tenantWide, banks, locations }: Grants): Expression<SqlBool> {
  if (tenantWide) return sql.lit(true);
  const parts: Expression<SqlBool>[] = [];
  const bankId = sql.ref<number>('u.bank_id');
  if (banks.size > 0) parts.push(dialect.inList(bankId, [...banks]));
  if (locations.size > 0) {
    // One number for each location, so that many locations do not make the condition deeper.
    const placeIds = [...locations].flatMap(([bank, ids]) => [...ids].map((id) => joinIds(bank, id)));
    const placeId = sql<number>`(u.bank_id * ${sql.lit(idRange)} + u.location_id)`;
    parts.push(sql`(${dialect.inList(bankId, [...locations.keys()])} and ${dialect.inList(placeId, placeIds)})`);
  }
  return parts.length === 0 ? sql.lit(false) : sql`(${sql.join(parts, sql` or `)})`;
}

/** More than the highest id. */
const idRange = 4_294_967_296;

const joinIds = (bankId: number, locationId: number): bigint => BigInt(bankId) * BigInt(idRange) + BigInt(locationId);

/**
 * An id as a text. Sorted by the texts of their ids, KIDs are in the order of texts: of numbers with the same beginning
 * the shorter one comes first.
 */
export const idText = (column: 'bank_id' | 'location_id' | 'unit_id', alias = 'u') =>
  sql<string>`cast(${sql.ref(`${alias}.${column}`)} as char)`;
