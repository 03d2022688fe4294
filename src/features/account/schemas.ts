// The shapes of the account, and from rows to them.

import { Type, type Static } from 'typebox';
import { choice, closed, instant, int32, int64, kidInput, kidText, minor, nullable } from '../../http/fields.ts';
import { jsonInt64 } from '../../lib/int64.ts';
import { gdprUserId } from '../../lib/kid.ts';
import { utcText } from '../../lib/ms2000.ts';
import { documentKeyOf } from './rules/documents.ts';
import { isAnonymized } from './rules/identity.ts';
import { isReversible } from './rules/reversal.ts';
import { kindOf, kinds, paymentKindOf, paymentKinds } from './rules/kinds.ts';
import type { CurrencyTotal } from './rules/rollups.ts';
import type { PostingRow } from './queries/page.ts';

export const AccountParams = closed({ bankKid: kidInput('bank') });

export const ReversalParams = closed({ bankKid: kidInput('bank'), transactionKid: kidInput('posting') });
export const ReversalQuery = closed({
  dryRun: Type.Boolean({ default: false, description: 'Answers what would be answered, and writes nothing.' }),
});

const date = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const flag = (description: string) => Type.Boolean({ default: true, description });

const selecting = {
  From: date('First day, inclusive, in TimeZone; default today.'),
  Through: date('Last day, inclusive; default today. At most 367 days from From, both counted.'),
  TimeZone: Type.String({ default: 'Europe/Copenhagen', maxLength: 64, description: 'IANA or Windows time zone.' }),
  Period: Type.Optional(
    int32({ minimum: 0, description: 'Settlement period, 0 = current; replaces the date interval.' }),
  ),
  LocationKid: Type.Optional(kidInput('location')),
  UnitKid: Type.Optional(kidInput('unit')),
  UserKid: Type.Optional(kidInput('user')),
  Kind: choice(['all', 'debit', 'credit'], 'debit: negative amounts; credit: positive amounts.', { default: 'all' }),
  IncludeZero: flag('Zero postings.'),
  IncludeBookings: flag('Booking entries.'),
  IncludeMonthly: flag('Month entries.'),
};
const paging = {
  Offset: int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Rows to skip.' }),
  Limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Rows to answer.' }),
};

export const AccountQuerySchema = closed({ ...selecting, ...paging });

export const ExportQuerySchema = closed(selecting);
export const ExportParams = closed({
  bankKid: kidInput('bank'),
  format: choice(['csv', 'xls'], 'csv: UTF-8 with a byte order mark; xls: Excel 97-2003.'),
});

const Revision = Type.String({
  description:
    'Fingerprint of the complete filtered posting set, whatever the page. It freezes nothing: compare it across pages.',
});
export const AccountRevisionAnswer = closed({ revision: Revision });

const currency = nullable(Type.String({ description: 'ISO 4217; null where unknown.' }));
const nullableKid = (type: 'location' | 'unit' | 'posting', description: string) =>
  nullable(kidText(type, description));

export const Total = closed({
  currency,
  count: Type.Integer(),
  debitMinor: minor('Sum of the negative amounts.'),
  creditMinor: minor('Sum of the positive amounts.'),
  amountMinor: minor('Sum of all amounts: movements, not a balance.'),
});

