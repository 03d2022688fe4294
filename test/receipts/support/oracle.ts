// Receipts computed another way, from the words of the specification: every posting of a resident in a plain array, every
// question answered by walking all of them. Days are civil dates of single instants (Temporal), sums are BigInt.

import { instantOf, openPeriod, type Book, type Row } from '../../support/oracle.ts';

/** What the account's oracle does not keep of a bank. */
export type Rules = {
  readonly bank: 'cash' | 'rent';
  readonly vatBasisPoints: number | null;
  readonly discountBasisPoints: number | null;
  /** By location; the tenant's under 0. */
  readonly zones: Readonly<Record<number, string>>;
  /** The manager's RetentionDays. */
  readonly managerDays: number | null;
};

export type Line = {
  readonly kid: string | null;
  readonly occurredAt: string;
  readonly unitKid: string | null;
  readonly unitName: string;
  readonly texts: readonly string[];
  readonly amountMinor: bigint;
  readonly calculated: boolean;
};

export type Receipt = {
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
  readonly lines: readonly Line[];
};

type Place = { readonly locationId: number; readonly period: number; readonly currency: string; readonly kind: string };
/** A receipt before it is written down: its lines with the instants they were at. */
type Draft = Place & { readonly date: string; readonly lines: { readonly at: number; readonly line: Line }[] };

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n);
const dayMs = 86_400_000;

/** All receipts of a resident, newest first. */
export function receiptsOf(book: Book, userId: number, rules: Rules, now: number): Receipt[] {
  const own = book.rows.filter((row) => row.userId === userId);
  const seen = own.filter((row) => isSeen(book, row, rules, now));
  const drafts = [...stored(book, seen, rules), ...calculated(book, own, rules, now)];
  return drafts.toSorted(newestFirst).map((draft) => written(book, own, draft, rules));
}

const isShownPeriod = (book: Book, period: number): boolean => period >= openPeriod(book) - 24;

/** From this instant on identities are kept; whole UTC days. */
function keptFrom(book: Book, { managerDays }: Rules, now: number): number {
  const days = managerDays !== null && managerDays > 0 ? managerDays : book.retentionDays;
  return days <= 0 ? Number.POSITIVE_INFINITY : now - (((now % dayMs) + dayMs) % dayMs) - days * dayMs;
}

const isSeen = (book: Book, { period, recordedAt }: Row, rules: Rules, now: number): boolean =>
  isShownPeriod(book, period) && recordedAt >= keptFrom(book, rules, now);

function kindOf({ kind, amountMinor }: Row): string | undefined {
  if (kind === 'Month') return undefined;
  if (kind === 'Discount' || kind === 'TransferToRent') return kind;
  if (kind === 'Payment' || kind === 'Credit') return 'Payment';
  return kind === 'Unknown' && amountMinor > 0n ? 'Payment' : 'Purchase';
}

const zoneAt = ({ zones }: Rules, locationId: number): string => zones[locationId] ?? zones[0] ?? 'UTC';

function dateOf(rules: Rules, locationId: number, at: number): string {
  return instantOf(at).toZonedDateTimeISO(zoneAt(rules, locationId)).toPlainDate().toString();
}

