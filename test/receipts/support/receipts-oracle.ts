// Receipts computed another way: one function for each sentence of the specification (quoted above it), and for each
// decision where it is silent ("decided"). A resident's postings are a plain list, and every question walks all of it.

import { sumAmounts } from '../../support/exact-amounts.ts';
import { instantOf, openPeriodNumber, type BankModel, type ModelPosting } from '../../support/account-oracle.ts';

/** What the account's oracle does not keep of a bank. */
export type ReceiptRules = {
  readonly bank: 'cash' | 'rent';
  readonly vatBasisPoints: number | null;
  readonly discountBasisPoints: number | null;
  /** By location; the tenant's under 0. */
  readonly zones: Readonly<Record<number, string>>;
  /** The tenant's retention of surveillance, in days. */
  readonly surveillanceDays: number;
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
  readonly timeZone: string;
  readonly period: number;
  readonly provisional: boolean;
  readonly kind: string;
  readonly currency: string | null;
  readonly totalMinor: bigint;
  readonly vatMinor: bigint | null;
  readonly balanceAfterMinor: bigint;
  readonly lines: readonly ExpectedLine[];
};

type ReceiptKind = 'Purchase' | 'Payment' | 'Discount' | 'TransferToRent';

/** A line of a receipt: stored as a posting, or calculated by a settlement. */
type Line = {
  readonly at: number;
  readonly kind: ReceiptKind;
  readonly locationId: number;
  readonly period: number;
  readonly currency: string;
  /** As a receipt shows it. */
  readonly amount: bigint;
  readonly posting: ModelPosting | undefined;
};

/** A resident of a bank, as one manager asks for the receipts at one time. */
class Statement {
  readonly #book: BankModel;
  readonly #rules: ReceiptRules;
  readonly #now: number;
  /** All postings of the resident, newest first as the account has them. */
  readonly #postings: readonly ModelPosting[];
  readonly #settlementLines: readonly Line[];

  constructor(book: BankModel, residentId: number, rules: ReceiptRules, now: number) {
    this.#book = book;
    this.#rules = rules;
    this.#now = now;
    this.#postings = book.rows
      .filter((row) => row.residentId === residentId)
      .toSorted(
        (a, b) => b.recordedAt - a.recordedAt || a.locationId - b.locationId || a.unitId - b.unitId || b.id - a.id,
      );
    this.#settlementLines = this.#listSettlementLines();
  }

