// Takes imported postings back: each is reversed, as far as ReverseBankAccountEntry would reverse it.

import type { WriteDb } from '../../../database/db.ts';
import { formatPostingKid } from '../../../lib/kid.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';
import { appendReversals } from '../../account/record-reversals.ts';
import { reservePostingIds, type LedgerHead } from '../../account/queries/ledger-head.ts';
import type { ReversedPostingRow } from '../../account/queries/original-posting.ts';
import { latestTimeOf } from '../../account/rules/posting-draft.ts';
import {
  createCompensatingPosting,
  findIrreversibleReason,
  irreversibleReasons,
} from '../../account/rules/reversal.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { queueSyncs } from '../../outbox/queries/outbox.ts';
import { readRetentionSetting } from '../../residents/queries/retention-setting.ts';
import { getIdentityVisibility, isAnonymized, type IdentityVisibility } from '../../residents/rules/identity.ts';
import { listPostingsByKids } from './queries/postings-of-rows.ts';
import { answerNow } from '../rules/answers.ts';
import { bankKidOf } from '../rules/bank-kids.ts';
import type { ImportKind, ImportTarget, RowError, UndoableRow, UndoneRow } from '../import-kind.ts';
import { notFound } from '../rules/parse-fields.ts';

/** Why the audit log has these reversals. */
const undoReason = 'import undone';

export const undoPostings: ImportKind['undo'] = async (db, actor, target, rows) => {
  const [stored, retentionSetting] = await Promise.all([
    listPostingsByKids(
      db,
      target,
      rows.map(({ objectKid }) => objectKid),
    ),
    readRetentionSetting(db),
  ]);
  const visibility = getIdentityVisibility(retentionSetting, { retentionDays: 0 }, actor.now);
  const originals: ReversedPostingRow[] = [];
  const answers = answerNow(rows, ({ objectKid }: UndoableRow): UndoneRow => {
    const original = stored.get(objectKid);
    if (original === undefined) return { errors: [notFound('posting')] };
    const error = findUndoError(original, visibility);
    if (error !== undefined) return { errors: [error] };
    originals.push(original);
    return { revision: 'reversed' };
  });
  if (originals.length > 0) await reversePostings(db, actor, target, originals);
  return answers;
};

function findUndoError(original: ReversedPostingRow, visibility: IdentityVisibility): RowError | undefined {
  if (original.reversed_by !== null)
    return { field: 'kid', code: 'already-reversed', text: 'The entry is reversed already.' };
  const reason = findIrreversibleReason(original, isAnonymized(original, visibility));
  return reason && { field: 'kid', code: reason, text: irreversibleReasons[reason] };
}

async function reversePostings(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  originals: readonly ReversedPostingRow[],
): Promise<void> {
  const { bank } = target;
  const head = await reservePostingIds(db, bank, { reservedCount: originals.length, now: actor.now });
  if (head === undefined) throw new Error(`bank ${bank.bankId} has postings but no ledger`);
  const recordedAt = decideRecordingTime(latestTimeOf(head), { now: actor.now, currentTime: actor.readClock() });
  const drafts = originals.map((original) => createCompensatingPosting(original, recordedAt));
  const records = drafts.map(({ locationId, unitId }, index) => {
    const subjectId = head.nextPostingId + index;
    return { subjectKind: 'posting', subjectId, locationId, unitId } as const;
  });
  await Promise.all([appendReversals(db, head, drafts), queueSyncs(db, bank, records, actor.now)]);
  await recordAppended(db, actor, target, head, { reason: undoReason, reversals: drafts.length });
}

type Appended = { readonly reason: string; readonly reversals: number } | { readonly postings: number };

/** Records how many postings were appended behind the head, and the first and the last of them. */
export function recordAppended(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  { nextPostingId }: Pick<LedgerHead, 'nextPostingId'>,
  appended: Appended,
): Promise<void> {
  const bankKid = bankKidOf(target);
  const count = 'postings' in appended ? appended.postings : appended.reversals;
  const firstKid = formatPostingKid(bankKid, nextPostingId);
  const lastKid = formatPostingKid(bankKid, nextPostingId + count - 1);
  const after = { ...appended, firstKid, lastKid };
  return appendAudit(db, actor, { object: bankKid, bankId: target.bank.bankId, before: null, after });
}
