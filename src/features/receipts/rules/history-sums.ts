// Computes limits, balances and movements of a resident's history from its sums, so that no posting is read for them.

import { Problem } from '../../../lib/problem.ts';
import { joinInt64, type Int64 } from '../../../lib/values/int64.ts';
import { kindFromCode } from '../../account/rules/posting-kinds.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';
import { findReceiptKind, type ReceiptKind } from './receipt-kinds.ts';
import type { ResidentMovements } from './calculated-receipts.ts';
import type { ResidentHistory } from './resident-history.ts';

/** The sum of a resident's postings of one period, currency, kind and sign, visible or not. */
export type HistorySum = PartialSum & {
  /** The stored number of the period. */
  readonly of_period: number;
  readonly kind: number;
  readonly is_credit: number;
  /** Whether receipts show the postings: of a shown period, and recorded since the cutoff. */
  readonly is_visible: boolean;
  readonly text_bytes: number;
  /** The latest instant, MS2000. */
  readonly latest: number;
};

/** The members from which movements and balances are computed. */
export type MovementSum = Pick<
  HistorySum,
  'of_period' | 'currency' | 'kind' | 'is_credit' | 'amount_high' | 'amount_low' | 'is_visible' | 'latest'
>;

/** A stored sum: of visible and other postings together, or the part of such a sum that is not visible. */
export type StoredHistorySum = Omit<HistorySum, 'is_visible'> & {
  readonly earliest: number;
  readonly is_not_visible_part: number;
};

/** The largest number of postings of a listing. */
export const maxPostings = 50_000;
const maxTextBytes = 8 * 1024 * 1024;

/** Splits each sum that has postings on both sides of the cutoff. */
export function splitByVisibility(
  stored: readonly StoredHistorySum[],
  { firstPeriod, cutoff }: Pick<ResidentHistory, 'firstPeriod' | 'cutoff'>,
): HistorySum[] {
  const notVisibleParts = new Map(stored.filter(isNotVisiblePart).map((part) => [formatSumKey(part), part]));
  return stored.flatMap((sum) => {
    if (isNotVisiblePart(sum)) return [];
    const part = notVisibleParts.get(formatSumKey(sum));
    if (part === undefined) return [{ ...sum, is_visible: sum.of_period >= firstPeriod && sum.earliest >= cutoff }];
    return [
      { ...subtractPart(sum, part), is_visible: true },
      { ...part, is_visible: false },
    ];
  });
}

const isNotVisiblePart = ({ is_not_visible_part }: StoredHistorySum): boolean => is_not_visible_part === 1;

const formatSumKey = ({ of_period, currency, kind, is_credit }: StoredHistorySum): string =>
  [of_period, currency, kind, is_credit].join('/');

/** The part holds the earlier postings, so the latest instant stays the same. */
const subtractPart = (whole: StoredHistorySum, part: StoredHistorySum): StoredHistorySum => ({
  ...whole,
  count: whole.count - part.count,
  amount_high: subtractInt64(whole.amount_high, part.amount_high),
  amount_low: subtractInt64(whole.amount_low, part.amount_low),
  fingerprint_high: subtractInt64(whole.fingerprint_high, part.fingerprint_high),
  fingerprint_low: subtractInt64(whole.fingerprint_low, part.fingerprint_low),
  text_bytes: whole.text_bytes - part.text_bytes,
});

const subtractInt64 = (one: Int64, other: Int64): Int64 => BigInt(one) - BigInt(other);

/** A text that changes with every posting of the resident. */
export function formatPostingsVersion(sums: readonly HistorySum[]): string {
  const total = (valueOf: (sum: HistorySum) => Int64): bigint =>
    sums.reduce((subtotal, sum) => subtotal + BigInt(valueOf(sum)), 0n);
  return [
    total(({ count }) => count),
    total(({ fingerprint_high }) => fingerprint_high),
    total(({ fingerprint_low }) => fingerprint_low),
  ].join('/');
}

/** The sums of the postings that receipts show. */
export const filterVisible = (sums: readonly HistorySum[]): HistorySum[] => sums.filter(({ is_visible }) => is_visible);

/** Throws 503 `receipts-too-large` if there is more than can be assembled at once. */
export function requireHistoryLimits(visibleSums: readonly HistorySum[]): void {
  const total = (valueOf: (sum: HistorySum) => number): number =>
    visibleSums.reduce((subtotal, sum) => subtotal + valueOf(sum), 0);
  const tooLarge = (detail: string): Problem => new Problem('receipts-too-large', { detail });
  if (total(({ count }) => count) > maxPostings)
    throw tooLarge(`The shown periods contain more than ${maxPostings} postings.`);
  if (total(({ text_bytes }) => text_bytes) > maxTextBytes)
    throw tooLarge(`The shown periods contain more than ${maxTextBytes} bytes of text.`);
}

const joinAmount = ({ amount_high, amount_low }: Pick<HistorySum, 'amount_high' | 'amount_low'>): bigint =>
  joinInt64(amount_high, amount_low);

/** The balance of all stored postings in each currency, shown or not. */
export function sumBalances(sums: readonly MovementSum[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const sum of sums) balances.set(sum.currency, (balances.get(sum.currency) ?? 0n) + joinAmount(sum));
  return balances;
}

/** The movements of every period, shown or not, by period and currency. */
export function groupMovements(sums: readonly MovementSum[]): ResidentMovements[] {
  const groups = Map.groupBy(sums, ({ of_period, currency }) => `${of_period}/${currency}`);
  return [...groups.values()].map(sumMovements);
}

function sumMovements(group: readonly MovementSum[]): ResidentMovements {
  const totals: Record<ReceiptKind, bigint> = { Purchase: 0n, Payment: 0n, Discount: 0n, TransferToRent: 0n };
  const kindsWithPostings = new Set<ReceiptKind>();
  let lastPurchaseAt: number | null = null;
  let hasHiddenPostings = false;
  for (const sum of group) {
    const kind = findReceiptKind(kindFromCode(sum.kind), sum.is_credit === 1);
    if (kind === undefined) continue;
    kindsWithPostings.add(kind);
    totals[kind] -= joinAmount(sum);
    if (kind === 'Purchase') lastPurchaseAt = Math.max(lastPurchaseAt ?? sum.latest, sum.latest);
    if (!sum.is_visible) hasHiddenPostings = true;
  }
  const { of_period: period = 0, currency = '' } = group[0] ?? {};
  return { period, currency, totals, kindsWithPostings, lastPurchaseAt, hasHiddenPostings };
}
