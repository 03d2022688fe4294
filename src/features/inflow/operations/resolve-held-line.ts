// ResolveHeldLine: books a held line once, with its own time, or discards it. The line is locked, so that of several
// requests only the first books it.

import type { Static } from 'typebox';
import type { Db, WriteDb } from '../../../database/db.ts';
import type { Lock } from '../../../database/locks.ts';
import type { ManagerContext, WriteAnswer } from '../../../http/context/operation-context.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import {
  formatBankKid,
  formatHeldLineKid,
  formatPostingKid,
  formatUserKid,
  guestId,
  type KidOf,
} from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { requireWholeBank, type WholeGrantedBank } from '../../../permissions/coverage.ts';
import { ledgerLock, type LedgerHead } from '../../account/queries/ledger-head.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createManagerAuditContext } from '../../audit/rules/audit-context.ts';
import { bookingsLock, type ReservedBookingIds } from '../../bookings/queries/booking-ids.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { requireBank } from '../../places/require-place.ts';
import { toHeldLine, toHeldLinePosting } from '../answers.ts';
import { recordResolutionPosting } from '../record-resolution.ts';
import { readResolution, type ResolutionPlan } from '../read-resolution.ts';
import {
  findHeldLine,
  heldLineLock,
  resolveHeldLineRow,
  isKnownResident,
  type ListedHeldLineRow,
} from '../queries/held-line-list.ts';
import type {
  HeldLineParams,
  HeldLineResolution,
  HeldLineResult,
  ResolutionAction,
  ResolutionQuery,
} from '../schemas.ts';

type ResolveHeldLineInput = Static<typeof HeldLineParams> &
  Static<typeof ResolutionQuery> &
  Static<typeof HeldLineResolution>;

export async function resolveHeldLine(
  context: ManagerContext,
  input: ResolveHeldLineInput,
): Promise<HeldLineResult | WriteAnswer<HeldLineResult>> {
  requireMembers(input);
  const bank = requireWholeBank(context.scope, input.heldKid);
  const { heldLineId } = input.heldKid;
  if (input.dryRun) return context.read((db) => preview(db, context, bank, input));
  // What a line says never changes, so that it can choose the locks.
  const { line } = await context.read((db) => requireHeldLine(db, bank, heldLineId));
  const [bookingLock, isOfBookings] = chooseBookingLock(bank, line, input.action);
  return context.write({
    grant: (scope) => requireWholeBank(scope, input.heldKid),
    locks: (granted) => [
      heldLineLock(granted, heldLineId),
      ledgerLock(granted, { reservedCount: input.action === 'discard' ? 0 : 1, now: context.now }),
      outboxLock(granted),
      ...(isOfBookings ? [bookingLock] : []),
    ],
    requireObject: async (db, granted) => ({ bank: granted, row: await requireHeldLine(db, granted, heldLineId) }),
    work: (db, found, [, ledger, , ids]) => resolve(db, context, found, { input, ledger, ids }),
  });
}

function requireMembers({ action, userKid, reason = '' }: ResolveHeldLineInput): void {
  if (action === 'discard' && reason.trim() === '')
    throw createFieldProblem('body.reason', { reason: 'is required to discard', code: 'required' });
  if (action === 'assign' && userKid === undefined)
    throw createFieldProblem('body.userKid', { reason: 'is required to assign', code: 'required' });
  if (userKid === undefined) return;
  if (action !== 'assign') throw createFieldProblem('body.userKid', 'must be given only to assign');
}

const isUserOfBank = async (
  db: Db,
  bank: WholeGrantedBank,
  { bankId, residentId }: KidOf<'user'>,
  now: number,
): Promise<boolean> =>
  bankId === bank.bankId && (residentId === guestId || (await isKnownResident(db, bank, residentId, now)));

const createUnknownUserProblem = (): Problem =>
  createFieldProblem('body.userKid', 'must be a resident of the housing association, or its guest');

async function requireHeldLine(db: Db, bank: WholeGrantedBank, heldId: number): Promise<ListedHeldLineRow> {
  const [row] = await Promise.all([findHeldLine(db, bank, heldId), requireBank(db, bank)]);
  if (row === undefined) throw new Problem('not-found');
  return row;
}

