// Computes the account independently: postings are in a plain array, and every answer reads all of them. Days are the
// civil dates of single instants (Temporal), sums are BigInt, and only the type of a draft is imported from the
// service.

import { sumAmounts } from './exact-amounts.ts';
import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';

export type ModelPosting = PostingDraft & {
  readonly id: number;
  /** The settlement period that was open when the row was recorded. */
  readonly period: number;
};
export type ModelPlace = { readonly id: number; readonly name: string; readonly deleted?: boolean };
export type ModelPeriod = { readonly period: number; readonly from: number; readonly through: number };

/** A bank as the oracle keeps it. */
export type BankModel = {
  readonly bankKid: string;
  readonly bankId: number;
  readonly locations: readonly (ModelPlace & { readonly units: readonly ModelPlace[] })[];
  readonly residents: ReadonlyMap<number, { readonly name: string; readonly expiredAt: number | null }>;
  readonly rows: ModelPosting[];
  readonly periods: ModelPeriod[];
  openedAt: number;
  /** The tenant's retention of identities, in days. */
  retentionDays: number;
};

/** The query of an account read, with ids instead of KIDs. */
export type AccountQuery = {
  readonly From?: string;
  readonly Through?: string;
  readonly TimeZone?: string;
  readonly Period?: number;
  readonly WithinDates?: boolean;
  readonly location?: number;
  /** Location and unit. */
  readonly unit?: readonly [number, number];
  readonly user?: number;
  readonly Kind?: 'all' | 'debit' | 'credit';
  readonly IncludeZero?: boolean;
  readonly IncludeBookings?: boolean;
  readonly IncludeMonthly?: boolean;
  readonly Offset?: number;
  readonly Limit?: number;
};

export type AccountViewer = { readonly coverage: 'all' | readonly number[]; readonly retentionDays: number | null };

const epoch2000 = Temporal.Instant.from('2000-01-01T00:00:00Z').epochMilliseconds;
export const instantOf = (ms2000: number): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(ms2000 + epoch2000);
export const ms2000Of = (text: string): number => Temporal.Instant.from(text).epochMilliseconds - epoch2000;
export const formatUtc = (ms2000: number): string => instantOf(ms2000).toString({ smallestUnit: 'millisecond' });

/** Windows time zone names that the oracle uses, with their meaning for a tenant in Denmark (by CLDR). */
export const windowsZones: Readonly<Record<string, string>> = {
  'Romance Standard Time': 'Europe/Copenhagen',
  'Nepal Standard Time': 'Asia/Katmandu',
  'Newfoundland Standard Time': 'America/St_Johns',
  'Samoa Standard Time': 'Pacific/Apia',
};
export const queryZone = ({ TimeZone = 'Europe/Copenhagen' }: AccountQuery): string =>
  windowsZones[TimeZone] ?? TimeZone;

export const localDateOf = (zone: string, ms2000: number): string =>
  instantOf(ms2000).toZonedDateTimeISO(zone).toPlainDate().toString();

export const openPeriodNumber = (book: BankModel): number => book.periods.length + 1;

/** Appends drafts; answers the id of the first. */
export function addPostings(book: BankModel, drafts: readonly PostingDraft[]): number {
  const first = book.rows.length + 1;
  for (const [at, draft] of drafts.entries())
    book.rows.push({ ...draft, id: first + at, period: openPeriodNumber(book) });
  return first;
}

export function closeModelPeriod(book: BankModel, through: number): number {
  const period = openPeriodNumber(book);
  book.periods.push({ period, from: book.openedAt, through });
  book.openedAt = through;
  return period;
}

/** The rows that a question selects, in the order of the account. */
export function selectPostings(
  book: BankModel,
  question: AccountQuery,
  viewer: AccountViewer,
  now: number,
): ModelPosting[] {
  const { Kind = 'all', location, unit, user } = question;
  const inTime = createTimeFilter(book, question, now);
  return book.rows
    .filter(
      (row) =>
        inTime(row) &&
        (viewer.coverage === 'all' || viewer.coverage.includes(row.locationId)) &&
        (location === undefined || row.locationId === location) &&
        (unit === undefined || (row.locationId === unit[0] && row.unitId === unit[1])) &&
        (user === undefined || (row.residentId === user && !isAnonymized(book, row, viewer, now))) &&
        (Kind === 'all' || (Kind === 'debit' ? row.amountMinor < 0n : row.amountMinor > 0n)) &&
        (question.IncludeZero !== false || row.amountMinor !== 0n) &&
        (question.IncludeBookings !== false || row.kind !== 'Booking') &&
        (question.IncludeMonthly !== false || row.kind !== 'Month'),
    )
    .toSorted(
      (a, b) => b.recordedAt - a.recordedAt || a.locationId - b.locationId || a.unitId - b.unitId || b.id - a.id,
    );
}

