// A resident's whole history as a few sums: what bounds, balances, calculated receipts and the revision are made of, so
// that none of them reads the postings themselves.

import { Problem } from '../../../lib/problem.ts';
import { joinInt64, type Int64 } from '../../../lib/int64.ts';
import { kindOf } from '../../account/rules/kinds.ts';
import type { Share } from '../../account/rules/rollups.ts';
import { receiptKindOf, type ReceiptKind } from './kinds.ts';
import type { Movements } from './settlement.ts';

/** A share of all postings stored of a resident: of one period, currency, kind and sign. */
export type HistoryShare = Share & {
  /** As stored; 0 for all that lie before the oldest one shown. */
  readonly of_period: number;
  readonly kind: number;
  readonly is_credit: number;
  /** Whether they were recorded since the cutoff. */
  readonly is_seen: boolean;
  readonly text_bytes: number;
  /** The latest instant, MS2000. */
  readonly latest: number;
};

/** As it is read: the seen and the unseen together, or the unseen part of one that holds both. */
export type StoredShare = Omit<HistoryShare, 'is_seen'> & {
  readonly earliest: number;
  readonly is_unseen_part: number;
};

/** More postings than this are not put together. */
export const maxPostings = 50_000;
const maxTextBytes = 8 * 1024 * 1024;

/** Tells the seen from the unseen. */
export function sharesOf(stored: readonly StoredShare[], cutoff: number): HistoryShare[] {
  const parts = new Map(stored.filter(isPart).map((part) => [keyOf(part), part]));
  return stored.flatMap((share) => {
    if (isPart(share)) return [];
    const part = parts.get(keyOf(share));
    if (part === undefined) return [{ ...share, is_seen: share.earliest >= cutoff }];
    return [
      { ...less(share, part), is_seen: true },
      { ...part, is_seen: false },
    ];
  });
}

const isPart = ({ is_unseen_part }: StoredShare): boolean => is_unseen_part === 1;

const keyOf = ({ of_period, currency, kind, is_credit }: StoredShare): string =>
  [of_period, currency, kind, is_credit].join('/');

/** What is left: the part is what came first, so that the latest instant is the whole's. */
const less = (share: StoredShare, part: StoredShare): StoredShare => ({
  ...share,
  count: share.count - part.count,
  amount_high: differenceOf(share.amount_high, part.amount_high),
  amount_low: differenceOf(share.amount_low, part.amount_low),
  fingerprint_high: differenceOf(share.fingerprint_high, part.fingerprint_high),
  fingerprint_low: differenceOf(share.fingerprint_low, part.fingerprint_low),
  text_bytes: share.text_bytes - part.text_bytes,
});

const differenceOf = (one: Int64, other: Int64): Int64 => BigInt(one) - BigInt(other);

/** The same for all histories of the very same postings. */
export function stampOf(shares: readonly HistoryShare[]): string {
  const sum = (of: (share: HistoryShare) => Int64): bigint =>
    shares.reduce((total, share) => total + BigInt(of(share)), 0n);
  return [
    sum(({ count }) => count),
    sum(({ fingerprint_high }) => fingerprint_high),
    sum(({ fingerprint_low }) => fingerprint_low),
  ].join('/');
}

/** The shares of what is shown. */
export const shownOf = (shares: readonly HistoryShare[]): HistoryShare[] =>
  shares.filter(({ of_period, is_seen }) => of_period > 0 && is_seen);

/** Refuses a history that is more than can be put together at once. */
export function checkBounds(shown: readonly HistoryShare[]): void {
  const sum = (of: (share: HistoryShare) => number): number => shown.reduce((total, share) => total + of(share), 0);
  const tooLarge = (detail: string): Problem => new Problem('receipts-too-large', { detail });
  if (sum(({ count }) => count) > maxPostings)
    throw tooLarge(`There are more than ${maxPostings} postings in the periods shown.`);
  if (sum(({ text_bytes }) => text_bytes) > maxTextBytes)
    throw tooLarge(`There are more than ${maxTextBytes} bytes of text in the periods shown.`);
}

const amountOf = ({ amount_high, amount_low }: HistoryShare): bigint => joinInt64(amount_high, amount_low);

/** What all stored postings come to in each currency, shown or not. */
export function balancesOf(shares: readonly HistoryShare[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const share of shares) balances.set(share.currency, (balances.get(share.currency) ?? 0n) + amountOf(share));
  return balances;
}

/** What the periods shown come to, by period and currency. */
export function movementsOf(shares: readonly HistoryShare[]): Movements[] {
  const groups = Map.groupBy(
    shares.filter(({ of_period }) => of_period > 0),
    ({ of_period, currency }) => `${of_period}/${currency}`,
  );
  return [...groups.values()].map(movementsOfGroup);
}

function movementsOfGroup(group: readonly HistoryShare[]): Movements {
  const totals: Record<ReceiptKind, bigint> = { Purchase: 0n, Payment: 0n, Discount: 0n, TransferToRent: 0n };
  const held = new Set<ReceiptKind>();
  let lastPurchaseAt: number | null = null;
  let hidden = false;
  for (const share of group) {
    const kind = receiptKindOf(kindOf(share.kind), share.is_credit === 1);
    if (kind === undefined) continue;
    held.add(kind);
    totals[kind] -= amountOf(share);
    if (kind === 'Purchase') lastPurchaseAt = Math.max(lastPurchaseAt ?? share.latest, share.latest);
    if (!share.is_seen) hidden = true;
  }
  const { of_period: period = 0, currency = '' } = group[0] ?? {};
  return { period, currency, totals, held, lastPurchaseAt, hidden };
}
