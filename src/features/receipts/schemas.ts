// The shapes of receipts, and from what is known of them to these.

import { Type, type Static } from 'typebox';
import {
  stringEnum,
  closedObject,
  int32,
  kidInput,
  kidOutput,
  minorAmount,
  nullable,
} from '../../http/schema-types.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import type { Language } from '../../lib/language.ts';
import type { ReceiptsBankData } from './bank-cache.ts';
import type { HistoryPosting, Receipt } from './rules/grouping.ts';
import { receiptKinds } from './rules/receipt-kinds.ts';
import { computeContainedTax } from './rules/rates.ts';
import { revisionPattern } from './rules/revision.ts';

export const ReceiptsParams = closedObject({ userKid: kidInput('user') });

export const ReceiptsQuery = closedObject({
  offset: int32({ minimum: 0, default: 0, description: 'Receipts to skip: the `nextOffset` of the page before.' }),
  revision: Type.Optional(
    Type.String({
      pattern: revisionPattern,
      description: 'Of the pages before; the first page is asked for without it, every further one needs it.',
    }),
  ),
});

const LineShape = closedObject({
  kid: nullable(kidOutput('posting', 'The posting; null in a calculated line.')),
  occurredAt: Type.String({
    format: 'date-time',
    description: 'RFC 3339, as the clock at the location showed it; in the tenant’s zone where there is no location.',
  }),
  unitKid: nullable(kidOutput('unit', 'Null where the posting belongs to no unit.')),
  unitName: Type.String({ description: 'In the language of the answer.' }),
  texts: Type.Array(Type.String(), { description: 'Every description there is of the line.' }),
  amountMinor: minorAmount('Positive where the resident is charged, negative where something is given back.'),
  calculated: Type.Boolean({ description: 'A settlement adjustment that follows from the others; no posting of it.' }),
});

const ReceiptShape = closedObject({
  key: Type.String({ description: 'Names the receipt: unique, and the same for as long as there is the receipt.' }),
  date: Type.String({ format: 'date', description: 'The local day, in the zone of the location.' }),
  locationKid: nullable(kidOutput('location', 'Null where the receipt belongs to no location.')),
  locationName: Type.String(),
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  provisional: Type.Boolean({ description: 'The period is not settled yet.' }),
  kind: stringEnum(receiptKinds, 'What the receipt is for.'),
  currency: nullable(Type.String({ description: 'ISO 4217; null where unknown.' })),
  totalMinor: minorAmount('Sum of the lines.'),
  vatMinor: nullable(minorAmount('Tax contained in the total: of a cash bank’s purchases, where it has a rate.')),
  balanceAfterMinor: minorAmount(
    'What the resident’s stored postings in this currency come to, up to the instant of the newest line: negative is owed. Calculated lines are not in it.',
  ),
  lines: Type.Array(LineShape, { description: 'Newest first.' }),
});

export const ReceiptsAnswer = closedObject({
  userKid: kidOutput('user'),
  revision: Type.String({ description: 'The same on every page; pages of two revisions are never put together.' }),
  items: Type.Array(ReceiptShape, { description: 'At most 20, each whole, newest first.' }),
  nextOffset: nullable(Type.Integer({ description: 'The next page’s offset; null after the last receipt.' })),
  periodCount: Type.Integer({ description: 'How many closed periods are shown beside the current one, at most.' }),
});

export type ReceiptFormatContext = {
  /** The bank's KID, which every KID of a receipt begins with. */
  readonly bankKid: string;
  readonly openPeriod: number;
  /** Null where no tax is shown. */
  readonly vatRate: number | null;
  readonly bankData: ReceiptsBankData;
  readonly getBalanceAt: (currency: string, instant: number) => bigint;
  readonly language: Language;
};

export function toReceipt(receipt: Receipt, context: ReceiptFormatContext): Static<typeof ReceiptShape> {
  const { locationId, kind, currency, totalMinor, lastAt } = receipt;
  const date = context.bankData.getClock(locationId).formatDate(receipt.day);
  const hasVat = kind === 'Purchase' && context.vatRate !== null;
  return {
    key: formatReceiptKey(receipt, date),
    date,
    locationKid: locationId === 0 ? null : `${context.bankKid}-L${locationId}`,
    locationName: context.bankData.locations.get(locationId)?.name ?? '',
    period: receipt.period === context.openPeriod ? 0 : receipt.period,
    provisional: receipt.period === context.openPeriod,
    kind,
    currency: currency === '' ? null : currency,
    totalMinor: toJsonInt64(totalMinor),
    vatMinor: hasVat ? toJsonInt64(computeContainedTax(totalMinor, context.vatRate ?? 0)) : null,
    balanceAfterMinor: toJsonInt64(context.getBalanceAt(currency, lastAt)),
    lines:
      receipt.postings.length === 0
        ? [toCalculatedLine(receipt, context)]
        : receipt.postings.map((posting) => toLine(posting, context)),
  };
}

/** With the period as it is stored, so that the key stays when the period is closed. */
function formatReceiptKey({ locationId, period, kind, currency }: Receipt, date: string): string {
  return `${date}-L${locationId}-P${period}-${kind}${currency === '' ? '' : `-${currency}`}`;
}

function toLine(
  posting: HistoryPosting,
  { bankKid, bankData, language }: ReceiptFormatContext,
): Static<typeof LineShape> {
  const { posting_id, location_id, unit_id, recorded_at, text } = posting;
  return {
    kid: `${bankKid}-X${posting_id}`,
    occurredAt: bankData.getClock(location_id).formatTime(recorded_at),
    unitKid: location_id === 0 || unit_id === 0 ? null : `${bankKid}-L${location_id}-U${unit_id}`,
    unitName: bankData.getUnitName(location_id, unit_id, language),
    texts: text === '' ? [] : [text],
    amountMinor: toJsonInt64(-BigInt(posting.amount_minor)),
    calculated: false,
  };
}

function toCalculatedLine(
  { lastAt, totalMinor, locationId }: Receipt,
  { bankData }: ReceiptFormatContext,
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
