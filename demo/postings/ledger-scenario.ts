// Describes what the postings of one bank are generated from: its residents, the units they can use, and the periods.

import type { PostingDraft } from '../../src/features/account/rules/posting-draft.ts';
import type { Tenant } from '../../src/tenants.ts';
import type { Span } from '../calendar.ts';
import type { BankWithResidents } from '../master-data.ts';
import { freeUnitTypes, pricedUnitTypes } from '../bookings/booking-policies.ts';
import { consumptionUnitTypes } from '../tariff.ts';
import type { DemoBank, DemoUnit } from '../places/places.ts';
import type { DemoResident } from '../residents.ts';

export type LedgerScenario = {
  readonly tenant: Tenant;
  readonly bank: DemoBank;
  /** The residents who can use units now; in a disabled bank, those who could if it were enabled. */
  readonly active: readonly DemoResident[];
  readonly residents: readonly DemoResident[];
  /** The second currency in the bank's account. */
  readonly otherCurrency: string;
  /** Oldest first; the last one is open, and ends now. */
  readonly periods: readonly Span[];
  /** By location. */
  readonly consumptionUnits: ReadonlyMap<number, readonly DemoUnit[]>;
  /** By location: units whose booking has a price, and units whose booking is free. */
  readonly pricedBookingUnits: ReadonlyMap<number, readonly DemoUnit[]>;
  readonly freeBookingUnits: ReadonlyMap<number, readonly DemoUnit[]>;
};

/** A posting to be recorded. A posting that will be reversed has a label, by which its reversal finds it. */
export type PlannedPosting = PostingDraft & { readonly label?: string; readonly reversesLabel?: string };

export function createLedgerScenario(
  tenant: Tenant,
  { bank, residents }: BankWithResidents,
  periods: readonly Span[],
): LedgerScenario {
  const stillThere = residents.filter(({ deletedAt }) => deletedAt === null);
  const unitsOf = (types: ReadonlySet<string>): Map<number, DemoUnit[]> =>
    new Map(bank.locations.map(({ locationId, units }) => [locationId, units.filter(({ type }) => types.has(type))]));
  return {
    tenant,
    bank,
    residents,
    active: bank.enabled ? stillThere.filter(({ enabled }) => enabled) : stillThere,
    otherCurrency: tenant.currency === 'EUR' ? 'DKK' : 'EUR',
    periods,
    consumptionUnits: unitsOf(consumptionUnitTypes),
    pricedBookingUnits: unitsOf(pricedUnitTypes),
    freeBookingUnits: unitsOf(freeUnitTypes),
  };
}

/** Whether an object or resident was not deleted yet at an instant. */
export const existedAt = ({ deletedAt }: { readonly deletedAt: number | null }, instant: number): boolean =>
  deletedAt === null || instant < deletedAt;

/** The units that could be used at a location at an instant. */
export function listUsableUnits({ consumptionUnits }: LedgerScenario, locationId: number, instant: number): DemoUnit[] {
  return (consumptionUnits.get(locationId) ?? []).filter((unit) => existedAt(unit, instant));
}

export const scenarioNow = ({ periods }: LedgerScenario): number => openPeriod(periods).to;

export function openPeriod(periods: readonly Span[]): Span {
  const last = periods.at(-1);
  if (last === undefined) throw new Error('a scenario has at least the open period');
  return last;
}

/** The index of the period that contains an instant; an instant before all periods belongs to the first. */
export function periodIndexAt({ periods }: LedgerScenario, instant: number): number {
  return Math.max(
    0,
    periods.findLastIndex(({ from }) => from <= instant),
  );
}
