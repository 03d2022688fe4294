// Receipts computed another way, from the words of the specification: every posting of a resident in a plain array, every
// question answered by walking all of them. Days are civil dates of single instants (Temporal), sums are BigInt.

import { sumAmounts } from '../../support/exact-amounts.ts';
import { dayMs } from '../../support/times.ts';
import { instantOf, openPeriodNumber, type BankModel, type ModelPosting } from '../../support/account-oracle.ts';

/** What the account's oracle does not keep of a bank. */
export type ReceiptRules = {
  readonly bank: 'cash' | 'rent';
  readonly vatBasisPoints: number | null;
  readonly discountBasisPoints: number | null;
  /** By location; the tenant's under 0. */
  readonly zones: Readonly<Record<number, string>>;
  /** The manager's RetentionDays. */
  readonly managerDays: number | null;
};

export type ExpectedLine = {
  readonly kid: string | null;
  readonly occurredAt: string;
  readonly unitKid: string | null;
  readonly unitName: string;
  readonly texts: readonly string[];
  readonly amountMinor: bigint;
  readonly calculated: boolean;
};

export type ExpectedReceipt = {
  readonly date: string;
  readonly locationKid: string | null;
  readonly locationName: string;
  readonly period: number;
  readonly provisional: boolean;
  readonly kind: string;
  readonly currency: string | null;
  readonly totalMinor: bigint;
  readonly vatMinor: bigint | null;
  readonly balanceAfterMinor: bigint;
  readonly lines: readonly ExpectedLine[];
};

type ReceiptKey = {
  readonly locationId: number;
  readonly period: number;
  readonly currency: string;
  readonly kind: string;
};
/** A receipt before it is written down: its lines with the instants they were at. */
type ReceiptDraft = ReceiptKey & {
  readonly date: string;
  readonly lines: { readonly at: number; readonly line: ExpectedLine }[];
};

/** All receipts of a resident, newest first. */
export function expectedReceipts(book: BankModel, userId: number, rules: ReceiptRules, now: number): ExpectedReceipt[] {
  const own = book.rows.filter((row) => row.userId === userId);
  const seen = own.filter((row) => isVisible(book, row, rules, now));
  const drafts = [...recordedReceipts(book, seen, rules), ...calculatedReceipts(book, own, rules, now)];
  return drafts.toSorted(newestFirst).map((draft) => formatReceipt(book, own, draft, rules));
}

const isVisiblePeriod = (book: BankModel, period: number): boolean => period >= openPeriodNumber(book) - 24;

/** From this instant on identities are kept; whole UTC days. */
function identityKeptFrom(book: BankModel, { managerDays }: ReceiptRules, now: number): number {
  const days = managerDays !== null && managerDays > 0 ? managerDays : book.retentionDays;
  return days <= 0 ? Number.POSITIVE_INFINITY : now - (((now % dayMs) + dayMs) % dayMs) - days * dayMs;
}

const isVisible = (book: BankModel, { period, recordedAt }: ModelPosting, rules: ReceiptRules, now: number): boolean =>
  isVisiblePeriod(book, period) && recordedAt >= identityKeptFrom(book, rules, now);

function kindOf({ kind, amountMinor }: ModelPosting): string | undefined {
  if (kind === 'Month') return undefined;
  if (kind === 'Discount' || kind === 'TransferToRent') return kind;
  if (kind === 'Payment' || kind === 'Credit') return 'Payment';
  return kind === 'Unknown' && amountMinor > 0n ? 'Payment' : 'Purchase';
}

const zoneAt = ({ zones }: ReceiptRules, locationId: number): string => zones[locationId] ?? zones[0] ?? 'UTC';

function dateOf(rules: ReceiptRules, locationId: number, at: number): string {
  return instantOf(at).toZonedDateTimeISO(zoneAt(rules, locationId)).toPlainDate().toString();
}

