// The schemas of receipts.

import { Type, type Static } from 'typebox';
import { namedEnum, namedObject, nullable } from '../../http/schemas/named-schemas.ts';
import {
  closedObject,
  int32,
  kidInput,
  kidOutput,
  minorAmount,
  timeZoneOfLocation,
} from '../../http/schemas/schema-types.ts';
import { receiptKinds } from './rules/receipt-kinds.ts';
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

export const ReceiptsHtmlQuery = closedObject({
  ...ReceiptsQuery.properties,
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The key of a receipt of this page, to print only that one.',
    }),
  ),
});

const ReceiptLine = namedObject('ReceiptLine', {
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
export type ReceiptLine = Static<typeof ReceiptLine>;

const ReceiptKind = namedEnum('ReceiptKind', receiptKinds, 'What a receipt is for.');

const Receipt = namedObject('Receipt', {
  key: Type.String({ description: 'Unique key of the receipt. It does not change while the receipt exists.' }),
  date: Type.String({ format: 'date', description: 'The local day in the time zone of the location.' }),
  locationKid: nullable(kidOutput('location', 'Null when the receipt belongs to no location.')),
  locationName: Type.String(),
  timeZone: timeZoneOfLocation,
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  provisional: Type.Boolean({ description: 'The period is not settled yet.' }),
  kind: ReceiptKind,
  currency: nullable(Type.String({ description: 'ISO 4217; null when unknown.' })),
  totalMinor: minorAmount('Sum of the lines.'),
  vatMinor: nullable(minorAmount('Tax contained in the total. Only for purchases of a cash bank with a tax rate.')),
  balanceAfterMinor: minorAmount(
    'The resident’s balance in this currency after the newest line: stored postings, and the calculated lines of closed periods. Excludes the calculated discount of the current period, which is unused. Negative means owed.',
  ),
  lines: Type.Array(ReceiptLine, { description: 'Newest first.' }),
});
export type Receipt = Static<typeof Receipt>;

export const ReceiptPage = namedObject('ReceiptPage', {
  userKid: kidOutput('user'),
  revision: Type.String({ description: 'The same on every page of one listing.' }),
  items: Type.Array(Receipt, { description: 'At most 20 complete receipts, newest first.' }),
  nextOffset: nullable(Type.Integer({ description: 'Offset of the next page; null after the last receipt.' })),
  periodCount: Type.Integer({ description: 'Maximum number of closed periods shown in addition to the current one.' }),
});

export type ReceiptPage = Static<typeof ReceiptPage>;
