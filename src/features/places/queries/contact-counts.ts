// Counts the units that are online and offline. The index units_overview holds all columns that this reads of units.

import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import type { Tables } from '../../../database/tables.ts';
import { coverageOf, type GrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { bankTypes } from '../rules/bank-types.ts';
import { contactBounds, type ContactBounds } from '../rules/contact-status.ts';

export type ContactCounts = { readonly online: number; readonly offline: number };

/** Counts by bank, over the units that the scope covers. A bank without covered locations has no row. */
export async function countContactsByBank(
  db: Db,
  scope: Scope,
  bankIds: readonly number[],
  now: number,
): Promise<(ContactCounts & { readonly bank_id: number })[]> {
  if (bankIds.length === 0) return [];
  const [cash, other] = [contactBounds(bankTypes.cash, now), contactBounds(bankTypes.rent, now)];
  const onlineAfter = sql<number>`case b.bank_type when ${bankTypes.cash} then ${cash.onlineAfter} else ${other.onlineAfter} end`;
  // A left join makes the engine read the covered locations first, and then only their units.
  return db
    .selectFrom('banks as b')
    .innerJoin('locations as l', 'l.bank_id', 'b.bank_id')
    .leftJoin('units as u', (join) => onEqual('u', 'l', 'bank_id', 'location_id')(join).on('u.deleted_at', 'is', null))
    .select('b.bank_id')
    .select(contactCountColumns(onlineAfter, cash.offlineFrom))
    .where('b.bank_id', 'in', bankIds)
    .where('l.deleted_at', 'is', null)
    .where((eb) => isCoveredLocation(eb, scope, bankIds))
    .groupBy('b.bank_id')
    .execute();
}

type ContactTables = { b: Tables['banks']; l: Tables['locations'] };

/** Whether the scope covers the location `l` of one of these banks. */
function isCoveredLocation(
  eb: ExpressionBuilder<ContactTables, 'b' | 'l'>,
  { grants }: Scope,
  bankIds: readonly number[],
): Expression<SqlBool> {
  const coverages = bankIds.map((bankId) => [bankId, coverageOf(grants, bankId)] as const);
  const wholeBankIds = coverages.flatMap(([bankId, coverage]) => (coverage === 'all' ? [bankId] : []));
  if (wholeBankIds.length === bankIds.length) return sql.lit(true);
  const parts = coverages.flatMap(([bankId, coverage]) =>
    coverage === undefined || coverage === 'all'
      ? []
      : [eb.and([eb('l.bank_id', '=', bankId), eb('l.location_id', 'in', [...coverage])])],
  );
  return eb.or(wholeBankIds.length === 0 ? parts : [eb('l.bank_id', 'in', wholeBankIds), ...parts]);
}

/** Counts by location, in these locations of a bank. A location without units has no row. */
export async function countContactsByLocation(
  db: Db,
  { bankId }: GrantedBank,
  locationIds: readonly number[],
  { onlineAfter, offlineFrom }: ContactBounds,
): Promise<(ContactCounts & { readonly location_id: number })[]> {
  if (locationIds.length === 0) return [];
  return db
    .selectFrom('units as u')
    .select('u.location_id')
    .select(contactCountColumns(sql.val(onlineAfter), offlineFrom))
    .where('u.bank_id', '=', bankId)
    .where('u.location_id', 'in', locationIds)
    .where('u.deleted_at', 'is', null)
    .groupBy('u.location_id')
    .execute();
}

const contactCountColumns = (onlineAfter: RawBuilder<number>, offlineFrom: number) =>
  [
    sql<number>`count(case when u.last_contact_at > ${onlineAfter} then 1 end)`.as('online'),
    sql<number>`count(case when u.last_contact_at >= ${offlineFrom} and u.last_contact_at <= ${onlineAfter} then 1 end)`.as(
      'offline',
    ),
  ] as const;
