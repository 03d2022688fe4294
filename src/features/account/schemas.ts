// The shapes of the account's requests and answers.

import { Type, type Static } from 'typebox';
import { cursor, nextCursor } from '../../http/schemas/list-schemas.ts';
import { namedEnum, namedObject, nullable, useOf } from '../../http/schemas/named-schemas.ts';
import {
  closedObject,
  instant,
  int32,
  int64,
  kidInput,
  kidOutput,
  minorAmount,
  stringEnum,
  timeZoneOutput,
} from '../../http/schemas/schema-types.ts';
import { LocationReference, UnitReference } from '../places/schemas.ts';
import { kinds, paymentKinds } from './rules/posting-kinds.ts';

export const ReversalParams = closedObject({ bankKid: kidInput('bank'), transactionKid: kidInput('posting') });
export const ReversalQuery = closedObject({
  dryRun: Type.Boolean({
    default: false,
    description: 'Returns the entry that would be created, with `dryRun` and without a KID, and creates nothing.',
  }),
});

const optionalDate = (description: string) => Type.Optional(Type.String({ format: 'date', description }));
const includeFlag = (description: string) => Type.Boolean({ default: true, description });

const AmountSign = namedEnum(
  'AmountSign',
  ['all', 'debit', 'credit'],
  'debit: negative amounts; credit: positive amounts.',
);