/** The clock's face and its offset to the minute, the instant exact. */
function formatLocalTime(rules: ReceiptRules, locationId: number, at: number): string {
  const { offsetNanoseconds } = instantOf(at).toZonedDateTimeISO(zoneAt(rules, locationId));
  const minutes = Math.round(offsetNanoseconds / 60e9);
  const face = instantOf(at + minutes * 60_000)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
    .toString({ fractionalSecondDigits: 3 });
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${face}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

/** Rows of one receipt, but for those whose document comes to nothing. */
function recordedReceipts(book: BankModel, seen: readonly ModelPosting[], rules: ReceiptRules): ReceiptDraft[] {
  const groups = Map.groupBy(
    seen.filter((row) => kindOf(row) !== undefined),
    (row) =>
      [dateOf(rules, row.locationId, row.recordedAt), row.locationId, kindOf(row), row.period, row.currency].join(),
  );
  return [...groups.values()].flatMap((rows) => {
    const sameDocumentRows = (row: ModelPosting): ModelPosting[] =>
      rows.filter((other) => other === row || sharesDocument(row, other));
    const kept = rows
      .filter((row) => sumAmounts(sameDocumentRows(row).map(({ amountMinor }) => amountMinor)) !== 0n)
      .toSorted(
        (a, b) => b.recordedAt - a.recordedAt || a.locationId - b.locationId || a.unitId - b.unitId || b.id - a.id,
      );
    const [first] = kept;
    if (first === undefined) return [];
    const { locationId, period, currency } = first;
    const lines = kept.map((row) => ({ at: row.recordedAt, line: lineOf(book, row, rules) }));
    const date = dateOf(rules, locationId, first.recordedAt);
    return [{ date, locationId, period, currency, kind: kindOf(first) ?? '', lines }];
  });
}

function sharesDocument(a: ModelPosting, b: ModelPosting): boolean {
  const managed = a.paymentKind === 'Managed' || b.paymentKind === 'Managed';
  return !managed && a.documentId === b.documentId && (a.documentId ?? 0) > 0;
}

function lineOf(book: BankModel, row: ModelPosting, rules: ReceiptRules): ExpectedLine {
  const { locationId, unitId, recordedAt, text } = row;
  const unit = book.locations.find(({ id }) => id === locationId)?.units.find(({ id }) => id === unitId);
  return {
    kid: `${book.bankKid}-X${row.id}`,
    occurredAt: formatLocalTime(rules, locationId, recordedAt),
    unitKid: locationId === 0 || unitId === 0 ? null : `${book.bankKid}-L${locationId}-U${unitId}`,
    unitName: unit?.name ?? '',
    texts: text === '' ? [] : [text],
    amountMinor: -row.amountMinor,
    calculated: false,
  };
}

/** What settlements imply: a discount off each period's purchases in kroner, and what a rent bank moves to the rent. */
function calculatedReceipts(
  book: BankModel,
  own: readonly ModelPosting[],
  rules: ReceiptRules,
  now: number,
): ReceiptDraft[] {
  const periods = [...new Set(own.map(({ period }) => period))].filter((period) => isVisiblePeriod(book, period));
  const currencies = [...new Set(own.map(({ currency }) => currency))];
  return periods.flatMap((period) =>
    currencies.flatMap((currency) => {
      const rows = own.filter((row) => row.period === period && row.currency === currency && kindOf(row) !== undefined);
      if (rows.some((row) => !isVisible(book, row, rules, now))) return [];
      return adjustments(book, rows, { period, currency }, rules).filter(
        ({ lines }) => (lines[0]?.at ?? 0) >= identityKeptFrom(book, rules, now),
      );
    }),
  );
}

function adjustments(
  book: BankModel,
  rows: readonly ModelPosting[],
  { period, currency }: { period: number; currency: string },
  rules: ReceiptRules,
): ReceiptDraft[] {
  const shownSum = (kind?: string): bigint =>
    -sumAmounts(rows.filter((row) => kind === undefined || kindOf(row) === kind).map(({ amountMinor }) => amountMinor));
  const has = (kind: string): boolean => rows.some((row) => kindOf(row) === kind);
  const purchases = rows.filter((row) => kindOf(row) === 'Purchase');
  const closed = book.periods.find((each) => each.period === period);
  const rate = rules.discountBasisPoints ?? 0;
  const isRate = rate > 0 && rate <= 10_000;
  const discount =
    currency === 'DKK' && isRate && !has('Discount') && shownSum('Purchase') > 0n
      ? (shownSum('Purchase') * BigInt(rate)) / 10_000n
      : 0n;
  const owed = shownSum() - discount;
  const moved = rules.bank === 'rent' && closed && currency !== '' && !has('TransferToRent') && owed > 0n ? owed : 0n;
  const at = closed === undefined ? Math.max(...purchases.map(({ recordedAt }) => recordedAt)) : closed.through - 1;
  return [
    ...adjustment({ period, currency, kind: 'Discount' }, at, -discount, rules),
    ...adjustment({ period, currency, kind: 'TransferToRent' }, at, -moved, rules),
  ];
}

function adjustment(
  place: Omit<ReceiptKey, 'locationId'>,
  at: number,
  amountMinor: bigint,
  rules: ReceiptRules,
): ReceiptDraft[] {
  if (amountMinor === 0n) return [];
  const line = {
    kid: null,
    occurredAt: formatLocalTime(rules, 0, at),
    unitKid: null,
    unitName: '',
    texts: [],
    amountMinor,
    calculated: true,
  };
  return [{ ...place, locationId: 0, date: dateOf(rules, 0, at), lines: [{ at, line }] }];
}

const kindOrder = ['TransferToRent', 'Discount', 'Payment', 'Purchase'];

function newestFirst(a: ReceiptDraft, b: ReceiptDraft): number {
  return (
    Temporal.PlainDate.compare(b.date, a.date) ||
    newest(b) - newest(a) ||
    a.locationId - b.locationId ||
    kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) ||
    b.period - a.period ||
    (a.currency < b.currency ? -1 : 1)
  );
}

