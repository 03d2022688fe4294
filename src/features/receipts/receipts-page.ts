// Makes a page of receipts: reads what is not known yet, decides what the page shows, and formats it.

import type { Db } from '../../database/db.ts';
import { formatBankKid, formatUserKid } from '../../lib/kid.ts';
import { assembleReceipts } from './assemble-receipts.ts';
import type { BankCache } from './bank-cache.ts';
import { PreparedReceiptsPage, type PageCache } from './page-cache.ts';
import { readBankData } from './queries/bank-data.ts';
import { readHistory, type HistoryRead } from './read-history.ts';
import type { ReadSizeEstimate } from './read-size-estimate.ts';
import { createComputeBalanceAfter } from './rules/balance-after.ts';
import { createBankData, type ReceiptsBankData } from './rules/bank-data.ts';
import { requireDocumentLimit } from './rules/document-limit.ts';
import { toCalculatedReceipt } from './rules/grouping.ts';
import { formatPostingsVersion } from './rules/history-sums.ts';
import { summarizeHistory } from './rules/history-summary.ts';
import { createSumMovementsAfter } from './rules/movements-after.ts';
import { formatDisplayState, type PageContext, type ReceiptsRequest } from './rules/page-context.ts';
import { receiptsPerPage } from './rules/resident-history.ts';
import { computeReceiptsRevision, requireRevision } from './rules/revision.ts';
import { toReceiptsAnswer } from './schemas.ts';

export type ReceiptsPageInput = ReceiptsRequest &
  PageContext & {
    /** The read of the history, if it has been started already. */
    readonly historyRead?: Promise<HistoryRead> | undefined;
  };

export type ReceiptsPageDependencies = {
  readonly bankCache: BankCache;
  readonly pageCache: PageCache;
  readonly readSizeEstimate: ReadSizeEstimate;
};

export async function makeReceiptsPage(
  db: Db,
  input: ReceiptsPageInput,
  { bankCache, pageCache, readSizeEstimate }: ReceiptsPageDependencies,
): Promise<PreparedReceiptsPage> {
  const { resident, history, offset, language } = input;
  const [{ historySums, firstPostings }, bankData] = await Promise.all([
    input.historyRead ?? readHistory(db, input, readSizeEstimate),
    getBankData(db, input, bankCache),
  ]);
  const bankKid = formatBankKid(resident.bank.tenant, resident.bank.bankId);
  const userKid = formatUserKid(bankKid, resident.userId);
  const summary = summarizeHistory(historySums, input, bankData.periodEnds);
  const revision = computeReceiptsRevision({
    ...summary,
    userKid,
    residentState: input.residentState,
    placesVersion: input.bankState.places_version,
    timeZone: input.timeZone,
  });
  requireRevision(input.revision, revision);

  const wantedReceipts = offset + receiptsPerPage;
  const { receipts, postings } = await assembleReceipts(db, {
    history,
    firstPostings,
    calculated: summary.calculated
      .filter(({ isShown }) => isShown)
      .map((each) => toCalculatedReceipt(each, bankData.getClock(0))),
    wantedReceipts,
    getClock: bankData.getClock,
  });
  const hasMore = receipts.length > wantedReceipts;
  if (hasMore) readSizeEstimate.recordPage(resident.bank, { receipts: wantedReceipts, postings: postings.length });
  const shownReceipts = receipts.slice(offset, wantedReceipts);
  requireDocumentLimit(shownReceipts);

  const answer = toReceiptsAnswer(shownReceipts, {
    bankKid,
    userKid,
    revision,
    nextOffset: hasMore ? wantedReceipts : null,
    summary,
    computeBalanceAfter: createComputeBalanceAfter(summary, createSumMovementsAfter(postings)),
    bankData,
    language,
  });
  const page = new PreparedReceiptsPage(JSON.stringify(answer), revision);
  if (offset === 0)
    pageCache.set(resident, language, {
      postingsVersion: formatPostingsVersion(historySums),
      displayState: formatDisplayState(input),
      page,
    });
  return page;
}

async function getBankData(
  db: Db,
  { resident: { bank }, bankState, timeZone }: ReceiptsPageInput,
  bankCache: BankCache,
): Promise<ReceiptsBankData> {
  const bankData = bankCache.findData(bank, bankState) ?? createBankData(await readBankData(db, bank), timeZone);
  bankCache.set(bank, { bankState, bankData });
  return bankData;
}
