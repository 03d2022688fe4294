// ReverseBankAccountEntry: appends a posting that compensates an entry, and queues it for the devices. The original is
// read after the ledger is locked, so no other request can reverse it at the same time.

import type { Static } from 'typebox';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { formatBankKid, formatPostingKid, type KidOf } from '../../../lib/kid.ts';
import { localiseName } from '../../../lib/text/language.ts';
import { Problem } from '../../../lib/problem.ts';
import { isWhole, requireCoveredBank, type GrantedBank, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock, queueSync } from '../../outbox/queries/outbox.ts';
import { requireWholeGrant } from '../../places/require-place.ts';
import { getIdentityVisibility, isAnonymized, type IdentityVisibility } from '../../residents/rules/identity.ts';
import { formatReversalLink, toAccountEntry } from '../answers.ts';
import { appendReversals } from '../record-reversals.ts';
import { findLedgerHead, ledgerLock, type LedgerHead } from '../queries/ledger-head.ts';
import { findOriginalPosting, type OriginalPostingRow } from '../queries/original-posting.ts';
import { toPostingRow, latestTimeOf, type PostingDraft } from '../rules/posting-draft.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';
import { createCompensatingPosting, irreversibleReasons, findIrreversibleReason } from '../rules/reversal.ts';
import type { AccountEntry, Reversal, ReversalParams, ReversalQuery } from '../schemas.ts';

type ReverseBankAccountEntryInput = Static<typeof ReversalParams> & Static<typeof ReversalQuery>;

/** Returns the entry that compensates the reversed one. */
export function reverseBankAccountEntry(
  context: ManagerContext,
  { bankKid, transactionKid, dryRun }: ReverseBankAccountEntryInput,
): Promise<Reversal | WriteAnswer<AccountEntry>> {
  const bank = requireCoveredBank(context.scope, bankKid);
  const postingId = toPostingId(bankKid, transactionKid);
  // Nothing is locked if the grants are too narrow or the entry cannot exist.
  if (dryRun || !isWhole(bank) || postingId === undefined)
    return context.read((db) => previewReversal(db, context, bank, postingId));
  return context.write({
    grant: (scope) => ({ scope, bank: requireCoveredBank(scope, bankKid) }),
    locks: (granted) => [outboxLock(granted.bank), ledgerLock(granted.bank, { reservedCount: 1, now: context.now })],
    requireObject: (db, granted) => requireOriginal(db, { context, ...granted, postingId }),
    work: (db, reversal, [, head]) => writeReversal(db, reversal, head),
  });
}

/** Undefined if no posting of the bank can have this KID. */
function toPostingId({ bankId }: KidOf<'bank'>, transactionKid: KidOf<'posting'>): number | undefined {
  const postingId = Number(transactionKid.postingId);
  return transactionKid.bankId === bankId && Number.isSafeInteger(postingId) ? postingId : undefined;
}

async function previewReversal(
  db: Db,
  context: ManagerContext,
  grantedBank: GrantedBank,
  postingId: number | undefined,
): Promise<Reversal> {
  const reversal = await requireOriginal(db, { context, scope: context.scope, bank: grantedBank, postingId });
  const { bank } = reversal;
  const head = await findLedgerHead(db, bank);
  if (head === undefined) throw new Problem('not-found');
  const prepared = prepareReversal(reversal, head);
  const position = { bankId: bank.bankId, postingId: head.nextPostingId, period: head.openPeriod };
  const entry = toReversalEntry(reversal, { ...prepared, head, row: toPostingRow(prepared.draft, position) });
  return { ...entry, dryRun: true, kid: null };
}

type ReversalInput = {
  readonly context: ManagerContext;
  /** The current scope: rights may have changed since the request came in. */
  readonly scope: Scope;
  readonly bank: WholeGrantedBank;
  /** The posting to reverse. */
  readonly original: OriginalPostingRow;
};

type RequireOriginalInput = Pick<ReversalInput, 'context' | 'scope'> & {
  readonly bank: GrantedBank;
  readonly postingId: number | undefined;
};

