// The shapes of the account, and from rows to them.

import { Type, type Static } from 'typebox';
import {
  stringEnum,
  closedObject,
  instant,
  int32,
  int64,
  kidInput,
  kidOutput,
  minorAmount,
  nullable,
} from '../../http/schema-types.ts';
import { toJsonInt64 } from '../../lib/int64.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import { formatDocumentKey } from './rules/documents.ts';
import { isAnonymized } from '../residents/rules/identity.ts';
import { isReversible } from './rules/reversal.ts';
import { kindFromCode, kinds, paymentKindFromCode, paymentKinds } from './rules/kinds.ts';
import type { CurrencyTotal } from './rules/rollups.ts';
import type { PostingRow } from './queries/posting-page.ts';

export const AccountParams = closedObject({ bankKid: kidInput('bank') });

export const ReversalParams = closedObject({ bankKid: kidInput('bank'), transactionKid: kidInput('posting') });
export const ReversalQuery = closedObject({
  dryRun: Type.Boolean({ default: false, description: 'Answers what would be answered, and writes nothing.' }),
});

const optionalDate = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const includeFlag = (description: string) => Type.Boolean({ default: true, description });

const selectionFields = {
  From: optionalDate('First day, inclusive, in TimeZone; default today.'),
  Through: optionalDate('Last day, inclusive; default today. At most 367 days from From, both counted.'),
  TimeZone: Type.String({ default: 'Europe/Copenhagen', maxLength: 64, description: 'IANA or Windows time zone.' }),
  Period: Type.Optional(
    int32({ minimum: 0, description: 'Settlement period, 0 = current; replaces the date interval.' }),
  ),
  LocationKid: Type.Optional(kidInput('location')),
  UnitKid: Type.Optional(kidInput('unit')),
  UserKid: Type.Optional(kidInput('user')),
  Kind: stringEnum(['all', 'debit', 'credit'], 'debit: negative amounts; credit: positive amounts.', {
    default: 'all',
  }),
  IncludeZero: includeFlag('Zero postings.'),
  IncludeBookings: includeFlag('Booking entries.'),
  IncludeMonthly: includeFlag('Month entries.'),
};
const pagingFields = {
  Offset: int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Rows to skip.' }),
  Limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Rows to answer.' }),
};

export const AccountQuerySchema = closedObject({ ...selectionFields, ...pagingFields });

export const ExportQuerySchema = closedObject(selectionFields);
export const ExportParams = closedObject({
  bankKid: kidInput('bank'),
  format: stringEnum(['csv', 'xls'], 'csv: UTF-8 with a byte order mark; xls: Excel 97-2003.'),
});

const Revision = Type.String({
  description:
    'Fingerprint of the complete filtered posting set, whatever the page. It freezes nothing: compare it across pages.',
});
export const AccountRevisionAnswer = closedObject({ revision: Revision });

const nullableCurrency = nullable(Type.String({ description: 'ISO 4217; null where unknown.' }));
const nullableKid = (type: 'location' | 'unit' | 'posting', description: string) =>
  nullable(kidOutput(type, description));

export const Total = closedObject({
  currency: nullableCurrency,
  count: Type.Integer(),
  debitMinor: minorAmount('Sum of the negative amounts.'),
  creditMinor: minorAmount('Sum of the positive amounts.'),
  amountMinor: minorAmount('Sum of all amounts: movements, not a balance.'),
});