function createTimeFilter(book: BankModel, question: AccountQuery, now: number): (row: ModelPosting) => boolean {
  const { Period: period, WithinDates: withinDates = false } = question;
  const isInPeriod = (row: ModelPosting): boolean => period === undefined || periodOnTheWire(book, row) === period;
  if (period !== undefined && !withinDates) return isInPeriod;
  const zone = queryZone(question);
  const today = localDateOf(zone, now);
  const { From = today, Through = today } = question;
  const isWithin = (recordedAt: number): boolean => {
    const date = localDateOf(zone, recordedAt);
    return Temporal.PlainDate.compare(From, date) <= 0 && Temporal.PlainDate.compare(date, Through) <= 0;
  };
  // Thousands of rows may have one instant, and Temporal takes its time.
  const known = new Map<number, boolean>();
  return (row) => isInPeriod(row) && known.getOrInsertComputed(row.recordedAt, isWithin);
}

const periodOnTheWire = (book: BankModel, { period }: ModelPosting): number =>
  period === openPeriodNumber(book) ? 0 : period;

function isAnonymized(book: BankModel, row: ModelPosting, { retentionDays }: AccountViewer, now: number): boolean {
  const { expiredAt = null } = book.residents.get(row.residentId) ?? {};
  const days = retentionDays !== null && retentionDays > 0 ? retentionDays : book.retentionDays;
  if (row.residentId === 0 || days <= 0 || (expiredAt !== null && expiredAt <= now)) return true;
  const oldestNamed = instantOf(now).toZonedDateTimeISO('UTC').startOfDay().subtract({ days });
  return instantOf(row.recordedAt).epochMilliseconds < oldestNamed.epochMilliseconds;
}

function expectedEntry(book: BankModel, row: ModelPosting, viewer: AccountViewer, now: number) {
  const { bankKid } = book;
  const anonymized = isAnonymized(book, row, viewer, now);
  const location = book.locations.find(({ id }) => id === row.locationId);
  const locationKid = row.locationId === 0 ? null : `${bankKid}-L${row.locationId}`;
  const reversal = book.rows.find(({ reversalOf }) => reversalOf === row.id);
  const { paymentKind = '', reversalOf = null, internalTag = null } = row;
  // Both sides of a reversal belong to one resident: they are shown together or not linked.
  const linkTo = (other: ModelPosting | undefined): string | null =>
    other === undefined || isAnonymized(book, { ...row, recordedAt: other.recordedAt }, viewer, now) !== anonymized
      ? null
      : `${bankKid}-X${other.id}`;
  const hasOpposite = row.amountMinor !== -(2n ** 63n) && row.vatMinor !== -(2n ** 63n);
  const isReversible =
    row.kind === 'Consumption' && row.amountMinor < 0n && hasOpposite && paymentKind === '' && internalTag !== null;
  return {
    kid: `${bankKid}-X${row.id}`,
    recordedAtUtc: formatUtc(row.recordedAt),
    recordedAtMs2000: row.recordedAt,
    locationKid,
    locationName: location?.name ?? '',
    unitKid: locationKid === null || row.unitId === 0 ? null : `${locationKid}-U${row.unitId}`,
    unitName: location?.units.find(({ id }) => id === row.unitId)?.name ?? '',
    userKid: `${bankKid}-R${anonymized ? 0 : row.residentId}`,
    userName: anonymized ? '' : (book.residents.get(row.residentId)?.name ?? ''),
    kind: row.kind,
    paymentKind,
    text: anonymized ? row.kind : row.text,
    amountMinor: row.amountMinor,
    currency: row.currency === '' ? null : row.currency,
    vatMinor: row.vatMinor ?? null,
    period: periodOnTheWire(book, row),
    documentKey: documentGroupOf(row, anonymized),
    reversalOfKid: linkTo(book.rows.find(({ id }) => id === reversalOf)),
    reversedByKid: linkTo(reversal),
    isAnonymized: anonymized,
    reversible: !anonymized && isReversible && row.residentId > 1000 && reversalOf === null && reversal === undefined,
  };
}
export type ExpectedEntry = ReturnType<typeof expectedEntry>;