const selectionFields = {
  From: optionalDate('First day in TimeZone; default today.'),
  Through: optionalDate('Last day in TimeZone; default today. At most 367 days from From, both included.'),
  TimeZone: Type.String({ default: 'Europe/Copenhagen', maxLength: 64, description: 'IANA or Windows time zone.' }),
  Period: Type.Optional(
    int32({ minimum: 0, description: 'Settlement period, 0 = current; replaces the date interval.' }),
  ),
  WithinDates: Type.Boolean({
    default: false,
    description: 'With Period: only those of its postings that also lie from From through Through.',
  }),
  LocationKid: Type.Optional(kidInput('location')),
  UnitKid: Type.Optional(kidInput('unit')),
  UserKid: Type.Optional(kidInput('user')),
  Kind: useOf(AmountSign, { default: 'all' }),
  IncludeZero: includeFlag('Include postings with amount 0.'),
  IncludeBookings: includeFlag('Include booking entries.'),
  IncludeMonthly: includeFlag('Include monthly entries.'),
};
const pagingFields = {
  Offset: int32({ minimum: 0, maximum: 100_000, default: 0, description: 'Number of rows to skip.' }),
  Limit: int32({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of rows.' }),
};

/** The revision does not depend on the page. */
export const AccountRevisionQuery = closedObject({ ...selectionFields, ...pagingFields });
export const AccountQuery = closedObject({ ...selectionFields, ...pagingFields, Cursor: cursor });

export const AccountExportQuery = closedObject(selectionFields);
export const AccountExportParams = closedObject({
  bankKid: kidInput('bank'),
  format: stringEnum(['csv', 'xls'], 'csv: UTF-8 with a byte order mark; xls: Excel 97-2003.'),
});

const Revision = Type.String({
  description:
    'Fingerprint of all selected postings, independent of the page. It does not lock the data: compare it across pages to detect changes.',
});
export const AccountRevision = namedObject('AccountRevision', { revision: Revision });

const nullableCurrency = nullable(Type.String({ description: 'ISO 4217; null if unknown.' }));
const nullableKid = (type: 'location' | 'unit' | 'posting', description: string) =>
  nullable(kidOutput(type, description));

export const CurrencyTotal = namedObject('CurrencyTotal', {
  currency: nullableCurrency,
  count: Type.Integer({ description: 'Number of postings.' }),
  debitMinor: minorAmount('Sum of the negative amounts.'),
  creditMinor: minorAmount('Sum of the positive amounts.'),
  amountMinor: minorAmount('Sum of all amounts. It is not a balance.'),
});
export type CurrencyTotal = Static<typeof CurrencyTotal>;

export const PostingKind = namedEnum('PostingKind', kinds, 'The kind of a posting.');
const PaymentKind = namedEnum('PaymentKind', paymentKinds, 'Empty if the posting is not a payment.');

export const AccountEntry = namedObject('AccountEntry', {
  kid: kidOutput('posting'),
  recordedAtUtc: instant('Time of the event. A posting can be recorded days after its event.'),
  recordedAtMs2000: int64('The same time, in milliseconds since 2000-01-01T00:00:00Z.'),
  locationKid: nullableKid('location', 'Null if the posting belongs to no location.'),
  locationName: Type.String(),
  unitKid: nullableKid('unit', 'Null if the posting belongs to no unit.'),
  unitName: Type.String({ description: 'In the language of the response.' }),
  userKid: kidOutput('user', 'The resident, the guest, or the GDPR user if the identity has expired.'),
  userName: Type.String({ description: 'Empty for the guest and for an expired identity.' }),
  kind: PostingKind,
  paymentKind: PaymentKind,
  text: Type.String(),
  amountMinor: minorAmount('Signed: negative is consumption.'),
  currency: nullableCurrency,
  vatMinor: nullable(minorAmount('Value added tax contained in the amount.')),
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  documentKey: Type.String({
    description: 'Identifies the receipt group of the row, also across pages. A row without a group has its own key.',
  }),
  reversalOfKid: nullableKid('posting', 'The posting that this one reverses.'),
  reversedByKid: nullableKid('posting', 'The posting that reverses this one.'),
  isAnonymized: Type.Boolean(),
  reversible: Type.Boolean({ description: 'Whether the posting can be reversed and is not reversed yet.' }),
});
export type AccountEntry = Static<typeof AccountEntry>;

export const Reversal = namedObject('Reversal', {
  ...AccountEntry.properties,
  kid: nullableKid('posting', 'Null in the response to a dry run.'),
  dryRun: Type.Optional(Type.Literal(true, { description: 'Only in the response to a dry run.' })),
});
export type Reversal = Static<typeof Reversal>;

const AccountDocument = namedObject('AccountDocument', {
  documentKey: Type.String(),
  userKid: kidOutput('user'),
  locationKid: nullableKid('location', 'Null if the rows belong to no location.'),
  period: Type.Integer(),
  currency: nullableCurrency,
  amountMinor: minorAmount('Sum of the rows of this page.'),
  count: Type.Integer(),
  entryKids: Type.Array(kidOutput('posting')),
});
export type AccountDocument = Static<typeof AccountDocument>;

const AccountPeriod = namedObject('AccountPeriod', {
  period: Type.Integer({ description: 'Settlement period, 0 = current.' }),
  fromUtc: instant('Start of the period.'),
  throughUtc: nullable(instant('End of the period; null while it is open.')),
});

const AccountLocation = namedObject('AccountLocation', {
  ...LocationReference.properties,
  timeZone: timeZoneOutput('that of the times of its rows. Rows without a location have that of the tenant.'),
});

const AccountChoices = namedObject('AccountChoices', {
  locations: Type.Array(AccountLocation),
  units: Type.Array(UnitReference),
});

export const AccountPage = namedObject('AccountPage', {
  bankKid: kidOutput('bank'),
  timeZone: Type.String({ description: 'The IANA time zone of the dates.' }),
  from: nullable(Type.String({ format: 'date', description: 'Null if only a period is selected.' })),
  through: nullable(Type.String({ format: 'date', description: 'Null if only a period is selected.' })),
  period: nullable(Type.Integer({ description: 'Null if only dates are selected.' })),
  revision: Revision,
  offset: Type.Integer({ description: 'Number of rows before the page.' }),
  limit: Type.Integer(),
  totalCount: Type.Integer({ description: 'Number of all selected postings.' }),
  hasMore: Type.Boolean(),
  nextCursor,
  totals: Type.Array(CurrencyTotal, { description: 'Totals per currency of all selected postings.' }),
  periods: Type.Array(AccountPeriod, { description: 'The current period and up to 100 closed ones, newest first.' }),
  choices: useOf(AccountChoices, { description: 'The locations and units that a selection can name.' }),
  items: Type.Array(AccountEntry),
  documents: Type.Array(AccountDocument, { description: 'Receipt groups of the rows of this page.' }),
});
export type AccountPage = Static<typeof AccountPage>;
