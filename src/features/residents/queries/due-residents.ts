// Reads the residents whose personal data must be erased.

import { sql, type ExpressionBuilder } from 'kysely';
import type { Db } from '../../../database/db.ts';
import type { Tables } from '../../../database/tables.ts';
import { findCoveredBank, isWhole, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { ExpiryRule } from '../rules/expiry.ts';

/** The banks with residents that the scope covers as a whole, including deleted banks, by id. */
export async function listResidentBanks(db: Db, scope: Scope): Promise<WholeGrantedBank[]> {
  const rows = await db.selectFrom('residents').select('bank_id').distinct().orderBy('bank_id').execute();
  return rows.flatMap(({ bank_id: bankId }) => {
    const bank = findCoveredBank(scope, { bankId });
    return bank !== undefined && isWhole(bank) ? [bank] : [];
  });
}

export type DueResident = Pick<
  Tables['residents'],
  'resident_id' | 'location_id' | 'revision' | 'deleted_at' | 'expired_at'
> & { readonly key_count: number };

export type DuePage = { readonly afterId: number; readonly limit: number };

/** The next residents that are due and have not been erased yet, by id. */
export const listDueResidents = (
  db: Db,
  { bankId }: WholeGrantedBank,
  rule: ExpiryRule,
  { afterId, limit }: DuePage,
): Promise<DueResident[]> =>
  db
    .selectFrom('residents')
    .select(['resident_id', 'location_id', 'revision', 'deleted_at', 'expired_at'])
    .select((eb) => selectKeyCount(eb).as('key_count'))
    .where('bank_id', '=', bankId)
    .where('resident_id', '>', afterId)
    .where('erased_at', 'is', null)
    .where((eb) => isDueSql(eb, rule))
    .orderBy('resident_id')
    .limit(limit)
    .execute();

type ResidentsBuilder = ExpressionBuilder<Tables, 'residents'>;

/** Residents who have expired, or who expire by the rule. */
const isDueSql = (eb: ResidentsBuilder, { deletedBefore, now }: ExpiryRule) =>
  eb.or([eb('expired_at', '<=', now), ...(deletedBefore === undefined ? [] : [eb('deleted_at', '<', deletedBefore)])]);

const selectKeyCount = ({ selectFrom, fn }: ResidentsBuilder) =>
  selectFrom('resident_keys')
    .select(fn.countAll<number>().as('count'))
    .where('resident_keys.bank_id', '=', sql.ref<number>('residents.bank_id'))
    .where('resident_keys.resident_id', '=', sql.ref<number>('residents.resident_id'))
    .$asScalar()
    .$notNull();

/** The residents of the scope's banks whose personal data was erased at an instant or later. */
export async function listResidentsErasedSince(
  db: Db,
  scope: Scope,
  since: number,
): Promise<Pick<Tables['residents'], 'bank_id' | 'resident_id'>[]> {
  const rows = await db
    .selectFrom('residents')
    .select(['bank_id', 'resident_id'])
    .where('erased_at', '>=', since)
    .execute();
  return rows.filter(({ bank_id: bankId }) => findCoveredBank(scope, { bankId }) !== undefined);
}