/** The meaning of a document key: it is compared by the rows that it groups, not by its spelling. */
function documentGroupOf(row: ModelPosting, anonymized: boolean): string {
  const { documentId = null, paymentKind = '' } = row;
  const alone = documentId === null || documentId <= 0 || paymentKind === 'Managed' || anonymized;
  return alone
    ? `row ${row.id}`
    : `document ${documentId} of ${row.residentId} at ${row.locationId} in ${row.period} in ${row.currency}`;
}

/** Everything an account read answers, except its revision. */
export function expectedAccount(book: BankModel, question: AccountQuery, viewer: AccountViewer, now: number) {
  const rows = selectPostings(book, question, viewer, now);
  const { Offset: offset = 0, Limit: limit = 50 } = question;
  const zone = queryZone(question);
  const byPeriod = question.Period !== undefined && question.WithinDates !== true;
  const items = rows.slice(offset, offset + limit).map((row) => expectedEntry(book, row, viewer, now));
  return {
    bankKid: book.bankKid,
    timeZone: zone,
    from: byPeriod ? null : (question.From ?? localDateOf(zone, now)),
    through: byPeriod ? null : (question.Through ?? localDateOf(zone, now)),
    period: question.Period ?? null,
    offset,
    limit,
    totalCount: rows.length,
    hasMore: rows.length > offset + limit,
    totals: expectedTotals(rows),
    periods: expectedPeriods(book, viewer),
    choices: expectedChoices(book, viewer),
    items,
    documents: expectedDocuments(items),
  };
}
export type ExpectedAccount = ReturnType<typeof expectedAccount>;

/** By currency, the unknown one last. */
export function expectedTotals(rows: readonly ModelPosting[]) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted();
  const unknownLast = [...currencies.filter((each) => each !== ''), ...currencies.filter((each) => each === '')];
  return unknownLast.map((currency) => {
    const amounts = rows.filter((row) => row.currency === currency).map(({ amountMinor }) => amountMinor);
    return {
      currency: currency === '' ? null : currency,
      count: amounts.length,
      debitMinor: sumAmounts(amounts.filter((each) => each < 0n)),
      creditMinor: sumAmounts(amounts.filter((each) => each > 0n)),
      amountMinor: sumAmounts(amounts),
    };
  });
}

function expectedPeriods(book: BankModel, { coverage }: AccountViewer) {
  const offered = book.periods.filter(
    ({ period }) =>
      coverage === 'all' || book.rows.some((row) => row.period === period && coverage.includes(row.locationId)),
  );
  return [
    { period: 0, fromUtc: formatUtc(book.openedAt), throughUtc: null },
    ...offered
      .slice(-100)
      .map(({ period, from, through }) => ({ period, fromUtc: formatUtc(from), throughUtc: formatUtc(through) }))
      .toReversed(),
  ];
}

function expectedChoices(book: BankModel, { coverage }: AccountViewer) {
  const covered = book.locations.filter(({ id }) => coverage === 'all' || coverage.includes(id));
  const posted = (location: number, unit?: number): boolean =>
    book.rows.some((row) => row.locationId === location && (unit === undefined || row.unitId === unit));
  const kid = (location: number): string => `${book.bankKid}-L${location}`;
  return {
    locations: covered
      .filter(({ id, deleted }) => deleted !== true || posted(id))
      .map(({ id, name }) => ({ kid: kid(id), name, timeZone: 'Europe/Copenhagen' })),
    units: covered.flatMap(({ id: location, units }) =>
      units
        .filter(({ id, deleted }) => deleted !== true || posted(location, id))
        .map(({ id, name }) => ({ kid: `${kid(location)}-U${id}`, name, locationKid: kid(location) })),
    ),
  };
}

function expectedDocuments(items: readonly ExpectedEntry[]) {
  return [...new Set(items.map(({ documentKey }) => documentKey))].map((documentKey) => {
    const entries = items.filter((item) => item.documentKey === documentKey);
    const [{ userKid, locationKid, period, currency }] = entries as [ExpectedEntry];
    const amountMinor = sumAmounts(entries.map((entry) => entry.amountMinor));
    const entryKids = entries.map(({ kid }) => kid);
    return { documentKey, userKid, locationKid, period, currency, amountMinor, count: entries.length, entryKids };
  });
}
