// A resident's whole history as a few sums: what bounds, balances, calculated receipts and the revision are made of, so
// that none of them reads the postings themselves.

import { Problem } from '../../../lib/problem.ts';
import { joinInt64, type Int64 } from '../../../lib/int64.ts';
import { kindFromCode } from '../../account/rules/kinds.ts';
import type { PartialSum } from '../../account/rules/rollups.ts';
import { findReceiptKind, type ReceiptKind } from './receipt-kinds.ts';
import type { ResidentMovements } from './calculated-receipts.ts';

/** A share of all postings stored of a resident: of one period, currency, kind and sign. */
export type HistorySum = PartialSum & {
  /** As stored; 0 for all that lie before the oldest one shown. */
  readonly of_period: number;
  readonly kind: number;
  readonly is_credit: number;
  /** Whether they were recorded since the cutoff. */
  readonly is_visible: boolean;
  readonly text_bytes: number;
  /** The latest instant, MS2000. */
  readonly latest: number;
};

/** As it is read: the seen and the unseen together, or the unseen part of one that holds both. */
export type StoredHistorySum = Omit<HistorySum, 'is_visible'> & {
  readonly earliest: number;
  readonly is_unseen_part: number;
};

/** More postings than this are not put together. */
export const maxPostings = 50_000;
const maxTextBytes = 8 * 1024 * 1024;

/** Tells the seen from the unseen. */
export function splitByVisibility(stored: readonly StoredHistorySum[], cutoff: number): HistorySum[] {
  const notVisibleParts = new Map(stored.filter(isNotVisiblePart).map((part) => [formatSumKey(part), part]));
  return stored.flatMap((share) => {
    if (isNotVisiblePart(share)) return [];
    const part = notVisibleParts.get(formatSumKey(share));
    if (part === undefined) return [{ ...share, is_visible: share.earliest >= cutoff }];
    return [
      { ...subtractSum(share, part), is_visible: true },
      { ...part, is_visible: false },
    ];
  });
}

const isNotVisiblePart = ({ is_unseen_part }: StoredHistorySum): boolean => is_unseen_part === 1;

const formatSumKey = ({ of_period, currency, kind, is_credit }: StoredHistorySum): string =>
  [of_period, currency, kind, is_credit].join('/');

/** What is left: the part is what came first, so that the latest instant is the whole's. */
const subtractSum = (whole: StoredHistorySum, part: StoredHistorySum): StoredHistorySum => ({
  ...whole,
  count: whole.count - part.count,
  amount_high: subtractInt64(whole.amount_high, part.amount_high),
  amount_low: subtractInt64(whole.amount_low, part.amount_low),
  fingerprint_high: subtractInt64(whole.fingerprint_high, part.fingerprint_high),
  fingerprint_low: subtractInt64(whole.fingerprint_low, part.fingerprint_low),
  text_bytes: whole.text_bytes - part.text_bytes,
});

const subtractInt64 = (one: Int64, other: Int64): Int64 => BigInt(one) - BigInt(other);

/** The same for all histories of the very same postings. */
export function formatPostingsVersion(shares: readonly HistorySum[]): string {
  const sum = (of: (share: HistorySum) => Int64): bigint =>
    shares.reduce((total, share) => total + BigInt(of(share)), 0n);
  return [
    sum(({ count }) => count),
    sum(({ fingerprint_high }) => fingerprint_high),
    sum(({ fingerprint_low }) => fingerprint_low),
  ].join('/');
}

/** The shares of what is shown. */
export const filterVisible = (shares: readonly HistorySum[]): HistorySum[] =>
  shares.filter(({ of_period, is_visible }) => of_period > 0 && is_visible);

/** Refuses a history that is more than can be put together at once. */
export function requireHistoryLimits(shown: readonly HistorySum[]): void {
  const sum = (of: (share: HistorySum) => number): number => shown.reduce((total, share) => total + of(share), 0);
  const tooLarge = (detail: string): Problem => new Problem('receipts-too-large', { detail });
  if (sum(({ count }) => count) > maxPostings)
    throw tooLarge(`There are more than ${maxPostings} postings in the periods shown.`);
  if (sum(({ text_bytes }) => text_bytes) > maxTextBytes)
    throw tooLarge(`There are more than ${maxTextBytes} bytes of text in the periods shown.`);
}

const joinAmount = ({ amount_high, amount_low }: HistorySum): bigint => joinInt64(amount_high, amount_low);

/** What all stored postings come to in each currency, shown or not. */
export function sumBalances(shares: readonly HistorySum[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const share of shares) balances.set(share.currency, (balances.get(share.currency) ?? 0n) + joinAmount(share));
  return balances;
}

/** What the periods shown come to, by period and currency. */
export function groupMovements(shares: readonly HistorySum[]): ResidentMovements[] {
  const groups = Map.groupBy(
    shares.filter(({ of_period }) => of_period > 0),
    ({ of_period, currency }) => `${of_period}/${currency}`,
  );
  return [...groups.values()].map(sumMovements);
}

function sumMovements(group: readonly HistorySum[]): ResidentMovements {
  const totals: Record<ReceiptKind, bigint> = { Purchase: 0n, Payment: 0n, Discount: 0n, TransferToRent: 0n };
  const kindsWithPostings = new Set<ReceiptKind>();
  let lastPurchaseAt: number | null = null;
  let hasHiddenPostings = false;
  for (const share of group) {
    const kind = findReceiptKind(kindFromCode(share.kind), share.is_credit === 1);
    if (kind === undefined) continue;
    kindsWithPostings.add(kind);
    totals[kind] -= joinAmount(share);
    if (kind === 'Purchase') lastPurchaseAt = Math.max(lastPurchaseAt ?? share.latest, share.latest);
    if (!share.is_visible) hasHiddenPostings = true;
  }
  const { of_period: period = 0, currency = '' } = group[0] ?? {};
  return { period, currency, totals, kindsWithPostings, lastPurchaseAt, hasHiddenPostings };
}
