// What demo consumption is called and what it costs.

import type { UnitType } from '../features/places/unit-types.ts';
import type { Random } from './random.ts';

/** Prices in hundredths of a Danish krone. */
type Offer = { readonly texts: readonly string[]; readonly low: number; readonly high: number };

const offer = (low: number, high: number, ...texts: string[]): Offer => ({ texts, low, high });

const offers: Partial<Record<UnitType, Offer>> = {
  washer: offer(1500, 4500, 'Wash 30°', 'Wash 40°', 'Wash 60°', 'Wash 90°'),
  dryer: offer(800, 2500, 'Drying', 'Gentle drying', 'Drying 30 min'),
  ironer: offer(500, 1500, 'Ironing'),
  shower: offer(400, 1200, 'Shower 5 min', 'Shower 10 min'),
  sauna: offer(3000, 8000, 'Sauna'),
  electricity_meter: offer(10_000, 70_000, 'Electricity'),
  water_meter: offer(5000, 30_000, 'Cold water', 'Hot water'),
  heat_meter: offer(10_000, 90_000, 'Heat'),
  gas_meter: offer(5000, 40_000, 'Gas'),
  ev_charger: offer(3000, 25_000, 'Charging'),
  parking: offer(1000, 6000, 'Parking'),
  extractor: offer(300, 900, 'Spinning'),
  bike_charger: offer(300, 1500, 'Bike charging'),
  gym: offer(1500, 4000, 'Gym visit'),
  parcel_locker: offer(500, 2000, 'Parcel'),
};

/** The types that cost by use; doors and terminals cost nothing, rooms are booked. */
export const consumedTypes: ReadonlySet<UnitType> = new Set(Object.keys(offers) as UnitType[]);

// Minor units that a hundredth of a krone comes to, roughly. The Icelandic króna has no minor unit.
const levels: Readonly<Record<string, number>> = { DKK: 1, NOK: 1.5, SEK: 1.5, EUR: 0.13, GBP: 0.12, ISK: 0.2 };

/** A price in the currency's minor units, in steps of five, by what it is in hundredths of a krone. */
export function pricedAt(currency: string, price: number): bigint {
  const level = levels[currency] ?? 1;
  return BigInt(Math.max(1, Math.round((price * level) / 5))) * 5n;
}

export const priceIn = (currency: string, low: number, high: number, random: Random): bigint =>
  pricedAt(currency, random.int(low, high));

/** What one use of a unit is called and takes from the resident. */
export function usePrice(
  type: UnitType,
  currency: string,
  random: Random,
): { readonly text: string; readonly amountMinor: bigint } {
  const { texts, low, high } = offers[type] ?? offer(500, 1500, 'Consumption');
  return { text: random.pick(texts), amountMinor: -priceIn(currency, low, high, random) };
}

/** The tax contained in an amount, with the amount's sign; null without a rate. */
export function vatWithin(amountMinor: bigint, basisPoints: number | null): bigint | null {
  if (basisPoints === null) return null;
  const rate = BigInt(basisPoints);
  return (amountMinor * rate) / (10_000n + rate);
}