/** Throws 403 if the grants are too narrow, 404 if the posting does not exist. */
async function requireOriginal(
  db: Db,
  { context, scope, bank, postingId }: RequireOriginalInput,
): Promise<ReversalInput> {
  const wholeBank = await requireWholeGrant(db, bank);
  const original = postingId === undefined ? undefined : await findOriginalPosting(db, wholeBank, postingId);
  if (original === undefined) throw new Problem('not-found');
  return { context, scope, bank: wholeBank, original };
}

async function writeReversal(
  db: WriteDb,
  reversal: ReversalInput,
  head: LedgerHead | undefined,
): Promise<AccountEntry> {
  if (head === undefined) throw new Problem('not-found');
  const prepared = prepareReversal(reversal, head);
  const { locationId, unitId } = prepared.draft;
  const record = { subjectKind: 'posting', subjectId: head.nextPostingId, locationId, unitId } as const;
  const [row] = await Promise.all([
    appendReversal(db, head, prepared.draft),
    queueSync(db, reversal.bank, record, reversal.context.now),
    recordReversal(db, reversal, head, prepared.draft),
  ]);
  return toReversalEntry(reversal, { ...prepared, head, row });
}

function recordReversal(
  db: WriteDb,
  { context, bank, original }: ReversalInput,
  { nextPostingId }: LedgerHead,
  { amountMinor, currency }: PostingDraft,
): Promise<void> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const reversedByKid = formatPostingKid(bankKid, nextPostingId);
  return appendAudit(db, createManagerAuditContext(context), {
    object: formatPostingKid(bankKid, original.posting_id),
    bankId: bank.bankId,
    before: { reversedByKid: null },
    after: { reversedByKid, amountMinor: String(amountMinor), currency },
  });
}

type PreparedReversal = { readonly identityVisibility: IdentityVisibility; readonly draft: PostingDraft };

/** Throws if the original cannot be reversed. */
function prepareReversal({ context, scope, bank, original }: ReversalInput, head: LedgerHead): PreparedReversal {
  const identityVisibility = getIdentityVisibility(original.retention_setting, scope, context.now);
  const { reversed_by, reversed_at } = original;
  if (reversed_by !== null) {
    const linkContext = { bankKid: formatBankKid(bank.tenant, bank.bankId), identityVisibility };
    const reversedByKid = formatReversalLink(original, reversed_by, reversed_at, linkContext);
    throw new Problem('already-reversed', { extensions: { reversedByKid } });
  }
  const reason = findIrreversibleReason(original, isAnonymized(original, identityVisibility));
  if (reason !== undefined) throw new Problem('not-reversible', { reason, detail: irreversibleReasons[reason] });
  const recordedAt = decideRecordingTime(latestTimeOf(head), context);
  return { identityVisibility, draft: createCompensatingPosting(original, recordedAt) };
}

type ReversalPostingRow = ReturnType<typeof toPostingRow>;

async function appendReversal(db: WriteDb, head: LedgerHead, draft: PostingDraft): Promise<ReversalPostingRow> {
  const [row] = await appendReversals(db, head, [draft]);
  if (row === undefined) throw new Error('a posting was appended, but has no row');
  return row;
}

type CompensatingPosting = PreparedReversal & { readonly head: LedgerHead; readonly row: ReversalPostingRow };

/** The compensating posting as the account shows it. */
function toReversalEntry(
  { context, bank, original }: ReversalInput,
  { head, identityVisibility, row }: CompensatingPosting,
): AccountEntry {
  const { location_name, unit_name } = original;
  const linkColumns = { reversed_by: null, reversed_at: null, original_at: original.recorded_at };
  return toAccountEntry(
    { ...original, ...row, ...linkColumns },
    {
      bankKid: formatBankKid(bank.tenant, bank.bankId),
      openPeriod: head.openPeriod,
      identityVisibility,
      locationNames: new Map([[row.location_id, location_name ?? '']]),
      unitNames: new Map([[`${row.location_id}/${row.unit_id}`, localiseName(unit_name ?? '', context.language)]]),
    },
  );
}
