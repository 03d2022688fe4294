// Formats a page of receipts.

import { toJsonInt64 } from '../../lib/values/int64.ts';
import { formatLocationKid, formatPostingKid, formatReceiptKey, formatUnitKid } from '../../lib/kid.ts';
import type { Language } from '../../lib/text/language.ts';
import type { ReceiptsBankData } from './rules/bank-data.ts';
import type { ComputeBalanceAfter } from './rules/movements-after.ts';
import type { HistoryPosting, ReceiptGroup } from './rules/receipt-grouping.ts';
import type { HistorySummary } from './rules/history-summary.ts';
import { computeContainedTax } from './rules/rates.ts';
import { maxClosedPeriods } from './rules/resident-history.ts';
import type { Receipt, ReceiptLine, ReceiptPage } from './schemas.ts';

type ReceiptPageContext = {
  readonly bankKid: string;
  readonly userKid: string;
  readonly revision: string;
  readonly nextOffset: number | null;
  readonly summary: HistorySummary;
  readonly computeBalanceAfter: ComputeBalanceAfter;
  readonly bankData: ReceiptsBankData;
  readonly language: Language;
};

export function toReceiptPage(receipts: readonly ReceiptGroup[], context: ReceiptPageContext): ReceiptPage {
  const { userKid, revision, nextOffset } = context;
  return {
    userKid,
    revision,
    items: receipts.map((receipt) => toReceipt(receipt, context)),
    nextOffset,
    periodCount: maxClosedPeriods,
  };
}

function toReceipt(receipt: ReceiptGroup, context: ReceiptPageContext): Receipt {
  const { bankKid, bankData, summary } = context;
  const { locationId, kind, currency, totalMinor, lastAt } = receipt;
  const clock = bankData.getClock(locationId);
  const date = clock.formatDate(receipt.day);
  const isProvisional = receipt.period === summary.openPeriod;
  const hasVat = kind === 'Purchase' && summary.vatRate !== null;
  return {
    // Contains the stored number of the period, so that the key stays the same when the period is closed.
    key: formatReceiptKey({ date, locationId, period: receipt.period, kind, currency }),
    date,
    locationKid: locationId === 0 ? null : formatLocationKid(bankKid, locationId),
    locationName: bankData.locations.get(locationId)?.name ?? '',
    timeZone: clock.timeZone,
    period: isProvisional ? 0 : receipt.period,
    provisional: isProvisional,
    kind,
    currency: currency === '' ? null : currency,
    totalMinor: toJsonInt64(totalMinor),
    vatMinor: hasVat ? toJsonInt64(computeContainedTax(totalMinor, summary.vatRate ?? 0)) : null,
    balanceAfterMinor: toJsonInt64(context.computeBalanceAfter(currency, lastAt)),
    lines:
      receipt.postings.length === 0
        ? [toCalculatedLine(receipt, context)]
        : receipt.postings.map((posting) => toReceiptLine(posting, context)),
  };
}

function toReceiptLine(posting: HistoryPosting, { bankKid, bankData, language }: ReceiptPageContext): ReceiptLine {
  const { posting_id, location_id, unit_id, recorded_at, text } = posting;
  const hasUnit = location_id !== 0 && unit_id !== 0;
  return {
    kid: formatPostingKid(bankKid, posting_id),
    occurredAt: bankData.getClock(location_id).formatTime(recorded_at),
    unitKid: hasUnit ? formatUnitKid(formatLocationKid(bankKid, location_id), unit_id) : null,
    unitName: bankData.getUnitName(location_id, unit_id, language),
    texts: text === '' ? [] : [text],
    amountMinor: toJsonInt64(-BigInt(posting.amount_minor)),
    calculated: false,
  };
}

const toCalculatedLine = (
  { lastAt, totalMinor, locationId }: ReceiptGroup,
  { bankData }: ReceiptPageContext,
): ReceiptLine => ({
  kid: null,
  occurredAt: bankData.getClock(locationId).formatTime(lastAt),
  unitKid: null,
  unitName: '',
  texts: [],
  amountMinor: toJsonInt64(totalMinor),
  calculated: true,
});