/** The clock's face and its offset to the minute, the instant exact. */
function clockText(rules: Rules, locationId: number, at: number): string {
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
function stored(book: Book, seen: readonly Row[], rules: Rules): Draft[] {
  const groups = Map.groupBy(
    seen.filter((row) => kindOf(row) !== undefined),
    (row) =>
      [dateOf(rules, row.locationId, row.recordedAt), row.locationId, kindOf(row), row.period, row.currency].join(),
  );
  return [...groups.values()].flatMap((rows) => {
    const together = (row: Row): Row[] => rows.filter((other) => other === row || sharesDocument(row, other));
    const kept = rows
      .filter((row) => sum(together(row).map(({ amountMinor }) => amountMinor)) !== 0n)
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

function sharesDocument(a: Row, b: Row): boolean {
  const managed = a.paymentKind === 'Managed' || b.paymentKind === 'Managed';
  return !managed && a.documentId === b.documentId && (a.documentId ?? 0) > 0;
}

function lineOf(book: Book, row: Row, rules: Rules): Line {
  const { locationId, unitId, recordedAt, text } = row;
  const unit = book.locations.find(({ id }) => id === locationId)?.units.find(({ id }) => id === unitId);
  return {
    kid: `${book.bankKid}-X${row.id}`,
    occurredAt: clockText(rules, locationId, recordedAt),
    unitKid: locationId === 0 || unitId === 0 ? null : `${book.bankKid}-L${locationId}-U${unitId}`,
    unitName: unit?.name ?? '',
    texts: text === '' ? [] : [text],
    amountMinor: -row.amountMinor,
    calculated: false,
  };
}

/** What settlements imply: a discount off each period's purchases in kroner, and what a rent bank moves to the rent. */
function calculated(book: Book, own: readonly Row[], rules: Rules, now: number): Draft[] {
  const periods = [...new Set(own.map(({ period }) => period))].filter((period) => isShownPeriod(book, period));
  const currencies = [...new Set(own.map(({ currency }) => currency))];
  return periods.flatMap((period) =>
    currencies.flatMap((currency) => {
      const rows = own.filter((row) => row.period === period && row.currency === currency && kindOf(row) !== undefined);
      if (rows.some((row) => !isSeen(book, row, rules, now))) return [];
      return adjustments(book, rows, { period, currency }, rules).filter(
        ({ lines }) => (lines[0]?.at ?? 0) >= keptFrom(book, rules, now),
      );
    }),
  );
}

function adjustments(
  book: Book,
  rows: readonly Row[],
  { period, currency }: { period: number; currency: string },
  rules: Rules,
): Draft[] {
  const shownSum = (kind?: string): bigint =>
    -sum(rows.filter((row) => kind === undefined || kindOf(row) === kind).map(({ amountMinor }) => amountMinor));
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

function adjustment(place: Omit<Place, 'locationId'>, at: number, amountMinor: bigint, rules: Rules): Draft[] {
  if (amountMinor === 0n) return [];
  const line = {
    kid: null,
    occurredAt: clockText(rules, 0, at),
    unitKid: null,
    unitName: '',
    texts: [],
    amountMinor,
    calculated: true,
  };
  return [{ ...place, locationId: 0, date: dateOf(rules, 0, at), lines: [{ at, line }] }];
}

const stages = ['TransferToRent', 'Discount', 'Payment', 'Purchase'];

function newestFirst(a: Draft, b: Draft): number {
  return (
    Temporal.PlainDate.compare(b.date, a.date) ||
    newest(b) - newest(a) ||
    a.locationId - b.locationId ||
    stages.indexOf(a.kind) - stages.indexOf(b.kind) ||
    b.period - a.period ||
    (a.currency < b.currency ? -1 : 1)
  );
}

const newest = ({ lines }: Draft): number => Math.max(...lines.map(({ at }) => at));

function written(book: Book, own: readonly Row[], draft: Draft, rules: Rules): Receipt {
  const { locationId, period, currency, kind } = draft;
  const totalMinor = sum(draft.lines.map(({ line }) => line.amountMinor));
  const before = own.filter((row) => row.currency === currency && row.recordedAt <= newest(draft));
  const wirePeriod = period === openPeriod(book) ? 0 : period;
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
    balanceAfterMinor: sum(before.map(({ amountMinor }) => amountMinor)),
    lines: draft.lines.map(({ line }) => line),
  };
}

/** The nearest whole number to rate / (100 % + rate) of the total; of two as near the one further from zero. */
function vatOf(total: bigint, { bank, vatBasisPoints: rate }: Rules): bigint | null {
  if (bank !== 'cash' || rate === null || rate <= 0 || rate > 10_000) return null;
  const size = total < 0n ? -total : total;
  const [share, parts] = [size * BigInt(rate), 10_000n + BigInt(rate)];
  const rest = share % parts;
  const rounded = share / parts + (2n * rest >= parts ? 1n : 0n);
  return total < 0n ? -rounded : rounded;
}
