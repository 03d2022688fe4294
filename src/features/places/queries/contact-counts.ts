// How many units are online and how many offline, counted in the database: what is asked of units stands in the index
// units_overview.

import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { coverageOf } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { bankTypes } from '../rules/bank-types.ts';
import { contactBounds, type ContactBounds } from '../rules/contact-status.ts';
import type { BankKey } from '../../../permissions/coverage.ts';

export type ContactCounts = { readonly online: number; readonly offline: number };

/** By bank, over the units that the scope covers, banks of every type at once. A bank without locations in sight has no row. */
export async function countContactsByBank(
  db: Db,
  scope: Scope,
  bankIds: readonly number[],
  now: number,
): Promise<(ContactCounts & { readonly bank_id: number })[]> {
  if (bankIds.length === 0) return [];
  const [cash, other] = [contactBounds(bankTypes.cash, now), contactBounds(bankTypes.rent, now)];
  const onlineAfter = sql<number>`case b.bank_type when ${bankTypes.cash} then ${cash.onlineAfter} else ${other.onlineAfter} end`;
  // A left join keeps to this order: the locations in sight first, and then their units alone.
  return db
    .selectFrom('banks as b')
    .innerJoin('locations as l', 'l.bank_id', 'b.bank_id')
    .leftJoin('units as u', (join) =>
      join
        .onRef('u.bank_id', '=', 'l.bank_id')
        .onRef('u.location_id', '=', 'l.location_id')
        .on('u.deleted_at', 'is', null),
    )
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
  const wholeBankIds = coverages.flatMap(([bankId, reach]) => (reach === 'all' ? [bankId] : []));
  if (wholeBankIds.length === bankIds.length) return sql.lit(true);
  const parts = coverages.flatMap(([bankId, reach]) =>
    reach === undefined || reach === 'all'
      ? []
      : [eb.and([eb('l.bank_id', '=', bankId), eb('l.location_id', 'in', [...reach])])],
  );
  return eb.or(wholeBankIds.length === 0 ? parts : [eb('l.bank_id', 'in', wholeBankIds), ...parts]);
}

/** By location, over units of these locations of a bank. A location without units has no row. */
export async function countContactsByLocation(
  db: Db,
  { bankId }: BankKey,
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
