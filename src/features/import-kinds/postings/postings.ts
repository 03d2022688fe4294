// Postings: what an account had before, or what an administration brings in. They are appended in the order of the rows,
// to the period that is open, however long ago they happened: as of machines that send them late.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { OperationAccess } from '../../../http/operations/operation.ts';
import { formatBankKid, formatPostingKid } from '../../../lib/kid.ts';
import { findLedgerHead, ledgerLock, type LedgerHead } from '../../account/queries/ledger-head.ts';
import { reserveAndAppendPostings } from '../../account/queries/ledger.ts';
import type { PostingDraft } from '../../account/rules/posting-draft.ts';
import type { ReversedPostingRow } from '../../account/queries/original-posting.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import type { AuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSyncs } from '../../device-sync/queries/outbox.ts';
import { readPostingKnowledge, type PostingKnowledge } from './queries/postings-of-rows.ts';
import { decidePosting } from './rules/decide-posting.ts';
import { OriginalPostings, type OriginalPosting } from './rules/original-postings.ts';
import { parsePostingRow, postingImportColumns } from './rules/posting-fields.ts';
import { toValuesLike } from './rules/posting-values.ts';
import { listChangeErrors, unknownReference } from '../rules/row-errors.ts';
import type { ApplicableRow, AppliedRow, FoundRow, ImportKind, ImportTarget, KeyedRow } from '../import-kind.ts';
import { exportPostings } from './postings-export.ts';
import { undoPostings } from './postings-undo.ts';

/**
 * What ReverseBankAccountEntry needs, which is the only other way for a manager to write money: Write of the bank and of
 * its residents. What is read to plan it is what the account shows.
 */
const access: OperationAccess = {
  tabs: ['Account2'],
  permissions: ['Bank.Read', 'Bank.Write', 'Location.Read', 'Unit.Read', 'User.Read', 'User.Write'],
  grantLevel: 'bank',
};

/** What ExportBankAccount needs, for the whole bank. */
const readAccess: OperationAccess = {
  tabs: ['Account2'],
  permissions: ['Bank.Read', 'Location.Read', 'Unit.Read', 'User.Read'],
  grantLevel: 'bank',
};

export const postingsKind: ImportKind = {
  name: 'postings',
  belongsTo: 'bank',
  access,
  readAccess,
  columns: postingImportColumns,
  isAppendOnly: true,
  batchRows: 1000,
  parseRow: parsePostingRow,
  findCurrent: findPostings,
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined })],
  apply: applyPostings,
  undo: undoPostings,
  exportRows: exportPostings,
};

async function findPostings(db: Db, target: ImportTarget, rows: readonly KeyedRow[]): Promise<FoundRow[]> {
  const knowledge = await readPostingKnowledge(db, target, rows);
  const known = new OriginalPostings(knowledge.originals);
  return rows.map((row) => {
    const stored = knowledge.stored.get(row.objectKid ?? '');
    if (stored !== undefined) return toFound(row, stored, knowledge);
    const decision = decidePosting(row, { ...knowledge, known });
    const { reverses = '' } = row.values;
    const claims = reverses === '' ? [] : [`reverses:${reverses}`];
    return { current: null, errors: 'errors' in decision ? decision.errors : [], claims };
  });
}

function toFound(row: KeyedRow, stored: ReversedPostingRow, knowledge: PostingKnowledge): FoundRow {
  const values = toValuesLike(stored, row.values, knowledge);
  const revision = stored.reversed_by === null ? '1' : 'reversed';
  return { current: { values, revision }, errors: listChangeErrors(row.values, values), claims: [] };
}

/** One append for all rows: their ids follow each other, and their sums are written once. */
async function applyPostings(
  db: WriteDb,
  actor: AuditContext,
  target: ImportTarget,
  rows: readonly ApplicableRow[],
): Promise<AppliedRow[]> {
  const { bank } = target;
  const [knowledge, head] = await Promise.all([readPostingKnowledge(db, target, rows), findLedgerHead(db, bank)]);
  if (head === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
  const { results, drafts, reversed } = draftPostings(rows, knowledge, head);
  if (drafts.length === 0) return results;
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  // Sent together; the engine runs them in this order.
  await Promise.all([reserveAndAppendPostings(db, bank, head, drafts), queueSyncs(db, bank, reversed, actor.now)]);
  await appendAudit(db, actor, {
    object: bankKid,
    bankId: bank.bankId,
    before: null,
    after: {
      postings: drafts.length,
      firstKid: formatPostingKid(bankKid, head.nextPostingId),
      lastKid: formatPostingKid(bankKid, head.nextPostingId + drafts.length - 1),
    },
  });
  return results;
}

function draftPostings(rows: readonly ApplicableRow[], knowledge: PostingKnowledge, { nextPostingId }: LedgerHead) {
  const known = new OriginalPostings(knowledge.originals);
  const drafts: PostingDraft[] = [];
  const reversed: ReturnType<typeof toSyncRecord>[] = [];
  const results = rows.map((row): AppliedRow => {
    // Of one that exists, only the key is new.
    if (row.current !== null) return { objectKid: row.objectKid ?? '', revision: row.current.revision };
    const decision = decidePosting(row, { ...knowledge, known });
    if ('errors' in decision) return decision;
    if ('isWaiting' in decision) return { errors: [unknownReference(row.values['reverses'] ? 'reverses' : 'refunds')] };
    const { draft, original } = decision;
    const postingId = nextPostingId + drafts.length;
    drafts.push(draft);
    known.add(row.key, postingId, draft);
    if (original !== undefined) rememberOriginal(known, draft, original);
    // No device has made what was imported.
    if (draft.reversalOf !== undefined && original?.isImported === false) reversed.push(toSyncRecord(draft, postingId));
    return { objectKid: formatPostingKid(knowledge.bankKid, postingId), revision: '1' };
  });
  return { results, drafts, reversed };
}

function rememberOriginal(known: OriginalPostings, draft: PostingDraft, original: OriginalPosting): void {
  if (draft.reversalOf === undefined) known.addRefund(original, draft.amountMinor);
  else known.setReversed(original);
}

const toSyncRecord = ({ locationId, unitId }: PostingDraft, subjectId: number) =>
  ({ subjectKind: 'posting', subjectId, locationId, unitId }) as const;
