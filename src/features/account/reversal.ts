// ReverseBankAccountEntry: takes one entry back by a posting that compensates it, and queues that for the devices. The
// original is read after the ledger's guard row was bumped, so nobody else can reverse it meanwhile.

import type { Db, WriteDb } from '../../database/dialect.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { KidOf } from '../../lib/kid.ts';
import { localiseName } from '../../lib/language.ts';
import { Problem } from '../../lib/problem.ts';
import { reachOf } from '../../permissions/needs.ts';
import type { Scope } from '../../permissions/scope.ts';
import { holdOutbox, queueSync } from '../device-sync/queries.ts';
import { appendPostings, postingRow, type PostingDraft } from './ledger.ts';
import { bumpLedger, findLedgerHead, type LedgerHead } from './ledger-head.ts';
import { findOriginal, type OriginalRow } from './queries/reversal.ts';
import { effectiveRetentionDays, identityCutoff, isAnonymized } from './rules/identity.ts';
import { compensationOf, irreversibleReasons, whyIrreversible } from './rules/reversal.ts';
import { entryOf, type Entry } from './schemas.ts';
import { demandWholeBank } from './whole-bank.ts';

type Asked = {
  readonly bankId: number;
  readonly entry: KidOf<'posting'>;
  /** Tells what would happen, and does nothing. */
  readonly dryRun: boolean;
};

/** Reverses an entry; answers the one that compensates it. */
export function reverseEntry(door: ManagerDoor, { bankId, entry, dryRun }: Asked): Promise<Entry> {
  const { bankId: entryBank, postingId: wide } = entry;
  const postingId = Number(wide);
  // Nothing is locked for somebody who may not touch the bank, nor for what cannot be there.
  const canBe = reachOf(door.scope.grants, bankId) === 'all' && entryBank === bankId && Number.isSafeInteger(postingId);
  if (dryRun || !canBe) return door.read((db) => foresee(db, door, canBe ? { bankId, postingId } : { bankId }));
  return door.writeGuarded(
    async (db) => (await Promise.all([holdOutbox(db, bankId), bumpLedger(db, bankId, 1)]))[1],
    (db, scope, head) => reverse(db, door, scope, { bankId, postingId }, head),
  );
}

async function foresee(
  db: Db,
  door: ManagerDoor,
  { bankId, postingId }: { bankId: number; postingId?: number },
): Promise<Entry> {
  const { scope } = door;
  await demandWholeBank(db, scope, bankId);
  if (postingId === undefined) throw new Problem('not-found');
  const now = door.now();
  const [head, { original, draft }] = await Promise.all([
    findLedgerHead(db, bankId),
    compensate(db, scope, { bankId, postingId }, now),
  ]);
  if (head === undefined) throw new Problem('not-found');
  return answer(door, scope, { head, original, row: postingRow(draft, bankId, head.nextId, head.openPeriod), now });
}

async function reverse(
  db: WriteDb,
  door: ManagerDoor,
  scope: Scope,
  asked: { bankId: number; postingId: number },
  head: LedgerHead | undefined,
): Promise<Entry> {
  await demandWholeBank(db, scope, asked.bankId);
  if (head === undefined) throw new Problem('not-found');
  const now = door.now();
  const { original, draft } = await compensate(db, scope, asked, now);
  const { locationId, unitId } = draft;
  const record = { bankId: head.bankId, subjectId: head.nextId, locationId, unitId };
  const [row] = await Promise.all([append(db, head, draft), queueSync(db, { ...record, subjectKind: 'posting' }, now)]);
  return answer(door, scope, { head, original, row, now });
}

/** The original as it stands, and what takes it back; throws where that cannot be. */
async function compensate(
  db: Db,
  scope: Scope,
  { bankId, postingId }: { bankId: number; postingId: number },
  now: number,
): Promise<{ original: OriginalRow; draft: PostingDraft }> {
  const original = await findOriginal(db, bankId, postingId);
  if (original === undefined) throw new Problem('not-found');
  if (original.reversed_by !== null) throw new Problem('already-reversed');
  const reason = whyIrreversible(original, isAnonymized(original, cutoffOf(original, scope, now), now));
  if (reason !== undefined) throw new Problem('not-reversible', { reason, detail: irreversibleReasons[reason] });
  return { original, draft: compensationOf(original, now) };
}

const cutoffOf = ({ retention }: OriginalRow, { retentionDays }: Scope, now: number): number =>
  identityCutoff(effectiveRetentionDays(Number(retention ?? 0), retentionDays), now);

type Row = ReturnType<typeof postingRow>;

/** The unique key has the last word on whether there was a reversal already. */
async function append(db: WriteDb, head: LedgerHead, draft: PostingDraft): Promise<Row> {
  try {
    const [row] = await appendPostings(db, head, [draft]);
    if (row === undefined) throw new Error('a posting was appended, and is not there');
    return row;
  } catch (error) {
    throw db.words.classify(error) === 'duplicate' ? new Problem('already-reversed', { cause: error }) : error;
  }
}

type Reversed = {
  readonly head: LedgerHead;
  readonly original: OriginalRow;
  readonly row: Row;
  readonly now: number;
};

/** The compensating posting as the account shows it. */
function answer(door: ManagerDoor, scope: Scope, { head, original, row, now }: Reversed): Entry {
  const { location_name, unit_name } = original;
  const unnamed = { reversed_by: null, reversed_at: null, original_at: original.recorded_at };
  return entryOf(
    { ...original, ...row, ...unnamed },
    {
      bankKid: `${scope.tenant}-B${head.bankId}`,
      openPeriod: head.openPeriod,
      cutoff: cutoffOf(original, scope, now),
      now,
      locationNames: new Map([[row.location_id, location_name ?? '']]),
      unitNames: new Map([[`${row.location_id}/${row.unit_id}`, localiseName(unit_name ?? '', door.language)]]),
    },
  );
}