export const Entry = closed({
  kid: kidText('posting'),
  recordedAtUtc: instant('When it happened; an older posting may arrive days later.'),
  recordedAtMs2000: int64('The same, in milliseconds since 2000-01-01T00:00:00Z.'),
  locationKid: nullableKid('location', 'Null where the posting belongs to no location.'),
  locationName: Type.String(),
  unitKid: nullableKid('unit', 'Null where the posting belongs to no unit.'),
  unitName: Type.String({ description: 'In the language of the answer.' }),
  userKid: kidText('user', 'The resident, the guest, or the GDPR user where the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  kind: choice(kinds, 'What the posting is.'),
  paymentKind: choice(paymentKinds, 'Empty where it is no payment.'),
  text: Type.String(),
  amountMinor: minor('Signed: negative is consumption.'),
  currency,
  vatMinor: nullable(minor('Value added tax contained in the amount.')),
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

const Document = closed({
  documentKey: Type.String(),
  userKid: kidText('user'),
  locationKid: nullableKid('location', 'Null where the rows belong to no location.'),
  period: Type.Integer(),
  currency,
  amountMinor: minor('Sum over the rows of this page.'),
  count: Type.Integer(),
  entryKids: Type.Array(kidText('posting')),
});

const OfferedPeriod = closed({
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('When the period began.'),
  throughUtc: nullable(instant('When it ended; null while it is open.')),
});

export const AccountAnswer = closed({
  bankKid: kidText('bank'),
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
  choices: closed({
    locations: Type.Array(closed({ kid: kidText('location'), name: Type.String() })),
    units: Type.Array(closed({ kid: kidText('unit'), name: Type.String(), locationKid: kidText('location') })),
  }),
  items: Type.Array(Entry),
  documents: Type.Array(Document, { description: 'Receipt groups over the rows of this page.' }),
});

export function totalOf({ currency: code, count, debitMinor, creditMinor }: CurrencyTotal): Static<typeof Total> {
  return {
    currency: code === '' ? null : code,
    count,
    debitMinor: jsonInt64(debitMinor),
    creditMinor: jsonInt64(creditMinor),
    amountMinor: jsonInt64(debitMinor + creditMinor),
  };
}

export type EntryContext = {
  /** The bank's KID, which every KID of an entry begins with. */
  readonly bankKid: string;
  readonly openPeriod: number;
  readonly cutoff: number;
  readonly now: number;
  readonly locationNames: ReadonlyMap<number, string>;
  /** By `location/unit`, localised. */
  readonly unitNames: ReadonlyMap<string, string>;
};

export function entryOf(row: PostingRow, context: EntryContext): Entry {
  const { bankKid, openPeriod, cutoff, now } = context;
  const { location_id, unit_id } = row;
  const anonymized = isAnonymized(row, cutoff, now);
  const kind = kindOf(row.kind);
  return {
    kid: `${bankKid}-X${row.posting_id}`,
    recordedAtUtc: utcText(row.recorded_at),
    recordedAtMs2000: row.recorded_at,
    locationKid: locationKidOf(bankKid, location_id),
    locationName: context.locationNames.get(location_id) ?? '',
    unitKid: unitKidOf(bankKid, location_id, unit_id),
    unitName: context.unitNames.get(`${location_id}/${unit_id}`) ?? '',
    userKid: `${bankKid}-R${anonymized ? gdprUserId : row.user_id}`,
    userName: anonymized ? '' : (row.resident_name ?? ''),
    kind,
    paymentKind: paymentKindOf(row.payment_kind),
    text: anonymized ? kind : row.text,
    amountMinor: jsonInt64(row.amount_minor),
    currency: row.currency === '' ? null : row.currency,
    vatMinor: row.vat_minor === null ? null : jsonInt64(row.vat_minor),
    period: row.period === openPeriod ? 0 : row.period,
    documentKey: shownKeyOf(row, anonymized),
    reversalOfKid: linkOf(row, row.reversal_of, row.original_at, context),
    reversedByKid: linkOf(row, row.reversed_by, row.reversed_at, context),
    isAnonymized: anonymized,
    reversible: !anonymized && isReversible(row),
  };
}

/** The key of the document that a row belongs to, as it is shown. */
export function shownKeyOf(row: PostingRow, anonymized: boolean): string {
  return documentKeyOf({
    posting_id: row.posting_id,
    document_id: row.document_id,
    user_id: row.user_id,
    location_id: row.location_id,
    period: row.period,
    currency: row.currency,
    isPaymentManaged: paymentKindOf(row.payment_kind) === 'Managed',
    isAnonymized: anonymized,
  });
}

export const locationKidOf = (bankKid: string, locationId: number): string | null =>
  locationId === 0 ? null : `${bankKid}-L${locationId}`;

export const unitKidOf = (bankKid: string, locationId: number, unitId: number): string | null =>
  locationId === 0 || unitId === 0 ? null : `${bankKid}-L${locationId}-U${unitId}`;

/** The other side of a reversal. A link between a named side and one whose identity has expired would name the latter. */
export function linkOf(
  row: PostingRow,
  postingId: number | null,
  recordedAt: number | null,
  { bankKid, cutoff, now }: EntryContext,
): string | null {
  if (postingId === null || recordedAt === null) return null;
  const alike = isAnonymized({ ...row, recorded_at: recordedAt }, cutoff, now) === isAnonymized(row, cutoff, now);
  return alike ? `${bankKid}-X${postingId}` : null;
}

/** Groups a page's entries by their document keys, in the order of their first rows. */
export function documentsOf(entries: readonly Entry[], rows: readonly PostingRow[]): Static<typeof Document>[] {
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
    amountMinor: jsonInt64(amount),
    count: entryKids.length,
    entryKids,
  }));
}
