// Closes a bank's open settlement period and opens the next one.

import { takeLocks } from '../../../database/locks.ts';
import type { TenantDatabase } from '../../../database/tenant-database.ts';
import { formatBankKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import type { WholeGrantedBank } from '../../../permissions/coverage.ts';
import { appendAudit } from '../../audit/queries/append-audit.ts';
import { createOperatorAuditContext } from '../../audit/rules/audit-context.ts';
import { outboxLock } from '../../outbox/queries/outbox.ts';
import { closeOpenPeriod } from '../queries/ledger.ts';
import { findLedgerHead, lockLedgerForClosing, hasPostingsInOpenPeriod } from '../queries/ledger-head.ts';
import { latestTimeOf } from '../rules/posting-draft.ts';
import { decideRecordingTime } from '../../../lib/time/recording-time.ts';

type CloseSettlementPeriodInput = {
  readonly bank: WholeGrantedBank;
  /** The period to be closed. Without it, the open period is closed if it has postings. */
  readonly period: number | undefined;
  /** The end of the period, MS2000. Without it, the period ends when it is closed. */
  readonly through: number | undefined;
  /** MS2000. */
  readonly clock: () => number;
  readonly deadlineMs: number;
};

export type CloseSettlementPeriodResult =
  | { readonly period: number; readonly wasClosedBefore: true }
  | { readonly period: number; readonly wasClosedBefore: false; readonly through: number };

/** Why a period cannot be closed. */
export type PeriodRefusal =
  | { readonly reason: 'no-ledger' }
  | { readonly reason: 'not-open-yet'; readonly period: number; readonly openPeriod: number }
  | { readonly reason: 'closed-meanwhile'; readonly period: number }
  | { readonly reason: 'no-postings'; readonly period: number }
  | {
      readonly reason: 'ends-before-start';
      readonly period: number;
      readonly openedAt: number;
      readonly through: number;
    };

export class PeriodRefusedError extends Error {
  readonly refusal: PeriodRefusal;

  constructor(refusal: PeriodRefusal) {
    super(`the period cannot be closed: ${refusal.reason}`);
    this.name = 'PeriodRefusedError';
    this.refusal = refusal;
  }
}

/**
 * Throws a {@link PeriodRefusedError}, and 503 `clock-behind`. The ledger is locked, so that of two calls at the same time the second one finds
 * the period closed. It then closes no other: a period that is not named must still be the one found at the start, and
 * must have postings.
 */
export async function closeSettlementPeriod(
  database: TenantDatabase,
  { bank, period: namedPeriod, through: namedThrough, clock, deadlineMs }: CloseSettlementPeriodInput,
): Promise<CloseSettlementPeriodResult> {
  const headBefore = await database.read({ deadlineMs }, (db) => findLedgerHead(db, bank));
  if (headBefore === undefined) throw new PeriodRefusedError({ reason: 'no-ledger' });
  const { openPeriod } = headBefore;
  const period = namedPeriod ?? openPeriod;
  if (period > openPeriod) throw new PeriodRefusedError({ reason: 'not-open-yet', period, openPeriod });
  if (period < openPeriod) return { period, wasClosedBefore: true };
  return database.write({ deadlineMs }, async (db) => {
    const now = clock();
    await takeLocks(db, [outboxLock(bank)]);
    const head = await lockLedgerForClosing(db, bank, now);
    if (head?.openPeriod !== period) {
      if (namedPeriod !== undefined) return { period, wasClosedBefore: true };
      throw new PeriodRefusedError({ reason: 'closed-meanwhile', period });
    }
    if (namedPeriod === undefined && !(await hasPostingsInOpenPeriod(db, head)))
      throw new PeriodRefusedError({ reason: 'no-postings', period });
    const closedAt = decideRecordingTime(latestTimeOf(head), { now, currentTime: clock() });
    const { openedAt } = head;
    const through = namedThrough ?? closedAt;
    if (through <= openedAt) throw new PeriodRefusedError({ reason: 'ends-before-start', period, openedAt, through });
    await closeOpenPeriod(db, head, through, closedAt);
    await appendAudit(db, createOperatorAuditContext('settle', clock), {
      object: formatBankKid(bank.tenant, bank.bankId),
      bankId: bank.bankId,
      before: { openPeriod: period },
      after: { openPeriod: period + 1, throughUtc: formatUtc(through) },
    });
    return { period, wasClosedBefore: false, through };
  });
}
