// Formats the public statistics from groups of purchases.

import { toJsonDecimal } from '../../lib/values/decimal-amount.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import {
  activeUsersLookbackDays,
  purchasesLookbackHours,
  placePurchases,
  sumPurchases,
  type Lookback,
  type PurchaseGroup,
} from './rules/purchase-totals.ts';
import type { PublicPurchaseMap, PublicActiveUsers, PublicPurchases } from './schemas.ts';

type Measurement = { readonly tenantKid: string; readonly lookback: Lookback };

const describeMeasurement = ({ tenantKid, lookback: { since, measuredAt } }: Measurement) => ({
  tenantKid,
  sinceUtc: formatUtc(since),
  measuredAtUtc: formatUtc(measuredAt),
});

const describeHour = (measurement: Measurement) => ({
  ...describeMeasurement(measurement),
  lookbackHours: purchasesLookbackHours,
});

export function toPublicPurchases(groups: readonly PurchaseGroup[], measurement: Measurement): PublicPurchases {
  const { count: purchaseCount, amountMinor, currency } = sumPurchases(groups);
  const amount = amountMinor === null ? null : toJsonDecimal(amountMinor, 2);
  return { count: purchaseCount, amount, currency, ...describeHour(measurement) };
}

export function toPublicPurchaseMap(groups: readonly PurchaseGroup[], measurement: Measurement): PublicPurchaseMap {
  const { points, unplacedCount } = placePurchases(groups);
  return { ...describeHour(measurement), points: [...points], unplacedCount };
}

export const toPublicActiveUsers = (userCount: number, measurement: Measurement): PublicActiveUsers => ({
  count: userCount,
  ...describeMeasurement(measurement),
  lookbackDays: activeUsersLookbackDays,
});
