// An account selection's rows for a file, batch by batch: each is a read of its own, so that a slow client holds no
// snapshot open, and yet together they are the selection as it stood when the first was read.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { prefetchBatches } from '../../lib/prefetch-batches.ts';
import { Problem } from '../../lib/problem.ts';
import type { BankDisplay, BankDisplayCache } from './bank-display-cache.ts';
import type { AccountBankState } from './queries/account-bank.ts';
import {
  countPostings,
  listFirstPostings,
  listPostingsAfter,
  readResidentIdentities,
  readNextPostingId,
  unpackPosting,
  unpackPostings,
  type ResidentIdentities,
  type PackedPosting,
} from './queries/export-batches.ts';
import type { PostingRow } from './queries/posting-page.ts';
import type { ResolvedSelection } from './queries/selected-postings.ts';
import { listPartialSums } from './queries/posting-sums.ts';
import { readWithAccountProblems, resolveSelection } from './operations/get-bank-account.ts';
import { addPartialSums } from './rules/rollups.ts';
import type { AccountSelection } from './rules/account-selection.ts';

/** A sheet of Excel 97-2003 holds as many, beside the row of names. */
export const maxExportRows = 65_535;
/** The first batch is soon there; the others cost less the larger they are, up to a point. */
const firstBatchRows = 500;
const batchRows = 2000;

export type ExportSnapshot = {
  readonly head: AccountBankState;
  readonly identityCutoff: number;
  readonly now: number;
  readonly bankDisplay: BankDisplay;
  readonly resolvedSelection: ResolvedSelection;
  readonly count: number;
  /** The id of the first posting that comes after this moment. */
  readonly nextPostingId: number;
  readonly residents: ResidentIdentities;
  readonly firstBatch: PackedPosting[];
};

/** Everything that is shown beside the rows, how many there are, and the first of them, from one snapshot. */
export function readExportSnapshot(
  context: ManagerContext,
  selection: AccountSelection,
  bankDisplayCache: BankDisplayCache,
): Promise<ExportSnapshot> {
  return readWithAccountProblems(context, selection, async (db) => {
    const { scope, language } = context;
    const { bankId } = selection;
    const state = await resolveSelection(db, scope, selection, context.now);
    const [bankDisplay, first] = await Promise.all([
      bankDisplayCache.get(db, scope, bankId, state.head, language),
      readFirstBatch(db, bankId, state.resolvedSelection),
    ]);
    if (first.count > maxExportRows)
      throw new Problem('export-too-large', { detail: `The selection has ${first.count} rows of ${maxExportRows}.` });
    return { ...state, bankDisplay, ...first };
  });
}

async function readFirstBatch(db: Db, bankId: number, resolved: ResolvedSelection) {
  const [count, nextPostingId, residents, firstBatch] = await Promise.all([
    countSelectedPostings(db, resolved),
    readNextPostingId(db, bankId),
    readResidentIdentities(db, resolved),
    listFirstPostings(db, resolved, firstBatchRows),
  ]);
  return { count, nextPostingId, residents, firstBatch };
}

/** Of a resident no roll-up knows. */
const countSelectedPostings = async (db: Db, resolved: ResolvedSelection): Promise<number> =>
  resolved.userFilter === undefined
    ? addPartialSums(await listPartialSums(db, resolved)).count
    : countPostings(db, resolved);

/** All rows, in batches. A row is unpacked when its turn comes. */
export async function* streamBatches(
  context: ManagerContext,
  { resolvedSelection, count, nextPostingId, residents, firstBatch: first }: ExportSnapshot,
): AsyncGenerator<IteratorObject<PostingRow>> {
  const unpackContext = { nextPostingId, residents };
  const batches = prefetchBatches({
    first,
    totalCount: count,
    readNext: (last) => {
      const after = unpackPosting(last, unpackContext);
      return context.readWithNewDeadline((db) =>
        listPostingsAfter(db, resolvedSelection, { afterPosting: after, nextPostingId, limit: batchRows }),
      );
    },
  });
  for await (const rows of batches) yield unpackPostings(rows, unpackContext);
}
