// Postings: what an account had before, or what an administration brings in. They are appended in the order of the rows,
// to the period that is open, however long ago they happened: as of machines that send them late.

import type { OperationAccess } from '../../../http/operations/operation.ts';
import { formatPostingKid } from '../../../lib/kid.ts';
import { findLedgerHead, ledgerLock, type LedgerHead } from '../../account/queries/ledger-head.ts';
import { reserveAndAppendPostings } from '../../account/queries/ledger.ts';
import type { PostingDraft } from '../../account/rules/posting-draft.ts';
import type { ReversedPostingRow } from '../../account/queries/original-posting.ts';
import { outboxLock, queueSyncs } from '../../outbox/queries/outbox.ts';
import { preparePostingBatches, type ExportedPosting } from './queries/exported-postings.ts';
import {
  isHiddenPosting,
  listPostingsByKids,
  readPostingKnowledge,
  type PostingKnowledge,
} from './queries/postings-of-rows.ts';
import { decidePosting } from './rules/decide-posting.ts';
import { OriginalPostings } from './rules/original-postings.ts';
import { combinePosting, postingFields } from './rules/posting-fields.ts';
import { toPostingValues, toValuesLike } from './rules/posting-values.ts';
import { readHiddenIdentities } from '../queries/hidden-identities.ts';
import { answerNow, keepApplied } from '../rules/answers.ts';
import { bankKidOf, createSharedKids } from '../rules/bank-kids.ts';
import { exportPages } from '../rules/export-pages.ts';
import { defineKind } from '../define-kind.ts';
import type { ApplicableRow, AppliedRow, FoundRow, KeyedRow } from '../import-kind.ts';
import { recordAppended, undoPostings } from './postings-undo.ts';
import { listChangeErrors, unknownReference } from '../rules/parse-fields.ts';

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

export const postingsKind = defineKind({
  name: 'postings',
  belongsTo: 'bank',
  access,
  readAccess,
  fields: postingFields,
  combine: combinePosting,
  isAppendOnly: true,
  batchRows: 1000,
  findCurrent: async (db, target, rows) => {
    const knowledge = await readPostingKnowledge(db, target, rows);
    const known = new OriginalPostings(knowledge.originals);
    return (row) => {
      const stored = knowledge.stored.get(row.objectKid ?? '');
      if (stored !== undefined) return toFound(row, stored, knowledge);
      const decision = decidePosting(row, { ...knowledge, known });
      const { reverses = '' } = row.values;
      const claims = reverses === '' ? [] : [`reverses:${reverses}`];
      return { current: null, errors: 'errors' in decision ? decision.errors : [], claims };
    };
  },
  locks: ({ bank }) => [outboxLock(bank), ledgerLock(bank, { reservedCount: 0, now: undefined })],
  // One append for all rows: their ids follow each other, and their sums are written once.
  apply: async (db, actor, target, rows) => {
    const { bank } = target;
    const [knowledge, head] = await Promise.all([readPostingKnowledge(db, target, rows), findLedgerHead(db, bank)]);
    if (head === undefined) throw new Error(`bank ${bank.bankId} has no ledger`);
    const { answers, drafts, reversed } = draftPostings(rows, knowledge, head);
    if (drafts.length === 0) return answers;
    // Sent together; the engine runs them in this order.
    await Promise.all([reserveAndAppendPostings(db, bank, head, drafts), queueSyncs(db, bank, reversed, actor.now)]);
    await recordAppended(db, actor, target, head, { postings: drafts.length });
    return answers;
  },
  undo: undoPostings,
  identity: {
    fields: ['resident', 'document', 'text', 'internalTag', 'reverses', 'refunds'],
    timeField: 'at',
    listHidden: async (db, target, kids) => {
      const [isHidden, stored] = await Promise.all([
        readHiddenIdentities(db, target),
        listPostingsByKids(db, target, kids),
      ]);
      return [...stored].flatMap(([kid, row]) => (isHiddenPosting(row, isHidden) ? kid : []));
    },
  },
  // Oldest id first.
  exportRows: async function* exportRows(db, target) {
    const bankKid = bankKidOf(target);
    const isHidden = await readHiddenIdentities(db, target);
    const kids = createSharedKids(bankKid);
    const readBatch = preparePostingBatches(db, target.bank);
    yield* exportPages(
      (last?: ExportedPosting) => readBatch({ after: last?.posting_id ?? 0, limit: exportedPostings }),
      (row) => {
        const values = toPostingValues(row, bankKid, { isAnonymous: isHiddenPosting(row, isHidden), kids });
        return { objectKid: formatPostingKid(bankKid, row.posting_id), values };
      },
    );
  },
});

/** Few, so that most objects of a batch are free before the collector would copy them. */
const exportedPostings = 400;

function toFound(row: KeyedRow, stored: ReversedPostingRow, knowledge: PostingKnowledge): FoundRow {
  const values = toValuesLike(stored, row.values, knowledge);
  const revision = stored.reversed_by === null ? '1' : 'reversed';
  return { current: { values, revision }, errors: listChangeErrors(row.values, values), claims: [] };
}

function draftPostings(rows: readonly ApplicableRow[], knowledge: PostingKnowledge, { nextPostingId }: LedgerHead) {
  const known = new OriginalPostings(knowledge.originals);
  const drafts: PostingDraft[] = [];
  const reversed: ReturnType<typeof toSyncRecord>[] = [];
  const answers = answerNow(rows, (row: ApplicableRow): AppliedRow => {
    if (row.current !== null) return keepApplied(row);
    const decision = decidePosting(row, { ...knowledge, known });
    if ('errors' in decision) return decision;
    if ('isWaiting' in decision) return { errors: [unknownReference(row.values['reverses'] ? 'reverses' : 'refunds')] };
    const { draft, original } = decision;
    const postingId = nextPostingId + drafts.length;
    drafts.push(draft);
    known.add(row.key, postingId, draft);
    if (original !== undefined && draft.reversalOf === undefined) known.addRefund(original, draft.amountMinor);
    else if (original !== undefined) {
      known.setReversed(original);
      // No device has made what was imported.
      if (!original.isImported) reversed.push(toSyncRecord(draft, postingId));
    }
    return { objectKid: formatPostingKid(knowledge.bankKid, postingId), revision: '1' };
  });
  return { answers, drafts, reversed };
}

const toSyncRecord = ({ locationId, unitId }: PostingDraft, subjectId: number) =>
  ({ subjectKind: 'posting', subjectId, locationId, unitId }) as const;