const newest = ({ lines }: ReceiptDraft): number => Math.max(...lines.map(({ at }) => at));

function formatReceipt(
  book: BankModel,
  own: readonly ModelPosting[],
  draft: ReceiptDraft,
  rules: ReceiptRules,
): ExpectedReceipt {
  const { locationId, period, currency, kind } = draft;
  const totalMinor = sumAmounts(draft.lines.map(({ line }) => line.amountMinor));
  const before = own.filter((row) => row.currency === currency && row.recordedAt <= newest(draft));
  const wirePeriod = period === openPeriodNumber(book) ? 0 : period;
  return {
    date: draft.date,
    locationKid: locationId === 0 ? null : `${book.bankKid}-L${locationId}`,
    locationName: book.locations.find(({ id }) => id === locationId)?.name ?? '',
    period: wirePeriod,
    provisional: wirePeriod === 0,
    kind,
    currency: currency === '' ? null : currency,
    totalMinor,
    vatMinor: kind === 'Purchase' ? vatOf(totalMinor, rules) : null,
    balanceAfterMinor: sumAmounts(before.map(({ amountMinor }) => amountMinor)),
    lines: draft.lines.map(({ line }) => line),
  };
}

/** The nearest whole number to rate / (100 % + rate) of the total; of two as near the one further from zero. */
function vatOf(total: bigint, { bank, vatBasisPoints: rate }: ReceiptRules): bigint | null {
  if (bank !== 'cash' || rate === null || rate <= 0 || rate > 10_000) return null;
  const size = total < 0n ? -total : total;
  const [share, parts] = [size * BigInt(rate), 10_000n + BigInt(rate)];
  const rest = share % parts;
  const rounded = share / parts + (2n * rest >= parts ? 1n : 0n);
  return total < 0n ? -rounded : rounded;
}
