// Reads the postings of a bank in the order of their ids, with what decides whether their identities are shown.

import type { Db } from '../../../database/db.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { postingColumns } from '../../account/queries/posting-page.ts';

type PostingBatch = { readonly after: number; readonly limit: number };

/** The postings with the next ids. */
export const listExportedPostings = (db: Db, { bankId }: WholeGrantedBank, { after, limit }: PostingBatch) =>
  db
    .selectFrom('postings as p')
    .leftJoin('residents as r', (join) =>
      join.onRef('r.bank_id', '=', 'p.bank_id').onRef('r.resident_id', '=', 'p.user_id'),
    )
    .leftJoin('postings as original', (join) =>
      join.onRef('original.bank_id', '=', 'p.bank_id').onRef('original.posting_id', '=', 'p.reversal_of'),
    )
    .select(postingColumns.map((column) => `p.${column}` as const))
    .select(['p.payment_reference', 'r.expired_at as resident_expired_at', 'original.recorded_at as original_at'])
    .where('p.bank_id', '=', bankId)
    .where('p.posting_id', '>', after)
    .orderBy('p.posting_id')
    .limit(limit)
    .execute();
