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
  readonly is_seen: number;
  readonly text_bytes: number;
  /** The latest instant, MS2000. */
  readonly latest: number;
};

/** More postings than this are not put together. */
export const maxPostings = 50_000;
const maxTextBytes = 8 * 1024 * 1024;

/** The shares of two sets of postings, none of which is in both. */
export function mergeShares(some: readonly HistoryShare[], others: readonly HistoryShare[]): HistoryShare[] {
  const merged = new Map(some.map((share) => [keyOf(share), share]));
  for (const other of others) {
    const share = merged.get(keyOf(other));
    merged.set(keyOf(other), share === undefined ? other : together(share, other));
  }
  return [...merged.values()];
}

const keyOf = ({ of_period, currency, kind, is_credit, is_seen }: HistoryShare): string =>
  [of_period, currency, kind, is_credit, is_seen].join('/');

const together = (share: HistoryShare, other: HistoryShare): HistoryShare => ({
  ...share,
  count: share.count + other.count,
  amount_high: sumOf(share.amount_high, other.amount_high),
  amount_low: sumOf(share.amount_low, other.amount_low),
  fingerprint_high: sumOf(share.fingerprint_high, other.fingerprint_high),
  fingerprint_low: sumOf(share.fingerprint_low, other.fingerprint_low),
  text_bytes: share.text_bytes + other.text_bytes,
  latest: Math.max(share.latest, other.latest),
});

const sumOf = (one: Int64, other: Int64): Int64 => BigInt(one) + BigInt(other);

/** The shares of what is shown. */
export const shownOf = (shares: readonly HistoryShare[]): HistoryShare[] =>
  shares.filter(({ of_period, is_seen }) => of_period > 0 && is_seen === 1);

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
    if (share.is_seen === 0) hidden = true;
  }
  const { of_period: period = 0, currency = '' } = group[0] ?? {};
  return { period, currency, totals, held, lastPurchaseAt, hidden };
}
