// An account selection's rows for a file, batch by batch: each is a read of its own, so that a slow client holds no
// snapshot open, and yet together they are the selection as it stood when the first was read.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { countedBatches } from '../../lib/batches.ts';
import { Problem } from '../../lib/problem.ts';
import type { BankView, BankViews } from './bank-view.ts';
import type { Head } from './queries/bank.ts';
import { listPostingsAfter, readNextPostingId } from './queries/export.ts';
import { listPostings, type PostingRow } from './queries/page.ts';
import type { Resolved } from './queries/selected.ts';
import { readAccount, readSums } from './read.ts';
import type { Selection } from './selection.ts';

/** A sheet of Excel 97-2003 holds as many, beside the row of names. */
export const maxExportRows = 65_535;
const batchRows = 500;

export type Beginning = {
  readonly head: Head;
  readonly cutoff: number;
  readonly now: number;
  readonly view: BankView;
  readonly resolved: Resolved;
  readonly count: number;
  /** The id of the first posting that comes after this moment. */
  readonly below: number;
  readonly rows: PostingRow[];
};

/** Everything that is shown beside the rows, how many there are, and the first of them, from one snapshot. */
export function beginExport(door: ManagerDoor, selection: Selection, views: BankViews): Promise<Beginning> {
  return readAccount(door, selection, async (db) => {
    const { scope, language } = door;
    const { bankId } = selection;
    const beside = (resolved: Resolved) => readFirst(db, bankId, resolved);
    const { context, sums, beside: first } = await readSums(db, scope, selection, door.now(), beside);
    if (sums.count > maxExportRows)
      throw new Problem('export-too-large', { detail: `The selection has ${sums.count} rows of ${maxExportRows}.` });
    const view = await views.of(db, scope, bankId, context.head, language);
    return { ...context, view, count: sums.count, ...first };
  });
}

async function readFirst(db: Db, bankId: number, resolved: Resolved) {
  const [below, rows] = await Promise.all([
    readNextPostingId(db, bankId),
    listPostings(db, resolved, { offset: 0, limit: batchRows }),
  ]);
  return { below, rows };
}

/** All rows, in batches. */
export const batchesOf = (door: ManagerDoor, { resolved, count, below, rows: first }: Beginning) =>
  countedBatches({
    first,
    count,
    next: (after) => door.readLater((db) => listPostingsAfter(db, resolved, { after, below, limit: batchRows })),
  });
