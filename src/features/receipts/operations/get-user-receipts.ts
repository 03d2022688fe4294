// GetUserReceipts: reads a page of a resident's receipts in one snapshot, so that revision, receipts and balances agree.

import type { ReceiptsParams, ReceiptsQuery } from '../schemas.ts';
import type { Static } from 'typebox';
import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { queueKeyOf } from '../../../http/context/principal.ts';
import type { FairQueue } from '../../../lib/queues/fair-queue.ts';
import { createFieldProblem } from '../../../lib/values/field-problem.ts';
import { guestId } from '../../../lib/kid.ts';
import { findCoveredBank } from '../../../permissions/coverage.ts';
import { createResidentNotFoundProblem } from '../../residents/rules/resident-visibility.ts';
import type { PreparedReceiptsPage } from '../process/page-cache.ts';
import { findBankAndResident } from '../queries/bank-and-resident.ts';
import { readPostingsVersion } from '../queries/resident-rollups.ts';
import { readHistory } from '../read-history.ts';
import { makeReceiptsPage, type ReceiptsPageDependencies } from '../read-receipts-page.ts';
import {
  createReceiptsContext,
  createRequestedHistory,
  formatReceiptsDisplayState,
  type ReceiptsRequest,
} from '../rules/page-context.ts';
import { isSameHistory } from '../rules/resident-history.ts';
import { requireReceiptsRevision } from '../rules/revision.ts';

export type GetUserReceiptsInput = Static<typeof ReceiptsParams> & Static<typeof ReceiptsQuery>;

export type GetUserReceiptsDependencies = ReceiptsPageDependencies & { readonly queue: FairQueue };

export async function getUserReceipts(
  context: ManagerContext,
  input: GetUserReceiptsInput,
  dependencies: GetUserReceiptsDependencies,
): Promise<PreparedReceiptsPage> {
  requireResident(input);
  requireRevisionAfterFirstPage(input);
  const request = createReceiptsRequest(context, input);
  // Only the read is queued: a slow client delays no other read.
  return dependencies.queue.run(() => context.read((db) => readPage(db, request, dependencies)), {
    key: queueKeyOf(context.tenant, context.principal),
  });
}

function requireResident({ userKid }: GetUserReceiptsInput): void {
  if (userKid.residentId <= guestId)
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
    resident: { bank, residentId: userKid.residentId },
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
  const pageContext = createReceiptsContext(request, row);
  if (cached.postingsVersion !== postingsVersion || cached.displayState !== formatReceiptsDisplayState(pageContext))
    return makeReceiptsPage(db, { ...request, ...pageContext }, dependencies);
  requireReceiptsRevision(request.revision, cached.page.revision);
  return cached.page;
}

/**
 * Statements that start at the same time share one round trip to the database. The history depends on the state of the
 * bank, which seldom changes, so it is read in the same round trip for the state that the last read found.
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
  // Its failure is ignored if it is not used: the resident is not visible, or the history is a different one.
  earlyRead?.catch(() => {});
  const pageContext = createReceiptsContext(request, await row);
  const historyRead = expected && isSameHistory(expected, pageContext.history) ? earlyRead : undefined;
  return makeReceiptsPage(db, { ...request, ...pageContext, historyRead }, dependencies);
}
