// An account selection's rows for a file, batch by batch: each is a read of its own, so that a slow client holds no
// snapshot open, and yet together they are the selection as it stood when the first was read.

import type { Db } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import { countedBatches } from '../../lib/batches.ts';
import { Problem } from '../../lib/problem.ts';
import type { BankView, BankViews } from './bank-view.ts';
import type { Head } from './queries/bank.ts';
import {
  countPostings,
  listFirstPostings,
  listPostingsAfter,
  readFileResidents,
  readNextPostingId,
  unpackedPosting,
  unpackedPostings,
  type FileResidents,
  type PackedPosting,
} from './queries/export.ts';
import type { PostingRow } from './queries/page.ts';
import type { Resolved } from './queries/selected.ts';
import { readShares } from './queries/sums.ts';
import { readAccount, resolve } from './read.ts';
import { addShares } from './rules/rollups.ts';
import type { Selection } from './selection.ts';

/** A sheet of Excel 97-2003 holds as many, beside the row of names. */
export const maxExportRows = 65_535;
/** The first batch is soon there; the others cost less the larger they are, up to a point. */
const firstRows = 500;
const batchRows = 2000;

export type Beginning = {
  readonly head: Head;
  readonly cutoff: number;
  readonly now: number;
  readonly view: BankView;
  readonly resolved: Resolved;
  readonly count: number;
  /** The id of the first posting that comes after this moment. */
  readonly below: number;
  readonly residents: FileResidents;
  readonly rows: PackedPosting[];
};

/** Everything that is shown beside the rows, how many there are, and the first of them, from one snapshot. */
export function beginExport(door: ManagerDoor, selection: Selection, views: BankViews): Promise<Beginning> {
  return readAccount(door, selection, async (db) => {
    const { scope, language } = door;
    const { bankId } = selection;
    const context = await resolve(db, scope, selection, door.now());
    const [view, first] = await Promise.all([
      views.of(db, scope, bankId, context.head, language),
      readFirst(db, bankId, context.resolved),
    ]);
    if (first.count > maxExportRows)
      throw new Problem('export-too-large', { detail: `The selection has ${first.count} rows of ${maxExportRows}.` });
    return { ...context, view, ...first };
  });
}

async function readFirst(db: Db, bankId: number, resolved: Resolved) {
  const [count, below, residents, rows] = await Promise.all([
    countRows(db, resolved),
    readNextPostingId(db, bankId),
    readFileResidents(db, resolved),
    listFirstPostings(db, resolved, firstRows),
  ]);
  return { count, below, residents, rows };
}

/** Of a resident no roll-up knows. */
const countRows = async (db: Db, resolved: Resolved): Promise<number> =>
  resolved.user === undefined ? addShares(await readShares(db, resolved)).count : countPostings(db, resolved);

/** All rows, in batches. A row is unpacked when its turn comes. */
export async function* batchesOf(
  door: ManagerDoor,
  { resolved, count, below, residents, rows: first }: Beginning,
): AsyncGenerator<IteratorObject<PostingRow>> {
  const moment = { below, residents };
  const batches = countedBatches({
    first,
    count,
    next: (last) => {
      const after = unpackedPosting(last, moment);
      return door.readLater((db) => listPostingsAfter(db, resolved, { after, below, limit: batchRows }));
    },
  });
  for await (const rows of batches) yield unpackedPostings(rows, moment);
}
