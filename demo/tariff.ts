// Defines the texts and prices of demo consumption.

import type { UnitType } from '../src/features/places/rules/unit-types.ts';
import type { Random } from './random.ts';

/** Prices in hundredths of a Danish krone. */
type TariffEntry = { readonly texts: readonly string[]; readonly low: number; readonly high: number };

const tariffEntry = (low: number, high: number, ...texts: string[]): TariffEntry => ({ texts, low, high });

const tariff: Partial<Record<UnitType, TariffEntry>> = {
  washer: tariffEntry(1500, 4500, 'Wash 30°', 'Wash 40°', 'Wash 60°', 'Wash 90°'),
  dryer: tariffEntry(800, 2500, 'Drying', 'Gentle drying', 'Drying 30 min'),
  ironer: tariffEntry(500, 1500, 'Ironing'),
  shower: tariffEntry(400, 1200, 'Shower 5 min', 'Shower 10 min'),
  sauna: tariffEntry(3000, 8000, 'Sauna'),
  electricity_meter: tariffEntry(10_000, 70_000, 'Electricity'),
  water_meter: tariffEntry(5000, 30_000, 'Cold water', 'Hot water'),
  heat_meter: tariffEntry(10_000, 90_000, 'Heat'),
  gas_meter: tariffEntry(5000, 40_000, 'Gas'),
  ev_charger: tariffEntry(3000, 25_000, 'Charging'),
  parking: tariffEntry(1000, 6000, 'Parking'),
  extractor: tariffEntry(300, 900, 'Spinning'),
  bike_charger: tariffEntry(300, 1500, 'Bike charging'),
  gym: tariffEntry(1500, 4000, 'Gym visit'),
  parcel_locker: tariffEntry(500, 2000, 'Parcel'),
};

/** The types with a price per use. Doors and terminals are free, and rooms are booked. */
export const consumptionUnitTypes: ReadonlySet<UnitType> = new Set(Object.keys(tariff) as UnitType[]);

// The approximate value of a hundredth of a krone in minor units. The Icelandic króna has no minor unit.
const currencyFactors: Readonly<Record<string, number>> = {
  DKK: 1,
  NOK: 1.5,
  SEK: 1.5,
  EUR: 0.13,
  GBP: 0.12,
  ISK: 0.2,
};

/** Converts a price from hundredths of a krone to the currency's minor units, in steps of five. */
export function toCurrencyPrice(currency: string, price: number): bigint {
  const level = currencyFactors[currency] ?? 1;
  return BigInt(Math.max(1, Math.round((price * level) / 5))) * 5n;
}

export const randomPrice = (currency: string, low: number, high: number, random: Random): bigint =>
  toCurrencyPrice(currency, random.int(low, high));

/** The text and the amount of one use of a unit. */
export function randomUse(
  type: UnitType,
  currency: string,
  random: Random,
): { readonly text: string; readonly amountMinor: bigint } {
  const { texts, low, high } = tariff[type] ?? tariffEntry(500, 1500, 'Consumption');
  return { text: random.pick(texts), amountMinor: -randomPrice(currency, low, high, random) };
}
