// Appends postings that reverse others, after the ledger was locked.

import type { WriteDb } from '../../database/db.ts';
import { StorageError } from '../../database/errors.ts';
import type { Tables } from '../../database/tables.ts';
import type { LedgerHead } from './queries/ledger-head.ts';
import { appendPostings } from './queries/ledger.ts';
import type { PostingDraft } from './rules/posting-draft.ts';

/**
 * The lock of the ledger keeps other reversals away, and the unique key those of somebody who wrote without it. Then this
 * transaction stores nothing; it runs again and finds the other reversal.
 */
export async function appendReversals(
  db: WriteDb,
  head: LedgerHead,
  drafts: readonly PostingDraft[],
): Promise<Tables['postings'][]> {
  try {
    return await appendPostings(db, head, drafts);
  } catch (error) {
    throw db.dialect.classifyError(error) === 'duplicate' ? new StorageError('rolled-back', error) : error;
  }
}
