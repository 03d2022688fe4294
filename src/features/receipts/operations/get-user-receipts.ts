// Reading receipts: everything comes from one snapshot, so that revision, receipts and balances always agree.

import type { Db } from '../../../database/db.ts';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { Problem } from '../../../lib/problem.ts';
import { readPageContext, type PageContext } from '../page-context.ts';
import type { ReadSizeEstimate } from '../read-size-estimate.ts';
import type { BankCache } from '../bank-cache.ts';
import { isCurrentPage, PreparedReceiptsPage, type PageCache } from '../page-cache.ts';
import { listHistorySums, readPostingsVersion } from '../queries/history-sums.ts';
import { toCalculatedReceipt, type Receipt } from '../rules/grouping.ts';
import { createSumMovementsAfter } from '../rules/movements-after.ts';
import { computeReceiptsRevision, type ReceiptsRevisionInput } from '../rules/revision.ts';
import {
  sumBalances,
  requireHistoryLimits,
  splitByVisibility,
  filterVisible,
  formatPostingsVersion,
  type HistorySum,
} from '../rules/history-sums.ts';
import { receiptsPerPage, maxClosedPeriods, type ResidentHistory } from '../rules/resident-history.ts';
import { toReceipt, type ReceiptFormatContext } from '../schemas.ts';
import { listCalculatedReceipts, findSettlementRules, findVatRate } from '../rules/bank-settlement.ts';
import { readFirstPostings, assembleReceipts, type FirstPostings } from '../assemble-receipts.ts';

export type GetUserReceiptsDependencies = {
  readonly bankCache: BankCache;
  readonly pageCache: PageCache;
  readonly readSizeEstimate: ReadSizeEstimate;
};

export type GetUserReceiptsInput = {
  readonly userKid: KidOf<'user'>;
  readonly offset: number;
  readonly revision: string | undefined;
};

const maxDocumentsPerReceipt = 1000;

export async function getUserReceipts(
  db: Db,
  context: ManagerContext,
  dependencies: GetUserReceiptsDependencies,
  input: GetUserReceiptsInput,
): Promise<PreparedReceiptsPage> {
  const { userKid, offset, revision } = input;
  const isFirst = offset === 0;
  const readSums = async (history: ResidentHistory): Promise<HistoryRead> => {
    const expected = dependencies.readSizeEstimate.estimatePostings(
      context.scope,
      userKid.bankId,
      offset + receiptsPerPage,
    );
    const [stored, begun] = await Promise.all([listHistorySums(db, history), readFirstPostings(db, history, expected)]);
    return { historySums: splitByVisibility(stored, history.cutoff), firstPostings: begun };
  };
  const makeAndCachePage = async (pageContext: PageContext, sums: HistoryRead): Promise<PreparedReceiptsPage> => {
    const page = await assemblePage(db, context, dependencies.readSizeEstimate, { ...pageContext, ...sums, ...input });
    if (isFirst)
      dependencies.pageCache.set(context, userKid, {
        behind: pageContext,
        stamp: formatPostingsVersion(sums.historySums),
        page,
      });
    return page;
  };
  const cachedPage = isFirst ? dependencies.pageCache.find(context, userKid) : undefined;
  if (cachedPage === undefined) {
    const { asked: sums, ...pageContext } = await readPageContext(db, context, dependencies.bankCache, {
      user: userKid,
      ask: readSums,
    });
    return makeAndCachePage(pageContext, sums);
  }
  const readVersion = (): Promise<string> => readPostingsVersion(db, userKid);
  const { asked: postingsVersion, ...pageContext } = await readPageContext(db, context, dependencies.bankCache, {
    user: userKid,
    ask: readVersion,
  });
  if (!isCurrentPage(cachedPage, pageContext, postingsVersion))
    return makeAndCachePage(pageContext, await readSums(pageContext.history));
  requireRevision(revision, cachedPage.page.revision);
  return cachedPage.page;
}

type HistoryRead = { readonly historySums: readonly HistorySum[]; readonly firstPostings: FirstPostings };

async function assemblePage(
  db: Db,
  context: ManagerContext,
  readSizeEstimate: ReadSizeEstimate,
  found: PageContext & HistoryRead & GetUserReceiptsInput,
): Promise<PreparedReceiptsPage> {
  const { userKid, offset, bankData, history, firstPostings } = found;
  const wantedReceipts = offset + receiptsPerPage;
  const revisionInput = toRevisionInput(context, userKid, found);
  const revision = computeReceiptsRevision(revisionInput);
  requireRevision(found.revision, revision);
  const { getClock } = bankData;
  const calculated = revisionInput.calculated.map((each) => toCalculatedReceipt(each, getClock(0)));
  const { receipts, postings } = await assembleReceipts(db, history, firstPostings, {
    wanted: wantedReceipts,
    calculated,
    clockOf: getClock,
  });
  if (receipts.length > wantedReceipts)
    readSizeEstimate.recordPage(context.scope, userKid.bankId, { receipts: wantedReceipts, postings: postings.length });
  const page = receipts.slice(offset, wantedReceipts);
  requireDocumentLimit(page);
  const sumMovementsAfter = createSumMovementsAfter(postings);
  const formatContext: ReceiptFormatContext = {
    bankKid: formatKid({ ...userKid, type: 'bank' }),
    openPeriod: revisionInput.openPeriod,
    vatRate: revisionInput.vatRate,
    bankData,
    getBalanceAt: (currency, instant) =>
      (revisionInput.balances.get(currency) ?? 0n) - sumMovementsAfter(currency, instant),
    language: context.language,
  };
  const answer = {
    userKid: revisionInput.userKid,
    revision,
    items: page.map((receipt) => toReceipt(receipt, formatContext)),
    nextOffset: receipts.length > wantedReceipts ? wantedReceipts : null,
    periodCount: maxClosedPeriods,
  };
  return new PreparedReceiptsPage(JSON.stringify(answer), revision);
}

function toRevisionInput(
  { tenant }: ManagerContext,
  user: GetUserReceiptsInput['userKid'],
  { bankState, history, historySums, bankData }: PageContext & HistoryRead,
): ReceiptsRevisionInput {
  const shown = filterVisible(historySums);
  requireHistoryLimits(shown);
  return {
    userKid: formatKid(user),
    placesVersion: bankState.places_version,
    timeZone: tenant.timeZone,
    openPeriod: bankState.open_period,
    vatRate: findVatRate(bankState),
    visibleSums: shown,
    balances: sumBalances(historySums),
    calculated: listCalculatedReceipts(historySums, findSettlementRules(bankState, bankData.periodEnds), history),
  };
}

function requireRevision(expected: string | undefined, revision: string): void {
  if (expected !== undefined && expected !== revision) throw new Problem('receipts-changed');
}

function requireDocumentLimit(page: readonly Receipt[]): void {
  if (page.some(({ documents }) => documents > maxDocumentsPerReceipt))
    throw new Problem('receipts-too-large', {
      detail: `A receipt holds more than ${maxDocumentsPerReceipt} documents.`,
    });
}
