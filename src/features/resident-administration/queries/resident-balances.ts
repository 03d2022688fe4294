// Reads the balances and the last postings of residents from the roll-ups of residents.

import { sql } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { selectRetentionSetting } from '../../residents/queries/retention-setting.ts';
import type { ResidentRollupSum } from '../rules/balances.ts';

type BalanceBank = Pick<Tables['banks'], 'bank_type' | 'vat_basis_points' | 'discount_basis_points'> & {
  readonly open_period: number;
  /** The tenant's stored retention of identities. */
  readonly retention_setting: string | null;
};

/** The configuration that decides which lines settlements add. Undefined if the bank is missing or deleted. */
export const findBalanceBank = (db: Db, { bankId }: GrantedBank): Promise<BalanceBank | undefined> =>
  db
    .selectFrom('banks as b')
    .innerJoin('ledgers as l', 'l.bank_id', 'b.bank_id')
    .select(['b.bank_type', 'b.vat_basis_points', 'b.discount_basis_points', 'l.open_period'])
    .select(selectRetentionSetting(db))
    .where('b.bank_id', '=', bankId)
    .where('b.deleted_at', 'is', null)
    .executeTakeFirst();

/** The sums of residents by currency; where `byPeriod`, by period, kind and sign as well. */
export function listResidentSums(
  db: Db,
  { bankId }: GrantedBank,
  residentIds: readonly number[],
  { byPeriod }: { readonly byPeriod: boolean },
): Promise<ResidentRollupSum[]> {
  if (residentIds.length === 0) return Promise.resolve([]);
  const sums = db
    .selectFrom('resident_rollups')
    .select(['user_id', 'currency'])
    .where('bank_id', '=', bankId)
    .where('user_id', 'in', residentIds);
  if (byPeriod)
    return sums.select(['period as of_period', 'kind', 'is_credit', 'amount_high', 'amount_low', 'latest']).execute();
  return sums
    .select([sql<number>`0`.as('of_period'), sql<number>`0`.as('kind'), sql<number>`0`.as('is_credit')])
    .select(({ fn }) => [
      fn.sum<number>('amount_high').as('amount_high'),
      fn.sum<number>('amount_low').as('amount_low'),
      fn.max<number>('latest').as('latest'),
    ])
    .groupBy(['user_id', 'currency'])
    .execute();
}
