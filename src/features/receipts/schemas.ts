// The shapes of receipts, and from what is known of them to these.

import { Type, type Static } from 'typebox';
import { choice, closed, int32, kidInput, kidText, minor, nullable } from '../../http/fields.ts';
import { jsonInt64 } from '../../lib/int64.ts';
import type { Language } from '../../lib/language.ts';
import type { BankFacts } from './known-banks.ts';
import type { Posting, Receipt } from './rules/grouping.ts';
import { receiptKinds } from './rules/kinds.ts';
import { taxWithin } from './rules/rates.ts';
import { revisionPattern } from './rules/revision.ts';

export const ReceiptsParams = closed({ userKid: kidInput('user') });

export const ReceiptsQuery = closed({
  offset: int32({ minimum: 0, default: 0, description: 'Receipts to skip: the `nextOffset` of the page before.' }),
  revision: Type.Optional(
    Type.String({
      pattern: revisionPattern,
      description: 'Of the pages before; the first page is asked for without it, every further one needs it.',
    }),
  ),
});

const Line = closed({
  kid: nullable(kidText('posting', 'The posting; null in a calculated line.')),
  occurredAt: Type.String({
    format: 'date-time',
    description: 'RFC 3339, as the clock at the location showed it; in the tenant’s zone where there is no location.',
  }),
  unitKid: nullable(kidText('unit', 'Null where the posting belongs to no unit.')),
  unitName: Type.String({ description: 'In the language of the answer.' }),
  texts: Type.Array(Type.String(), { description: 'Every description there is of the line.' }),
  amountMinor: minor('Positive where the resident is charged, negative where something is given back.'),
  calculated: Type.Boolean({ description: 'A settlement adjustment that follows from the others; no posting of it.' }),
});

const ReceiptShape = closed({
  key: Type.String({ description: 'Names the receipt: unique, and the same for as long as there is the receipt.' }),
  date: Type.String({ format: 'date', description: 'The local day, in the zone of the location.' }),
  locationKid: nullable(kidText('location', 'Null where the receipt belongs to no location.')),
  locationName: Type.String(),
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  provisional: Type.Boolean({ description: 'The period is not settled yet.' }),
  kind: choice(receiptKinds, 'What the receipt is for.'),
  currency: nullable(Type.String({ description: 'ISO 4217; null where unknown.' })),
  totalMinor: minor('Sum of the lines.'),
  vatMinor: nullable(minor('Tax contained in the total: of a cash bank’s purchases, where it has a rate.')),
  balanceAfterMinor: minor(
    'What the resident’s stored postings in this currency come to, up to the instant of the newest line: negative is owed. Calculated lines are not in it.',
  ),
  lines: Type.Array(Line, { description: 'Newest first.' }),
});

export const ReceiptsAnswer = closed({
  userKid: kidText('user'),
  revision: Type.String({ description: 'The same on every page; pages of two revisions are never put together.' }),
  items: Type.Array(ReceiptShape, { description: 'At most 20, each whole, newest first.' }),
  nextOffset: nullable(Type.Integer({ description: 'The next page’s offset; null after the last receipt.' })),
  periodCount: Type.Integer({ description: 'How many closed periods are shown beside the current one, at most.' }),
});

export type Showing = {
  /** The bank's KID, which every KID of a receipt begins with. */
  readonly bankKid: string;
  readonly openPeriod: number;
  /** Null where no tax is shown. */
  readonly vatRate: number | null;
  readonly facts: BankFacts;
  readonly balanceAt: (currency: string, instant: number) => bigint;
  readonly language: Language;
};

export function shownReceipt(receipt: Receipt, showing: Showing): Static<typeof ReceiptShape> {
  const { locationId, kind, currency, totalMinor, lastAt } = receipt;
  const date = showing.facts.clockOf(locationId).dateOf(receipt.day);
  const hasVat = kind === 'Purchase' && showing.vatRate !== null;
  return {
    key: keyOf(receipt, date),
    date,
    locationKid: locationId === 0 ? null : `${showing.bankKid}-L${locationId}`,
    locationName: showing.facts.locations.get(locationId)?.name ?? '',
    period: receipt.period === showing.openPeriod ? 0 : receipt.period,
    provisional: receipt.period === showing.openPeriod,
    kind,
    currency: currency === '' ? null : currency,
    totalMinor: jsonInt64(totalMinor),
    vatMinor: hasVat ? jsonInt64(taxWithin(totalMinor, showing.vatRate ?? 0)) : null,
    balanceAfterMinor: jsonInt64(showing.balanceAt(currency, lastAt)),
    lines:
      receipt.postings.length === 0
        ? [calculatedLine(receipt, showing)]
        : receipt.postings.map((posting) => lineOf(posting, showing)),
  };
}

/** With the period as it is stored, so that the key stays when the period is closed. */
function keyOf({ locationId, period, kind, currency }: Receipt, date: string): string {
  return `${date}-L${locationId}-P${period}-${kind}${currency === '' ? '' : `-${currency}`}`;
}

function lineOf(posting: Posting, { bankKid, facts, language }: Showing): Static<typeof Line> {
  const { posting_id, location_id, unit_id, recorded_at, text } = posting;
  return {
    kid: `${bankKid}-X${posting_id}`,
    occurredAt: facts.clockOf(location_id).textOf(recorded_at),
    unitKid: location_id === 0 || unit_id === 0 ? null : `${bankKid}-L${location_id}-U${unit_id}`,
    unitName: facts.unitName(location_id, unit_id, language),
    texts: text === '' ? [] : [text],
    amountMinor: jsonInt64(-BigInt(posting.amount_minor)),
    calculated: false,
  };
}

function calculatedLine({ lastAt, totalMinor, locationId }: Receipt, { facts }: Showing): Static<typeof Line> {
  return {
    kid: null,
    occurredAt: facts.clockOf(locationId).textOf(lastAt),
    unitKid: null,
    unitName: '',
    texts: [],
    amountMinor: jsonInt64(totalMinor),
    calculated: true,
  };
}
