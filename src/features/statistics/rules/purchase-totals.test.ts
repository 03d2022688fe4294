// Compares the sum of purchases and the points of their map with purchases that are counted one by one.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitInt64 } from '../../../lib/values/int64.ts';
import { placePurchases, sumPurchases, type PurchaseGroup } from './purchase-totals.ts';

const coordinate = fc.constantFrom(null, -180_000_000, -1, 0, 55_676_111);
const purchase = fc.record({
  latitude: coordinate,
  longitude: coordinate,
  amountMinor: fc.bigInt({ min: -(2n ** 63n), max: -1n }),
  currency: fc.constantFrom('', 'DKK', 'EUR', 'SEK'),
});

type PurchaseModel = typeof purchase extends fc.Arbitrary<infer T> ? T : never;

function groups(purchases: readonly PurchaseModel[]): PurchaseGroup[] {
  const byPlace = Map.groupBy(purchases, ({ latitude, longitude }) => `${latitude} ${longitude}`);
  return [...byPlace.values()].map((ofPlace) => {
    const [{ latitude, longitude } = { latitude: null, longitude: null }] = ofPlace;
    const parts = ofPlace.map(({ amountMinor }) => splitInt64(amountMinor));
    return {
      latitude,
      longitude,
      count: ofPlace.length,
      amount_high: parts.reduce((total, { high }) => total + high, 0),
      amount_low: parts.reduce((total, { low }) => total + low, 0),
      currency:
        ofPlace
          .map(({ currency }) => currency)
          .toSorted()
          .at(-1) ?? '',
    };
  });
}

test('[public.08, public.09, public.10] sum, count and greatest currency are those of the purchases', () => {
  fc.assert(
    fc.property(fc.array(purchase), (purchases) => {
      const { count, amountMinor, currency } = sumPurchases(groups(purchases));
      assert.equal(count, purchases.length);
      if (count === 0) assert.deepEqual([amountMinor, currency], [null, null]);
      else {
        let sum = 0n;
        for (const each of purchases) sum -= each.amountMinor;
        const [greatest] = ['SEK', 'EUR', 'DKK'].filter((code) => purchases.some((each) => each.currency === code));
        assert.deepEqual([amountMinor, currency], [sum, greatest ?? null]);
      }
    }),
  );
});

test('[public.22, public.23] each pair of coordinates is one point, and no purchase is lost or counted twice', () => {
  fc.assert(
    fc.property(fc.array(purchase), (purchases) => {
      const { points, unplacedCount } = placePurchases(groups(purchases));
      const pairs = points.map(({ latitude, longitude }) => `${latitude}/${longitude}`);
      assert.equal(new Set(pairs).size, pairs.length);
      for (const { latitude, longitude, count } of points)
        assert.equal(
          purchases.filter((each) => each.latitude === latitude && each.longitude === longitude).length,
          count,
        );
      const unplaced = purchases.filter((each) => each.latitude === null || each.longitude === null);
      assert.equal(unplacedCount, unplaced.length);
      const placed = points.reduce((total, { count }) => total + count, 0);
      assert.equal(placed + unplacedCount, purchases.length);
      const sorted = points.toSorted((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
      assert.deepEqual(points, sorted);
    }),
  );
});
