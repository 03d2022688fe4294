// GetUserReceipts: reads a page of a resident's receipts in one snapshot, so that revision, receipts and balances agree.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import type { ConcurrencyLimit } from '../../../lib/concurrency-limit.ts';
import { createFieldProblem } from '../../../lib/field-problem.ts';
import { guestUserId, type KidOf } from '../../../lib/kid.ts';
import { findCoveredBank } from '../../../permissions/coverage.ts';
import { createResidentNotFoundProblem } from '../../residents/rules/resident-visibility.ts';
import type { BankCache } from '../bank-cache.ts';
import type { PageCache, PreparedReceiptsPage } from '../page-cache.ts';
import { findBankAndResident } from '../queries/bank-and-resident.ts';
import { readPostingsVersion } from '../queries/history-sums.ts';
import { readHistory } from '../read-history.ts';
import type { ReadSizeEstimate } from '../read-size-estimate.ts';
import { makeReceiptsPage } from '../receipts-page.ts';
import {
  createPageContext,
  createRequestedHistory,
  formatDisplayState,
  type ReceiptsRequest,
} from '../rules/page-context.ts';
import { isSameHistory } from '../rules/resident-history.ts';
import { requireRevision } from '../rules/revision.ts';

export type GetUserReceiptsInput = {
  readonly userKid: KidOf<'user'>;
  readonly offset: number;
  readonly revision?: string | undefined;
};

export type GetUserReceiptsDependencies = {
  readonly concurrencyLimit: ConcurrencyLimit;
  readonly bankCache: BankCache;
  readonly pageCache: PageCache;
  readonly readSizeEstimate: ReadSizeEstimate;
};

export async function getUserReceipts(
  context: ManagerContext,
  input: GetUserReceiptsInput,
  dependencies: GetUserReceiptsDependencies,
): Promise<PreparedReceiptsPage> {
  requireResident(input);
  requireRevisionAfterFirstPage(input);
  const request = createReceiptsRequest(context, input);
  // Who waits for a place gets it by turns. The place is free again before the answer is sent to a slow client.
  return dependencies.concurrencyLimit.run(
    () => context.read((db) => readPage(db, request, dependencies)),
    [context.tenant.name, String(context.principal.managerId)],
  );
}

function requireResident({ userKid }: GetUserReceiptsInput): void {
  if (userKid.userId <= guestUserId)
    throw createFieldProblem('path.userKid', 'must identify a resident', 'invalid-user');
}

function requireRevisionAfterFirstPage({ offset, revision }: GetUserReceiptsInput): void {
  if (offset > 0 && revision === undefined)
    throw createFieldProblem('query.revision', 'is required when offset is greater than 0', 'invalid-page');
}

function createReceiptsRequest(
  { scope, tenant, language, now }: ManagerContext,
  { userKid, offset, revision }: GetUserReceiptsInput,
): ReceiptsRequest {
  const bank = findCoveredBank(scope, userKid);
  if (bank === undefined) throw createResidentNotFoundProblem();
  return {
    resident: { bank, userId: userKid.userId },
    offset,
    revision,
    language,
    timeZone: tenant.timeZone,
    managerDays: scope.retentionDays,
    now,
  };
}

/** A cached first page is sent again without reading a posting, if nothing that it depends on has changed. */
async function readPage(
  db: Db,
  request: ReceiptsRequest,
  dependencies: GetUserReceiptsDependencies,
): Promise<PreparedReceiptsPage> {
  const { resident, offset, language } = request;
  const cached = offset === 0 ? dependencies.pageCache.find(resident, language) : undefined;
  if (cached === undefined) return readNewPage(db, request, dependencies);
  const [row, postingsVersion] = await Promise.all([
    findBankAndResident(db, resident),
    readPostingsVersion(db, resident),
  ]);
  const pageContext = createPageContext(request, row);
  if (cached.postingsVersion !== postingsVersion || cached.displayState !== formatDisplayState(pageContext))
    return makeReceiptsPage(db, { ...request, ...pageContext }, dependencies);
  requireRevision(request.revision, cached.page.revision);
  return cached.page;
}

/**
 * Statements that start at the same time take one turn to the database. The history depends on the state of the bank,
 * which seldom changes, so it is read at the same time for the state that the last read found.
 */
async function readNewPage(
  db: Db,
  request: ReceiptsRequest,
  dependencies: GetUserReceiptsDependencies,
): Promise<PreparedReceiptsPage> {
  const { resident, offset } = request;
  const row = findBankAndResident(db, resident);
  const lastState = dependencies.bankCache.findLastState(resident.bank);
  const expected = lastState && createRequestedHistory(request, lastState);
  const earlyRead = expected && readHistory(db, { history: expected, offset }, dependencies.readSizeEstimate);
  // It may fail unnoticed where it is not used: the resident is not visible, or the history is another one.
  earlyRead?.catch(() => {});
  const pageContext = createPageContext(request, await row);
  const historyRead = expected && isSameHistory(expected, pageContext.history) ? earlyRead : undefined;
  return makeReceiptsPage(db, { ...request, ...pageContext, historyRead }, dependencies);
}