  listReceipts(): ExpectedReceipt[] {
    const stored = this.#splitIntoReceipts(this.#listStoredLines()).map(omitZeroDocuments);
    const settlements = this.#settlementLines.filter((line) => this.#isSettlementLineShown(line));
    return [...stored, ...settlements.map((line) => [line])]
      .filter((lines) => lines.length > 0)
      .toSorted((a, b) => this.#compareReceipts(a, b))
      .map((lines) => this.#formatReceipt(lines));
  }

  /** "History covers period 0 and the latest 24 stored periods". */
  #isPeriodCovered(period: number): boolean {
    const stored = this.#book.periods.map((each) => each.period).toSorted((a, b) => b - a);
    return period === openPeriodNumber(this.#book) || stored.slice(0, 24).includes(period);
  }

  /**
   * "further limited by accounting/surveillance retention": "retention values come from tenant settings with positive
   * manager overrides", "zero or missing retention means no identity retention". Decided: days are those of UTC.
   */
  #isRetained(instant: number): boolean {
    const { managerDays, surveillanceDays } = this.#rules;
    const utcDay = (at: number): Temporal.PlainDate => instantOf(at).toZonedDateTimeISO('UTC').toPlainDate();
    const age = utcDay(instant).until(utcDay(this.#now)).days;
    return [this.#book.retentionDays, surveillanceDays].every((tenantDays) => {
      const days = (managerDays ?? 0) > 0 ? (managerDays ?? 0) : tenantDays;
      return days > 0 && age <= days;
    });
  }

  /** "Month lines are omitted"; "a negative stored posting shows as a positive receipt amount, refunds keep the opposite sign". */
  #listStoredLines(): Line[] {
    return this.#postings
      .filter(({ period, recordedAt }) => this.#isPeriodCovered(period) && this.#isRetained(recordedAt))
      .flatMap((posting) => {
        const { recordedAt: at, locationId, period, currency } = posting;
        const kind = receiptKindOf(posting);
        if (kind === undefined) return [];
        return [{ at, kind, locationId, period, currency, amount: 0n - posting.amountMinor, posting }];
      });
  }

  /** "groups are split by local day, location, kind, period and currency". */
  #splitIntoReceipts(lines: readonly Line[]): Line[][] {
    const receipts: Line[][] = [];
    for (const line of lines) {
      const receipt = receipts.find(
        ([first]) =>
          first !== undefined &&
          this.#localDay(first) === this.#localDay(line) &&
          first.locationId === line.locationId &&
          first.kind === line.kind &&
          first.period === line.period &&
          first.currency === line.currency,
      );
      if (receipt === undefined) receipts.push([line]);
      else receipt.push(line);
    }
    return receipts;
  }

  /** Decided: each period is settled in each currency by itself, from all of its postings, shown or not. */
  #listSettlementLines(): Line[] {
    const periods = [...this.#book.periods.map(({ period }) => period), openPeriodNumber(this.#book)];
    const currencies = [...new Set(this.#postings.map(({ currency }) => currency))];
    return periods.flatMap((period) => currencies.flatMap((currency) => this.#settle(period, currency)));
  }

  #settle(period: number, currency: string): Line[] {
    const settled = this.#postingsSettledIn(period, currency);
    const closed = this.#book.periods.find((each) => each.period === period);
    const purchases = settled.filter((posting) => receiptKindOf(posting) === 'Purchase');
    const at = closed === undefined ? Math.max(...purchases.map(({ recordedAt }) => recordedAt)) : closed.through - 1;
    const make = (kind: ReceiptKind, amount: bigint): Line[] =>
      amount === 0n ? [] : [{ at, kind, locationId: 0, period, currency, amount, posting: undefined }];
    const stored = (kind: ReceiptKind): boolean => settled.some((posting) => receiptKindOf(posting) === kind);
    const discount = stored('Discount') ? 0n : this.#discountOn(purchases, currency);
    const owed = -sumAmounts(settled.map(({ amountMinor }) => amountMinor)) - discount;
    // Decided: a rent bank collects with the rent what a closed period leaves owed in a known currency.
    const isTransferred = this.#rules.bank === 'rent' && closed !== undefined && currency !== '' && owed > 0n;
    return [
      ...make('Discount', -discount),
      ...make('TransferToRent', isTransferred && !stored('TransferToRent') ? -owed : 0n),
    ];
  }

  #postingsSettledIn(period: number, currency: string): ModelPosting[] {
    return this.#postings.filter(
      (posting) => posting.period === period && posting.currency === currency && receiptKindOf(posting) !== undefined,
    );
  }

  /** "discount applies to DKK only". Decided: by the bank's rate of what was bought, rounded down. */
  #discountOn(purchases: readonly ModelPosting[], currency: string): bigint {
    const rate = validRate(this.#rules.discountBasisPoints);
    const bought = -sumAmounts(purchases.map(({ amountMinor }) => amountMinor));
    return currency !== 'DKK' || rate === undefined || bought < 0n ? 0n : (bought * rate) / 10_000n;
  }

  /** Decided: a calculated line is shown with all that it was calculated from, and not without. */
  #isSettlementLineShown({ period, currency, at }: Line): boolean {
    return (
      this.#isPeriodCovered(period) &&
      this.#isRetained(at) &&
      this.#postingsSettledIn(period, currency).every(({ recordedAt }) => this.#isRetained(recordedAt))
    );
  }

  /**
   * "currencies are never converted or summed together"; "balances exclude unused current-period discount": all else, stored
   * or calculated, shown or not, changes the balance when it happens. What is charged lowers it.
   */
  #balanceAfter({ at, currency }: Line): bigint {
    const stored = this.#postings.map((each) => ({ ...each, at: each.recordedAt, change: each.amountMinor }));
    const calculated = this.#settlementLines
      .filter(({ kind, period }) => !(kind === 'Discount' && period === openPeriodNumber(this.#book)))
      .map((line) => ({ ...line, change: -line.amount }));
    let balance = 0n;
    for (const each of [...stored, ...calculated])
      if (each.currency === currency && each.at <= at) balance += each.change;
    return balance;
  }

  /**
   * "VAT is included in the total and only returned for cash-bank purchases with a valid configured rate". Decided: to the
   * nearest minor unit, the further from zero of two that are as near.
   */
  #vatIn(kind: string, total: bigint): bigint | null {
    const rate = validRate(this.#rules.vatBasisPoints);
    if (this.#rules.bank !== 'cash' || kind !== 'Purchase' || rate === undefined) return null;
    const size = total < 0n ? -total : total;
    const whole = 10_000n + rate;
    const least = (size * rate) / whole;
    const isNearerToNext = size * rate - least * whole >= (least + 1n) * whole - size * rate;
    const vat = isNearerToNext ? least + 1n : least;
    return total < 0n ? -vat : vat;
  }

  #zoneOf({ locationId }: Line): string {
    const { zones } = this.#rules;
    return zones[locationId] ?? zones[0] ?? 'UTC';
  }

  #localDay(line: Line): string {
    return instantOf(line.at).toZonedDateTimeISO(this.#zoneOf(line)).toPlainDate().toString();
  }

  /** "occurredAt (with UTC offset)": the offset to the minute, the instant exact. */
  #formatTime(line: Line): string {
    const { offsetNanoseconds } = instantOf(line.at).toZonedDateTimeISO(this.#zoneOf(line));
    const minutes = Math.round(offsetNanoseconds / 60e9);
    const face = instantOf(line.at + minutes * 60_000)
      .toZonedDateTimeISO('UTC')
      .toPlainDateTime()
      .toString({ fractionalSecondDigits: 3 });
    const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `${face}${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
  }

  /** Decided: newest first. What a settlement adds is newer than what it settles. */
  #compareReceipts([a]: readonly Line[], [b]: readonly Line[]): number {
    if (a === undefined || b === undefined) throw new Error('a receipt has a line');
    const order = ['TransferToRent', 'Discount', 'Payment', 'Purchase'];
    return (
      Temporal.PlainDate.compare(this.#localDay(b), this.#localDay(a)) ||
      b.at - a.at ||
      a.locationId - b.locationId ||
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      b.period - a.period ||
      (a.currency < b.currency ? -1 : 1)
    );
  }

  /** `lines` are newest first. */
  #formatReceipt(lines: readonly Line[]): ExpectedReceipt {
    const [newest] = lines;
    if (newest === undefined) throw new Error('a receipt has a line');
    const { locationId, period, currency, kind } = newest;
    const isCurrent = period === openPeriodNumber(this.#book);
    const totalMinor = sumAmounts(lines.map(({ amount }) => amount));
    return {
      date: this.#localDay(newest),
      locationKid: locationId === 0 ? null : `${this.#book.bankKid}-L${locationId}`,
      locationName: this.#book.locations.find(({ id }) => id === locationId)?.name ?? '',
      timeZone: this.#zoneOf(newest),
      period: isCurrent ? 0 : period,
      provisional: isCurrent,
      kind,
      // "unknown currency is null".
      currency: currency === '' ? null : currency,
      totalMinor,
      vatMinor: this.#vatIn(kind, totalMinor),
      balanceAfterMinor: this.#balanceAfter(newest),
      lines: lines.map((line) => this.#formatLine(line)),
    };
  }

  /** "transaction kid (nullable; calculated settlement adjustments have none)", "texts[] (all description texts)". */
  #formatLine(line: Line): ExpectedLine {
    const { posting, locationId, amount } = line;
    const unitId = locationId === 0 ? 0 : (posting?.unitId ?? 0);
    const place = this.#book.locations.find(({ id }) => id === locationId);
    return {
      kid: posting === undefined ? null : `${this.#book.bankKid}-X${posting.id}`,
      occurredAt: this.#formatTime(line),
      unitKid: unitId === 0 ? null : `${this.#book.bankKid}-L${locationId}-U${unitId}`,
      unitName: place?.units.find(({ id }) => id === posting?.unitId)?.name ?? '',
      texts: [posting?.text ?? ''].filter((text) => text !== ''),
      amountMinor: amount,
      calculated: posting === undefined,
    };
  }
}

/** All receipts of a resident, newest first. */
export const expectedReceipts = (
  book: BankModel,
  residentId: number,
  rules: ReceiptRules,
  now: number,
): ExpectedReceipt[] => new Statement(book, residentId, rules, now).listReceipts();

/** "kind (Purchase, Payment, Discount, TransferToRent)", and none for Month lines. Decided: an unknown kind goes by its sign. */
function receiptKindOf({ kind, amountMinor }: ModelPosting): ReceiptKind | undefined {
  switch (kind) {
    case 'Month':
      return undefined;
    case 'Discount':
    case 'TransferToRent':
      return kind;
    case 'Payment':
    case 'Credit':
      return 'Payment';
    case 'Unknown':
      return amountMinor > 0n ? 'Payment' : 'Purchase';
    case 'Booking':
    case 'Consumption':
      return 'Purchase';
  }
}

/**
 * "zero-total documents ... are omitted". As the account has documents: "positive document-ID groups", "missing/invalid IDs
 * and payment-managed lines remain standalone".
 */
function omitZeroDocuments(lines: readonly Line[]): Line[] {
  const documents: Line[][] = [];
  for (const line of lines) {
    const document = documents.find(([first]) => first !== undefined && isSameDocument(first, line));
    if (document === undefined) documents.push([line]);
    else document.push(line);
  }
  const omitted = documents.filter((document) => sumAmounts(document.map(({ amount }) => amount)) === 0n).flat();
  return lines.filter((line) => !omitted.includes(line));
}

function isSameDocument({ posting: a }: Line, { posting: b }: Line): boolean {
  const isManaged = a?.paymentKind === 'Managed' || b?.paymentKind === 'Managed';
  return !isManaged && (a?.documentId ?? 0) > 0 && a?.documentId === b?.documentId;
}

/** "a valid configured rate". Decided: more than nothing, and at most the whole. */
const validRate = (basisPoints: number | null): bigint | undefined =>
  basisPoints !== null && basisPoints > 0 && basisPoints <= 10_000 ? BigInt(basisPoints) : undefined;