export const Entry = closedObject({
  kid: kidOutput('posting'),
  recordedAtUtc: instant('When it happened; an older posting may arrive days later.'),
  recordedAtMs2000: int64('The same, in milliseconds since 2000-01-01T00:00:00Z.'),
  locationKid: nullableKid('location', 'Null where the posting belongs to no location.'),
  locationName: Type.String(),
  unitKid: nullableKid('unit', 'Null where the posting belongs to no unit.'),
  unitName: Type.String({ description: 'In the language of the answer.' }),
  userKid: kidOutput('user', 'The resident, the guest, or the GDPR user where the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  kind: stringEnum(kinds, 'What the posting is.'),
  paymentKind: stringEnum(paymentKinds, 'Empty where it is no payment.'),
  text: Type.String(),
  amountMinor: minorAmount('Signed: negative is consumption.'),
  currency: nullableCurrency,
  vatMinor: nullable(minorAmount('Value added tax contained in the amount.')),
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  documentKey: Type.String({
    description: 'Merges the parts of a receipt group across pages; a standalone row has its own.',
  }),
  reversalOfKid: nullableKid('posting', 'The posting that this one compensates.'),
  reversedByKid: nullableKid('posting', 'The posting that compensates this one.'),
  isAnonymized: Type.Boolean(),
  reversible: Type.Boolean({
    description: 'Whether the posting is of the kind that can be reversed and has not been.',
  }),
});
export type Entry = Static<typeof Entry>;

const Document = closedObject({
  documentKey: Type.String(),
  userKid: kidOutput('user'),
  locationKid: nullableKid('location', 'Null where the rows belong to no location.'),
  period: Type.Integer(),
  currency: nullableCurrency,
  amountMinor: minorAmount('Sum over the rows of this page.'),
  count: Type.Integer(),
  entryKids: Type.Array(kidOutput('posting')),
});

const OfferedPeriod = closedObject({
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('When the period began.'),
  throughUtc: nullable(instant('When it ended; null while it is open.')),
});

export const AccountAnswer = closedObject({
  bankKid: kidOutput('bank'),
  timeZone: Type.String({ description: 'The IANA zone that the dates are read in.' }),
  from: nullable(Type.String({ format: 'date', description: 'Null where a period is selected.' })),
  through: nullable(Type.String({ format: 'date', description: 'Null where a period is selected.' })),
  period: nullable(Type.Integer({ description: 'Null where dates are selected.' })),
  revision: Revision,
  offset: Type.Integer(),
  limit: Type.Integer(),
  totalCount: Type.Integer(),
  hasMore: Type.Boolean(),
  totals: Type.Array(Total, { description: 'Per currency over the whole filtered selection.' }),
  periods: Type.Array(OfferedPeriod, { description: 'The current period and up to 100 closed ones, newest first.' }),
  choices: closedObject({
    locations: Type.Array(closedObject({ kid: kidOutput('location'), name: Type.String() })),
    units: Type.Array(
      closedObject({ kid: kidOutput('unit'), name: Type.String(), locationKid: kidOutput('location') }),
    ),
  }),
  items: Type.Array(Entry),
  documents: Type.Array(Document, { description: 'Receipt groups over the rows of this page.' }),
});

export function toTotal({ currency: code, count, debitMinor, creditMinor }: CurrencyTotal): Static<typeof Total> {
  return {
    currency: code === '' ? null : code,
    count,
    debitMinor: toJsonInt64(debitMinor),
    creditMinor: toJsonInt64(creditMinor),
    amountMinor: toJsonInt64(debitMinor + creditMinor),
  };
}

export type EntryContext = {
  /** The bank's KID, which every KID of an entry begins with. */
  readonly bankKid: string;
  readonly openPeriod: number;
  readonly identityCutoff: number;
  readonly now: number;
  readonly locationNames: ReadonlyMap<number, string>;
  /** By `location/unit`, localised. */
  readonly unitNames: ReadonlyMap<string, string>;
};

export function toEntry(row: PostingRow, context: EntryContext): Entry {
  const { bankKid, openPeriod, identityCutoff, now } = context;
  const { location_id, unit_id } = row;
  const isAnonymous = isAnonymized(row, identityCutoff, now);
  const kind = kindFromCode(row.kind);
  return {
    kid: `${bankKid}-X${row.posting_id}`,
    recordedAtUtc: formatUtc(row.recorded_at),
    recordedAtMs2000: row.recorded_at,
    locationKid: formatLocationKid(bankKid, location_id),
    locationName: context.locationNames.get(location_id) ?? '',
    unitKid: formatUnitKid(bankKid, location_id, unit_id),
    unitName: context.unitNames.get(`${location_id}/${unit_id}`) ?? '',
    userKid: `${bankKid}-R${isAnonymous ? gdprUserId : row.user_id}`,
    userName: isAnonymous ? '' : (row.resident_name ?? ''),
    kind,
    paymentKind: paymentKindFromCode(row.payment_kind),
    text: isAnonymous ? kind : row.text,
    amountMinor: toJsonInt64(row.amount_minor),
    currency: row.currency === '' ? null : row.currency,
    vatMinor: row.vat_minor === null ? null : toJsonInt64(row.vat_minor),
    period: row.period === openPeriod ? 0 : row.period,
    documentKey: formatEntryDocumentKey(row, isAnonymous),
    reversalOfKid: formatReversalLink(row, row.reversal_of, row.original_at, context),
    reversedByKid: formatReversalLink(row, row.reversed_by, row.reversed_at, context),
    isAnonymized: isAnonymous,
    reversible: !isAnonymous && isReversible(row),
  };
}

/** The key of the document that a row belongs to, as it is shown. */
export function formatEntryDocumentKey(row: PostingRow, anonymized: boolean): string {
  return formatDocumentKey({
    posting_id: row.posting_id,
    document_id: row.document_id,
    user_id: row.user_id,
    location_id: row.location_id,
    period: row.period,
    currency: row.currency,
    isPaymentManaged: paymentKindFromCode(row.payment_kind) === 'Managed',
    isAnonymized: anonymized,
  });
}

export const formatLocationKid = (bankKid: string, locationId: number): string | null =>
  locationId === 0 ? null : `${bankKid}-L${locationId}`;

export const formatUnitKid = (bankKid: string, locationId: number, unitId: number): string | null =>
  locationId === 0 || unitId === 0 ? null : `${bankKid}-L${locationId}-U${unitId}`;

/** The other side of a reversal. A link between a named side and one whose identity has expired would name the latter. */
export function formatReversalLink(
  row: PostingRow,
  postingId: number | null,
  recordedAt: number | null,
  { bankKid, identityCutoff, now }: EntryContext,
): string | null {
  if (postingId === null || recordedAt === null) return null;
  const isSameAnonymity =
    isAnonymized({ ...row, recorded_at: recordedAt }, identityCutoff, now) === isAnonymized(row, identityCutoff, now);
  return isSameAnonymity ? `${bankKid}-X${postingId}` : null;
}

/** Groups a page's entries by their document keys, in the order of their first rows. */
export function groupIntoDocuments(entries: readonly Entry[], rows: readonly PostingRow[]): Static<typeof Document>[] {
  const groups = new Map<string, { first: Entry; amount: bigint; entryKids: string[] }>();
  for (const [at, entry] of entries.entries()) {
    const amount = BigInt(rows[at]?.amount_minor ?? 0);
    const group = groups.get(entry.documentKey);
    if (group === undefined) groups.set(entry.documentKey, { first: entry, amount, entryKids: [entry.kid] });
    else {
      group.amount += amount;
      group.entryKids.push(entry.kid);
    }
  }
  return [...groups.values()].map(({ first, amount, entryKids }) => ({
    documentKey: first.documentKey,
    userKid: first.userKid,
    locationKid: first.locationKid,
    period: first.period,
    currency: first.currency,
    amountMinor: toJsonInt64(amount),
    count: entryKids.length,
    entryKids,
  }));
}
