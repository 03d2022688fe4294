// Reads postings to reverse, with everything that the decision and the answer need.

import type { Db } from '../../../database/db.ts';
import { onEqual } from '../../../database/statements/on-equal.ts';
import { findPrepared } from '../../../database/statements/prepared-query.ts';
import type { Tables } from '../../../database/tables.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { selectRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { besideColumns, postingColumns, type ListedPostingRow } from './posting-page.ts';
import { selectIsRefunded } from './refunds.ts';

export type OriginalPostingRow = ListedPostingRow & {
  readonly location_name: string | null;
  readonly unit_name: string | null;
  /** The tenant's retention of identities, as it is stored. */
  readonly retention_setting: string | null;
};

/** Undefined if the posting or its bank does not exist, or the bank is deleted. */
export const findOriginalPosting = (
  db: Db,
  { bankId }: WholeGrantedBank,
  postingId: number,
): Promise<OriginalPostingRow | undefined> =>
  findPrepared(db, 'original posting', { bank: bankId, posting: postingId }, (bind) =>
    db
      .selectFrom('banks')
      .innerJoin('postings as p', 'p.bank_id', 'banks.bank_id')
      .leftJoin('residents as r', onEqual('r', 'p', 'bank_id', ['resident_id', 'user_id']))
      .leftJoin('postings as back', onEqual('back', 'p', 'bank_id', ['reversal_of', 'posting_id']))
      .leftJoin('postings as original', onEqual('original', 'p', 'bank_id', ['posting_id', 'reversal_of']))
      .leftJoin('locations as l', onEqual('l', 'p', 'bank_id', 'location_id'))
      .leftJoin('units as u', onEqual('u', 'p', 'bank_id', 'location_id', 'unit_id'))
      .select(postingColumns.map((column) => `p.${column}` as const))
      .select([...besideColumns, 'l.name as location_name', 'u.name as unit_name'])
      .select(selectIsRefunded(db))
      .select(selectRetentionSetting(db))
      .where('banks.bank_id', '=', bind<number>('bank'))
      .where('banks.deleted_at', 'is', null)
      .where('p.posting_id', '=', bind<number>('posting')),
  );

const reversedColumns = [...postingColumns, 'payment_reference'] as const;

export type ReversedPostingRow = Pick<Tables['postings'], (typeof reversedColumns)[number]> & {
  readonly reversed_by: number | null;
  readonly resident_expired_at: number | null;
  /** When what it reverses was recorded. */
  readonly original_at: number | null;
  readonly is_refunded: number;
};

/** The postings with these ids, as far as they exist, with what decides whether they can be reversed. */
export async function listOriginalPostings(
  db: Db,
  { bankId }: WholeGrantedBank,
  postingIds: readonly number[],
): Promise<ReversedPostingRow[]> {
  if (postingIds.length === 0) return [];
  return db
    .selectFrom('postings as p')
    .leftJoin('residents as r', onEqual('r', 'p', 'bank_id', ['resident_id', 'user_id']))
    .leftJoin('postings as back', onEqual('back', 'p', 'bank_id', ['reversal_of', 'posting_id']))
    .leftJoin('postings as original', onEqual('original', 'p', 'bank_id', ['posting_id', 'reversal_of']))
    .select(reversedColumns.map((column) => `p.${column}` as const))
    .select([
      'r.expired_at as resident_expired_at',
      'back.posting_id as reversed_by',
      'original.recorded_at as original_at',
    ])
    .select(selectIsRefunded(db))
    .where('p.bank_id', '=', bankId)
    .where(({ ref }) => db.dialect.inList(ref('p.posting_id'), postingIds))
    .execute();
}
