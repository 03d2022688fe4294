// ReverseBankAccountEntry: appends a posting that compensates an entry, and queues it for the devices. The original is
// read after the ledger is locked, so no other request can reverse it at the same time.

import type { Db, WriteDb } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatBankKid, type KidOf } from '../../../lib/kid.ts';
import { localiseName } from '../../../lib/language.ts';
import { Problem } from '../../../lib/problem.ts';
import { isWhole, requireCoveredBank, type GrantedBank, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import { lockOutbox, queueSync } from '../../device-sync/queries/outbox.ts';
import { requireWholeBank } from '../../places/queries/visible-places.ts';
import { getIdentityVisibility, isAnonymized, type IdentityVisibility } from '../../residents/rules/identity.ts';
import { toEntry } from '../entry.ts';
import { appendPostings } from '../queries/ledger.ts';
import { lockLedgerForWrite, findLedgerHead, type LedgerHead } from '../queries/ledger-head.ts';
import { findOriginalPosting, type OriginalPostingRow } from '../queries/original-posting.ts';
import { toPostingRow, type PostingDraft } from '../rules/posting-draft.ts';
import { createCompensatingPosting, irreversibleReasons, findIrreversibleReason } from '../rules/reversal.ts';
import type { Entry } from '../schemas.ts';

type ReverseBankAccountEntryInput = {
  readonly bankKid: KidOf<'bank'>;
  readonly transactionKid: KidOf<'posting'>;
  /** Returns what would happen, and writes nothing. */
  readonly dryRun: boolean;
};

/** Returns the entry that compensates the reversed one. */
export function reverseBankAccountEntry(
  context: ManagerContext,
  { bankKid, transactionKid, dryRun }: ReverseBankAccountEntryInput,
): Promise<Entry> {
  const bank = requireCoveredBank(context.scope, bankKid);
  const postingId = toPostingId(bankKid, transactionKid);
  // Nothing is locked if the grants are too narrow or the entry cannot exist.
  if (dryRun || !isWhole(bank) || postingId === undefined)
    return context.read((db) => previewReversal(db, context, bank, postingId));
  return context.write({
    grant: (scope) => ({ scope, bank: requireCoveredBank(scope, bankKid) }),
    lock: (db, granted) => lockForReversal(db, granted.bank),
    work: async (db, { scope, bank: current }, head) => {
      const reversal = { context, scope, bank: await requireWholeBank(db, current), postingId };
      return writeReversal(db, reversal, head);
    },
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
): Promise<Entry> {
  const bank = await requireWholeBank(db, grantedBank);
  if (postingId === undefined) throw new Problem('not-found');
  const reversal = { context, scope: context.scope, bank, postingId };
  const [head, prepared] = await Promise.all([findLedgerHead(db, bank), prepareReversal(db, reversal)]);
  if (head === undefined) throw new Problem('not-found');
  const position = { bankId: bank.bankId, postingId: head.nextPostingId, period: head.openPeriod };
  return toReversalEntry(reversal, { ...prepared, head, row: toPostingRow(prepared.draft, position) });
}

async function lockForReversal(db: WriteDb, bank: GrantedBank): Promise<LedgerHead | undefined> {
  const [, head] = await Promise.all([lockOutbox(db, bank), lockLedgerForWrite(db, bank, 1)]);
  return head;
}

type Reversal = {
  readonly context: ManagerContext;
  /** The current scope: rights may have changed since the request came in. */
  readonly scope: Scope;
  readonly bank: WholeGrantedBank;
  /** The posting to reverse. */
  readonly postingId: number;
};

async function writeReversal(db: WriteDb, reversal: Reversal, head: LedgerHead | undefined): Promise<Entry> {
  if (head === undefined) throw new Problem('not-found');
  const prepared = await prepareReversal(db, reversal);
  const { locationId, unitId } = prepared.draft;
  const record = { subjectKind: 'posting', subjectId: head.nextPostingId, locationId, unitId } as const;
  const [row] = await Promise.all([
    appendReversal(db, head, prepared.draft),
    queueSync(db, reversal.bank, record, reversal.context.now),
  ]);
  return toReversalEntry(reversal, { ...prepared, head, row });
}

type PreparedReversal = {
  readonly original: OriginalPostingRow;
  readonly identityVisibility: IdentityVisibility;
  readonly draft: PostingDraft;
};

/** Throws if the original does not exist or cannot be reversed. */
async function prepareReversal(
  db: Db,
  { context: { now }, scope, bank, postingId }: Reversal,
): Promise<PreparedReversal> {
  const original = await findOriginalPosting(db, bank, postingId);
  if (original === undefined) throw new Problem('not-found');
  if (original.reversed_by !== null) throw new Problem('already-reversed');
  const identityVisibility = getIdentityVisibility(original.retention_setting, scope, now);
  const reason = findIrreversibleReason(original, isAnonymized(original, identityVisibility));
  if (reason !== undefined) throw new Problem('not-reversible', { reason, detail: irreversibleReasons[reason] });
  return { original, identityVisibility, draft: createCompensatingPosting(original, now) };
}

type ReversalPostingRow = ReturnType<typeof toPostingRow>;

/** The unique key decides whether there is a reversal already. */
async function appendReversal(db: WriteDb, head: LedgerHead, draft: PostingDraft): Promise<ReversalPostingRow> {
  try {
    const [row] = await appendPostings(db, head, [draft]);
    if (row === undefined) throw new Error('a posting was appended, but has no row');
    return row;
  } catch (error) {
    throw db.dialect.classifyError(error) === 'duplicate' ? new Problem('already-reversed', { cause: error }) : error;
  }
}

type CompensatingPosting = PreparedReversal & { readonly head: LedgerHead; readonly row: ReversalPostingRow };

/** The compensating posting as the account shows it. */
function toReversalEntry(
  { context, bank }: Reversal,
  { head, original, identityVisibility, row }: CompensatingPosting,
): Entry {
  const { location_name, unit_name } = original;
  const linkColumns = { reversed_by: null, reversed_at: null, original_at: original.recorded_at };
  return toEntry(
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
