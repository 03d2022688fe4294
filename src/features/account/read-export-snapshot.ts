// Streams the rows of an account's export in batches. Each batch is a read of its own, so a slow client keeps no snapshot
// open; together they are the selection as of the first read.

import type { Db } from '../../database/db.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import { prefetchBatches } from '../../lib/queues/prefetch-batches.ts';
import { Problem } from '../../lib/problem.ts';
import { readResidentIdentities, type ResidentIdentities } from '../residents/queries/identities.ts';
import type { BankDisplayCache } from './process/bank-display-cache.ts';
import {
  countPostings,
  listFirstPostings,
  listPostingsAfter,
  readNextPostingId,
  unpackExportPosting,
  unpackExportPostings,
  type PackedExportPosting,
} from './queries/export-batches.ts';
import type { PostingRow } from './queries/posting-page.ts';
import type { ResolvedSelection } from './queries/selected-postings.ts';
import { listPartialSums } from './queries/posting-sums.ts';
import { resolveSelection, type ResolvedAccount } from './read-selection.ts';
import { toAccountReadError, type AccountSelection } from './rules/account-selection.ts';
import { addPartialSums } from './rules/rollups.ts';
import type { BankDisplay } from './rules/bank-display.ts';

/** A sheet of Excel 97-2003 holds one row more, for the column names. */
export const maxXlsRows = 65_535;
// A small first batch arrives early; larger batches cost less per row.
const firstBatchRows = 500;
const batchRows = 2000;

type ExportSnapshot = Omit<ResolvedAccount, 'displayState'> & {
  readonly bankDisplay: BankDisplay;
  readonly count: number;
  /** The id of the first posting that is added after this read. */
  readonly nextPostingId: number;
  readonly residents: ResidentIdentities;
  readonly firstBatch: PackedExportPosting[];
};

export type AccountExportInput = {
  readonly context: ManagerContext;
  readonly selection: AccountSelection;
  readonly bankDisplayCache: BankDisplayCache;
  /** The most rows that the file format holds, if it has a limit. */
  readonly maxRows: number | undefined;
  /** Records the export of so many rows. */
  readonly record: (rows: number) => Promise<void>;
};

/**
 * Records the export while it reads the first batch, the number of rows, and everything that is shown besides the rows.
 */
export function readExportSnapshot({
  context,
  selection,
  bankDisplayCache,
  maxRows,
  record,
}: AccountExportInput): Promise<ExportSnapshot> {
  const { scope, now } = context;
  return context
    .readForDownload(async (db) => {
      const account = await resolveSelection(db, selection, scope, now);
      const [bankDisplay, first] = await Promise.all([
        bankDisplayCache.get(db, selection.bank, account.bankState, context),
        readFirstBatch(db, account.resolved, { maxRows, record }),
      ]);
      return { ...account, bankDisplay, ...first };
    })
    .catch((error: unknown) => {
      throw toAccountReadError(error, selection);
    });
}

async function readFirstBatch(
  db: Db,
  resolved: ResolvedSelection,
  { maxRows, record }: Pick<AccountExportInput, 'maxRows' | 'record'>,
) {
  const counted = countSelectedPostings(db, resolved).then((count) => requireExportable(count, maxRows));
  const [count, nextPostingId, residents, firstBatch] = await Promise.all([
    counted,
    readNextPostingId(db, resolved.bank),
    readResidentIdentities(db, resolved.bank, resolved.residentFilter?.residentId),
    listFirstPostings(db, resolved, firstBatchRows),
    counted.then(record),
  ]);
  return { count, nextPostingId, residents, firstBatch };
}

function requireExportable(count: number, maxRows = Number.POSITIVE_INFINITY): number {
  if (count > maxRows)
    throw new Problem('export-too-large', {
      detail: `The selection has ${count} rows. An XLS file can contain at most ${maxRows}; CSV has no limit.`,
    });
  return count;
}

/** Roll-ups do not know users. */
const countSelectedPostings = async (db: Db, resolved: ResolvedSelection): Promise<number> =>
  resolved.residentFilter === undefined
    ? addPartialSums(await listPartialSums(db, resolved)).count
    : countPostings(db, resolved);

/** All rows, in batches. Rows are unpacked when they are used. */
export async function* streamBatches(
  context: ManagerContext,
  { resolved, count, nextPostingId, residents, firstBatch: first }: ExportSnapshot,
): AsyncGenerator<IteratorObject<PostingRow>> {
  const unpackContext = { nextPostingId, residents };
  const batches = prefetchBatches({
    first,
    totalCount: count,
    readNext: (last) => {
      const after = unpackExportPosting(last, unpackContext);
      return context.readForDownload((db) =>
        listPostingsAfter(db, resolved, { after, nextPostingId, limit: batchRows }),
      );
    },
  });
  for await (const rows of batches) yield unpackExportPostings(rows, unpackContext);
}
