// Adds up groups of purchases: their sum, and the points of a map. Says how far the public statistics look back.

import { hourMs } from '../../../lib/time/durations.ts';
import { joinInt64, type Int64 } from '../../../lib/values/int64.ts';

/** All purchases at places with the same coordinates, in millionths of a degree. */
export type PurchaseGroup = {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly count: number;
  readonly amount_high: Int64;
  readonly amount_low: Int64;
  /** The greatest; empty where none is known. */
  readonly currency: string;
};

type PurchaseTotals = {
  readonly count: number;
  /** The negated sum; null without purchases. */
  readonly amountMinor: bigint | null;
  /** The greatest; null without purchases, and where none is known. */
  readonly currency: string | null;
};

export function sumPurchases(groups: readonly PurchaseGroup[]): PurchaseTotals {
  const count = groups.reduce((total, group) => total + group.count, 0);
  if (count === 0) return { count, amountMinor: null, currency: null };
  const sum = groups.reduce((total, { amount_high, amount_low }) => total + joinInt64(amount_high, amount_low), 0n);
  const currency = groups.reduce((greatest, each) => (each.currency > greatest ? each.currency : greatest), '');
  return { count, amountMinor: -sum, currency: currency === '' ? null : currency };
}

type CoordinatesCount = { readonly latitude: number; readonly longitude: number; readonly count: number };

type PurchasePlaces = {
  /** From south to north, then from west to east. */
  readonly points: readonly CoordinatesCount[];
  /** How many purchases were made where not both coordinates are known. */
  readonly unplacedCount: number;
};

export function placePurchases(groups: readonly PurchaseGroup[]): PurchasePlaces {
  const points: CoordinatesCount[] = [];
  let unplacedCount = 0;
  for (const { latitude, longitude, count } of groups)
    if (latitude === null || longitude === null) unplacedCount += count;
    else points.push({ latitude, longitude, count });
  return {
    points: points.toSorted((one, other) => one.latitude - other.latitude || one.longitude - other.longitude),
    unplacedCount,
  };
}

export const purchasesLookbackHours = 1;
export const activeUsersLookbackDays = 100;

/** MS2000. What counts is newer than `since`. */
export type Lookback = { readonly since: number; readonly measuredAt: number };

export const lookBackForPurchases = (now: number): Lookback => lookBack(now, purchasesLookbackHours * hourMs);

export const lookBackForActiveUsers = (now: number): Lookback => lookBack(now, activeUsersLookbackDays * 24 * hourMs);

const lookBack = (now: number, lengthMs: number): Lookback => ({ since: now - lengthMs, measuredAt: now });
