// Creates a page of receipts: reads the data that is not known yet, decides what the page shows, and formats it.

import type { Db } from '../../database/db.ts';
import { formatBankKid, formatUserKid } from '../../lib/kid.ts';
import type { BankDataCache } from './process/bank-data-cache.ts';
import { PreparedReceiptsPage, type PageCache } from './process/page-cache.ts';
import { readBankData } from './queries/bank-and-resident.ts';
import { readHistory, type HistoryRead, type FirstPostings } from './read-history.ts';
import type { ReadSizeEstimate } from './process/read-size-estimate.ts';
import { createComputeBalanceAfter, createSumMovementsAfter } from './rules/movements-after.ts';
import { createBankData, type ReceiptsBankData } from './rules/bank-data.ts';
import { requireDocumentLimit, compareReceipts, computeLastLocalDay } from './rules/receipt-order.ts';
import {
  toCalculatedReceipt,
  ReceiptGrouper,
  type GetLocationClock,
  type HistoryPosting,
  type ReceiptGroup,
} from './rules/receipt-grouping.ts';
import { formatPostingsVersion } from './rules/history-sums.ts';
import { summarizeHistory } from './rules/history-summary.ts';
import { formatReceiptsDisplayState, type ReceiptsContext, type ReceiptsRequest } from './rules/page-context.ts';
import { receiptsPerPage, type ResidentHistory } from './rules/resident-history.ts';
import { computeReceiptsRevision, requireReceiptsRevision } from './rules/revision.ts';
import { toReceiptPage } from './answers.ts';
import { listPostingHistory, unpackHistoryPosting } from './queries/posting-history.ts';

type ReceiptsPageInput = ReceiptsRequest &
  ReceiptsContext & {
    /** The read of the history, if it has been started already. */
    readonly historyRead?: Promise<HistoryRead> | undefined;
  };

export type ReceiptsPageDependencies = {
  readonly bankCache: BankDataCache;
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
  const userKid = formatUserKid(bankKid, resident.residentId);
  const summary = summarizeHistory(historySums, input, bankData.periodEnds);
  const revision = computeReceiptsRevision({
    ...summary,
    userKid,
    residentState: input.residentState,
    placesVersion: input.bankState.places_version,
    timeZone: input.timeZone,
  });
  requireReceiptsRevision(input.revision, revision);

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

  const answer = toReceiptPage(shownReceipts, {
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
      displayState: formatReceiptsDisplayState(input),
      page,
    });
  return page;
}

async function getBankData(
  db: Db,
  { resident: { bank }, bankState, timeZone }: ReceiptsPageInput,
  bankCache: BankDataCache,
): Promise<ReceiptsBankData> {
  const bankData = bankCache.findData(bank, bankState) ?? createBankData(await readBankData(db, bank), timeZone);
  bankCache.set(bank, { bankState, bankData });
  return bankData;
}

// If the newest postings are too few for the page, the next read is much larger.
const limitGrowthFactor = 8;

type AssembleReceiptsInput = {
  readonly history: ResidentHistory;
  readonly firstPostings: FirstPostings;
  /** The calculated receipts, which are merged with the others. */
  readonly calculated: readonly ReceiptGroup[];
  /** The number of receipts needed. */
  readonly wantedReceipts: number;
  readonly getClock: GetLocationClock;
};

type AssembledReceipts = {
  /** Newest first: all receipts, or more than wanted. */
  readonly receipts: readonly ReceiptGroup[];
  /** The postings that were read for them, newest first. */
  readonly postings: readonly HistoryPosting[];
};

async function assembleReceipts(db: Db, input: AssembleReceiptsInput): Promise<AssembledReceipts> {
  const { history, calculated, wantedReceipts } = input;
  const grouping = new ReceiptGrouper(input.getClock);
  const postings: HistoryPosting[] = [];
  let { rows, limit } = input.firstPostings;
  let readTo = Number.POSITIVE_INFINITY;
  for (;;) {
    for (const row of rows) {
      const posting = unpackHistoryPosting(row);
      const day = computeLastLocalDay(posting.recorded_at);
      if (day < readTo) {
        readTo = day;
        const finished = grouping.listFinishedAfter(day);
        if (finished.length + calculated.length > wantedReceipts) {
          const receipts = [...finished, ...calculated.filter((receipt) => receipt.day > day)];
          if (receipts.length > wantedReceipts) return { receipts: receipts.toSorted(compareReceipts), postings };
        }
      }
      postings.push(posting);
      if (posting.period >= history.firstPeriod) grouping.add(posting);
    }
    if (rows.length < limit) break;
    limit *= limitGrowthFactor;
    rows = await listPostingHistory(db, history, { offset: postings.length, limit });
  }
  const receipts = [...grouping.listFinishedAfter(Number.NEGATIVE_INFINITY), ...calculated];
  return { receipts: receipts.toSorted(compareReceipts), postings };
}