function chooseBookingLock(
  bank: WholeGrantedBank,
  line: string,
  action: ResolutionAction,
): [lock: Lock<ReservedBookingIds>, isOfBookings: boolean] {
  const kind = (JSON.parse(line) as { readonly t?: unknown } | null)?.t;
  const isOfBookings = action !== 'discard' && (kind === 'booking' || kind === 'cancel');
  return [bookingsLock(bank, { bookings: kind === 'booking' ? 1 : 0, events: 1 }), isOfBookings];
}

type FoundLine = { readonly bank: WholeGrantedBank; readonly row: ListedHeldLineRow };

/** Throws 409 where somebody was faster. */
function requireHeld(row: ListedHeldLineRow, { expectedRevision }: ResolveHeldLineInput): void {
  if (row.state !== 'held') throw new Problem('held-line-ended');
  if (expectedRevision !== String(row.revision)) throw new Problem('held-line-conflict');
}

async function preview(
  db: Db,
  context: ManagerContext,
  bank: WholeGrantedBank,
  input: ResolveHeldLineInput,
): Promise<HeldLineResult> {
  const row = await requireHeldLine(db, bank, input.heldKid.heldLineId);
  requireHeld(row, input);
  const plan = await planAction(db, context, { bank, row }, input);
  const posting = plan === undefined ? null : toHeldLinePosting(bank, plan.posting, null);
  return { heldLine: toHeldLine(context.tenant, row), posting, dryRun: true };
}

/** Undefined where nothing is booked. */
async function planAction(
  db: Db,
  context: ManagerContext,
  { bank, row }: FoundLine,
  { action, userKid }: ResolveHeldLineInput,
): Promise<ResolutionPlan | undefined> {
  if (action === 'discard') return undefined;
  if (userKid !== undefined && !(await isUserOfBank(db, bank, userKid, context.now))) throw createUnknownUserProblem();
  const assignedTo = userKid?.residentId;
  const plan = await readResolution(db, context, bank, { row, assignedTo });
  const { money } = plan.line;
  if (action === 'assign' && (money?.kind === 'refund' || money?.kind === 'cancel'))
    throw createFieldProblem('body.action', 'must be accept for a line that compensates another one');
  return plan;
}

type ResolveContext = {
  readonly input: ResolveHeldLineInput;
  readonly ledger: LedgerHead | undefined;
  readonly ids: ReservedBookingIds | undefined;
};

async function resolve(
  db: WriteDb,
  context: ManagerContext,
  found: FoundLine,
  { input, ledger, ids }: ResolveContext,
): Promise<HeldLineResult> {
  const { bank, row } = found;
  requireHeld(row, input);
  const plan = await planAction(db, context, found, input);
  if (plan !== undefined) await recordResolutionPosting(db, bank, { row, plan, ledger, ids, now: context.now });
  const postingId = plan === undefined ? null : (ledger?.nextPostingId ?? null);
  const resolved = await resolveHeldLineRow(db, bank, row, {
    state: plan === undefined ? 'discarded' : 'resolved',
    postingId,
    reason: input.reason ?? null,
    managerId: context.principal.id,
    now: context.now,
  });
  await recordResolution(db, context, found, { resolved, plan, input });
  const posting = plan === undefined ? null : toHeldLinePosting(bank, plan.posting, postingId);
  return { heldLine: toHeldLine(context.tenant, resolved), posting };
}

type RecordInput = {
  readonly resolved: ListedHeldLineRow;
  readonly plan: ResolutionPlan | undefined;
  readonly input: ResolveHeldLineInput;
};

function recordResolution(
  db: WriteDb,
  context: ManagerContext,
  { bank, row }: FoundLine,
  { resolved, plan, input: { action } }: RecordInput,
): Promise<void> {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const { posting_id } = resolved;
  return appendAudit(db, createManagerAuditContext(context), {
    object: formatHeldLineKid(bankKid, row.held_id),
    bankId: bank.bankId,
    before: { state: row.state },
    after: {
      state: resolved.state,
      action,
      transactionKid: posting_id === null ? null : formatPostingKid(bankKid, posting_id),
      userKid: plan === undefined ? null : formatUserKid(bankKid, plan.posting.residentId),
    },
  });
}
