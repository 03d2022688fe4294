// ReverseBankAccountEntry: takes one entry back by a posting that compensates it, and queues that for the devices. The
// original is read after the ledger's guard row was bumped, so nobody else can reverse it meanwhile.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { KidOf } from '../../../lib/kid.ts';
import { localiseName } from '../../../lib/language.ts';
import { Problem } from '../../../lib/problem.ts';
import { coverageOf, requireCoveredBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { lockOutbox, queueSync } from '../../device-sync/queries/outbox.ts';
import { appendPostings, toPostingRow, type PostingDraft } from '../queries/ledger.ts';
import { lockLedgerForWrite, findLedgerHead, type LedgerHead } from '../queries/ledger-head.ts';
import { findOriginalPosting, type OriginalPostingRow } from '../queries/original-posting.ts';
import { chooseRetentionDays, computeIdentityCutoff, isAnonymized } from '../../residents/rules/identity.ts';
import { createCompensatingPosting, irreversibleReasons, findIrreversibleReason } from '../rules/reversal.ts';
import { toEntry, type Entry } from '../schemas.ts';
import { requireWholeBank } from '../whole-bank.ts';

type ReverseBankAccountEntryInput = {
  readonly bankId: number;
  readonly postingKid: KidOf<'posting'>;
  /** Tells what would happen, and does nothing. */
  readonly dryRun: boolean;
};

/** Reverses an entry; answers the one that compensates it. */
export function reverseBankAccountEntry(
  context: ManagerContext,
  { bankId, postingKid, dryRun }: ReverseBankAccountEntryInput,
): Promise<Entry> {
  const { bankId: entryBank, postingId: bigPostingId } = postingKid;
  const postingId = Number(bigPostingId);
  // Nothing is locked for somebody who may not touch the bank, nor for what cannot be there.
  const isPossible =
    coverageOf(context.scope.grants, bankId) === 'all' && entryBank === bankId && Number.isSafeInteger(postingId);
  if (dryRun || !isPossible)
    return context.read((db) => previewReversal(db, context, isPossible ? { bankId, postingId } : { bankId }));
  return context.write({
    grant: (scope) => scope,
    lock: async (db, scope) => {
      const bank = requireCoveredBank(scope, { bankId });
      return (await Promise.all([lockOutbox(db, bank), lockLedgerForWrite(db, bankId, 1)]))[1];
    },
    work: (db, scope, head) => writeReversal(db, context, scope, { bankId, postingId }, head),
  });
}

async function previewReversal(
  db: Db,
  context: ManagerContext,
  { bankId, postingId }: { bankId: number; postingId?: number },
): Promise<Entry> {
  const { scope } = context;
  await requireWholeBank(db, scope, bankId);
  if (postingId === undefined) throw new Problem('not-found');
  const now = context.now;
  const [head, { original, draft }] = await Promise.all([
    findLedgerHead(db, bankId),
    prepareReversal(db, scope, { bankId, postingId }, now),
  ]);
  if (head === undefined) throw new Problem('not-found');
  return toReversalEntry(context, scope, {
    head,
    original,
    row: toPostingRow(draft, bankId, head.nextPostingId, head.openPeriod),
    now,
  });
}

async function writeReversal(
  db: WriteDb,
  context: ManagerContext,
  scope: Scope,
  input: { bankId: number; postingId: number },
  head: LedgerHead | undefined,
): Promise<Entry> {
  await requireWholeBank(db, scope, input.bankId);
  if (head === undefined) throw new Problem('not-found');
  const now = context.now;
  const { original, draft } = await prepareReversal(db, scope, input, now);
  const { locationId, unitId } = draft;
  const bank = requireCoveredBank(scope, input);
  const record = { subjectId: head.nextPostingId, locationId, unitId };
  const [row] = await Promise.all([
    appendReversal(db, head, draft),
    queueSync(db, bank, { ...record, subjectKind: 'posting' }, now),
  ]);
  return toReversalEntry(context, scope, { head, original, row, now });
}

/** The original as it stands, and what takes it back; throws where that cannot be. */
async function prepareReversal(
  db: Db,
  scope: Scope,
  { bankId, postingId }: { bankId: number; postingId: number },
  now: number,
): Promise<{ original: OriginalPostingRow; draft: PostingDraft }> {
  const original = await findOriginalPosting(db, bankId, postingId);
  if (original === undefined) throw new Problem('not-found');
  if (original.reversed_by !== null) throw new Problem('already-reversed');
  const reason = findIrreversibleReason(original, isAnonymized(original, getIdentityCutoff(original, scope, now), now));
  if (reason !== undefined) throw new Problem('not-reversible', { reason, detail: irreversibleReasons[reason] });
  return { original, draft: createCompensatingPosting(original, now) };
}

const getIdentityCutoff = ({ retention }: OriginalPostingRow, { retentionDays }: Scope, now: number): number =>
  computeIdentityCutoff(chooseRetentionDays(Number(retention ?? 0), retentionDays), now);

type ReversalPostingRow = ReturnType<typeof toPostingRow>;

/** The unique key has the last word on whether there was a reversal already. */
async function appendReversal(db: WriteDb, head: LedgerHead, draft: PostingDraft): Promise<ReversalPostingRow> {
  try {
    const [row] = await appendPostings(db, head, [draft]);
    if (row === undefined) throw new Error('a posting was appended, and is not there');
    return row;
  } catch (error) {
    throw db.dialect.classifyError(error) === 'duplicate' ? new Problem('already-reversed', { cause: error }) : error;
  }
}

type ReversalResult = {
  readonly head: LedgerHead;
  readonly original: OriginalPostingRow;
  readonly row: ReversalPostingRow;
  readonly now: number;
};

/** The compensating posting as the account shows it. */
function toReversalEntry(context: ManagerContext, scope: Scope, { head, original, row, now }: ReversalResult): Entry {
  const { location_name, unit_name } = original;
  const linkColumns = { reversed_by: null, reversed_at: null, original_at: original.recorded_at };
  return toEntry(
    { ...original, ...row, ...linkColumns },
    {
      bankKid: `${scope.tenant}-B${head.bankId}`,
      openPeriod: head.openPeriod,
      identityCutoff: getIdentityCutoff(original, scope, now),
      now,
      locationNames: new Map([[row.location_id, location_name ?? '']]),
      unitNames: new Map([[`${row.location_id}/${row.unit_id}`, localiseName(unit_name ?? '', context.language)]]),
    },
  );
}
