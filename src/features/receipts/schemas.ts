// The wire shapes of receipts, and their formatting.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/named-schemas.ts';
import { closedObject, int32, kidInput, kidOutput, minorAmount } from '../../http/schema-types.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import { formatLocationKid, formatPostingKid, formatUnitKid } from '../../lib/kid.ts';
import type { Language } from '../../lib/language.ts';
import type { ReceiptsBankData } from './rules/bank-data.ts';
import type { ComputeBalanceAfter } from './rules/balance-after.ts';
import type { HistoryPosting, Receipt } from './rules/grouping.ts';
import type { HistorySummary } from './rules/history-summary.ts';
import { computeContainedTax } from './rules/rates.ts';
import { receiptKinds } from './rules/receipt-kinds.ts';
import { maxClosedPeriods } from './rules/resident-history.ts';
import { revisionPattern } from './rules/revision.ts';

export const ReceiptsParams = closedObject({ userKid: kidInput('user') });

export const ReceiptsQuery = closedObject({
  offset: int32({
    minimum: 0,
    default: 0,
    description: 'Number of receipts to skip: the `nextOffset` of the previous page.',
  }),
  revision: Type.Optional(
    Type.String({
      pattern: revisionPattern,
      description: 'The revision of the previous page. Omit it on the first page; required on every further page.',
    }),
  ),
});

const LineShape = namedObject('ReceiptLine', {
  kid: nullable(kidOutput('posting', 'Null for a calculated line.')),
  occurredAt: Type.String({
    format: 'date-time',
    description: 'RFC 3339 in the time zone of the location, or of the tenant when there is no location.',
  }),
  unitKid: nullable(kidOutput('unit', 'Null when the posting belongs to no unit.')),
  unitName: Type.String({ description: 'In the language of the response.' }),
  texts: Type.Array(Type.String(), { description: 'All descriptions of the line.' }),
  amountMinor: minorAmount('Positive when the resident is charged, negative for a refund.'),
  calculated: Type.Boolean({ description: 'A calculated settlement adjustment without a posting.' }),
});

const ReceiptKind = namedEnum('ReceiptKind', receiptKinds, 'What a receipt is for.');

const ReceiptShape = namedObject('Receipt', {
  key: Type.String({ description: 'Unique key of the receipt. It does not change while the receipt exists.' }),
  date: Type.String({ format: 'date', description: 'The local day in the time zone of the location.' }),
  locationKid: nullable(kidOutput('location', 'Null when the receipt belongs to no location.')),
  locationName: Type.String(),
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  provisional: Type.Boolean({ description: 'The period is not settled yet.' }),
  kind: ReceiptKind,
  currency: nullable(Type.String({ description: 'ISO 4217; null when unknown.' })),
  totalMinor: minorAmount('Sum of the lines.'),
  vatMinor: nullable(minorAmount('Tax contained in the total. Only for purchases of a cash bank with a tax rate.')),
  balanceAfterMinor: minorAmount(
    'The resident’s balance in this currency after the newest line: stored postings, and the calculated lines of closed periods. Excludes the calculated discount of the current period, which is unused. Negative means owed.',
  ),
  lines: Type.Array(LineShape, { description: 'Newest first.' }),
});

export const ReceiptsAnswer = namedObject('ReceiptPage', {
  userKid: kidOutput('user'),
  revision: Type.String({ description: 'The same on every page of one listing.' }),
  items: Type.Array(ReceiptShape, { description: 'At most 20 complete receipts, newest first.' }),
  nextOffset: nullable(Type.Integer({ description: 'Offset of the next page; null after the last receipt.' })),
  periodCount: Type.Integer({ description: 'Maximum number of closed periods shown in addition to the current one.' }),
});

export type ReceiptsAnswerContext = {
  readonly bankKid: string;
  readonly userKid: string;
  readonly revision: string;
  readonly nextOffset: number | null;
  readonly summary: HistorySummary;
  readonly computeBalanceAfter: ComputeBalanceAfter;
  readonly bankData: ReceiptsBankData;
  readonly language: Language;
};

export function toReceiptsAnswer(
  receipts: readonly Receipt[],
  context: ReceiptsAnswerContext,
): Static<typeof ReceiptsAnswer> {
  const { userKid, revision, nextOffset } = context;
  return {
    userKid,
    revision,
    items: receipts.map((receipt) => toReceipt(receipt, context)),
    nextOffset,
    periodCount: maxClosedPeriods,
  };
}

function toReceipt(receipt: Receipt, context: ReceiptsAnswerContext): Static<typeof ReceiptShape> {
  const { bankKid, bankData, summary } = context;
  const { locationId, kind, currency, totalMinor, lastAt } = receipt;
  const date = bankData.getClock(locationId).formatDate(receipt.day);
  const isProvisional = receipt.period === summary.openPeriod;
  const hasVat = kind === 'Purchase' && summary.vatRate !== null;
  return {
    key: formatReceiptKey(receipt, date),
    date,
    locationKid: locationId === 0 ? null : formatLocationKid(bankKid, locationId),
    locationName: bankData.locations.get(locationId)?.name ?? '',
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
        : receipt.postings.map((posting) => toLine(posting, context)),
  };
}

/** It contains the period as it is stored, so that it stays the same when the period is closed. */
function formatReceiptKey({ locationId, period, kind, currency }: Receipt, date: string): string {
  return `${date}-L${locationId}-P${period}-${kind}${currency === '' ? '' : `-${currency}`}`;
}

function toLine(
  posting: HistoryPosting,
  { bankKid, bankData, language }: ReceiptsAnswerContext,
): Static<typeof LineShape> {
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

function toCalculatedLine(
  { lastAt, totalMinor, locationId }: Receipt,
  { bankData }: ReceiptsAnswerContext,
): Static<typeof LineShape> {
  return {
    kid: null,
    occurredAt: bankData.getClock(locationId).formatTime(lastAt),
    unitKid: null,
    unitName: '',
    texts: [],
    amountMinor: toJsonInt64(totalMinor),
    calculated: true,
  };
}
