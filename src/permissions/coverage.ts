// Decides what a manager's grants cover, and makes the values that prove it: a query that takes a GrantedBank, a
// GrantedLocation or a GrantedUnit cannot be called without this check. Whether the object exists is not decided here.

import { Problem } from '../lib/problem.ts';
import { tooNarrowReason, type Grants } from './needs.ts';
import type { Scope } from './scope.ts';

/** The part of a bank that grants cover: all of it, or some of its locations. */
export type Coverage = 'all' | ReadonlySet<number>;

/** Undefined if the grants cover nothing of the bank. */
export function coverageOf(grants: Grants, bankId: number): Coverage | undefined {
  if (grants.tenantWide || grants.banks.has(bankId)) return 'all';
  return grants.locations.get(bankId);
}

/** The banks that the grants cover, as a whole or in part. */
export function grantedBankIds({ tenantWide, banks, locations }: Grants): 'all' | readonly number[] {
  return tenantWide ? 'all' : [...new Set([...banks, ...locations.keys()])];
}

/** A text for cache keys, the same for the same coverage. */
export function formatCoverage(coverage: Coverage): string {
  return coveredLocationIds({ coverage })?.join(',') ?? 'all';
}

/** A text that is the same for the same grants, in whatever order they were read. */
export function formatGrants({ tenantWide, banks, locations }: Grants): string {
  if (tenantWide) return 'all';
  const ofLocations = [...locations].map(([bankId, ids]) => `${bankId}:${formatCoverage(ids)}`);
  return [formatCoverage(banks), ...ofLocations.toSorted()].join(';');
}

export type BankKey = { readonly bankId: number };
export type LocationKey = BankKey & { readonly locationId: number };
export type UnitKey = LocationKey & { readonly unitId: number };

declare const granted: unique symbol;
type Granted = { readonly tenant: string; readonly [granted]: true };

/** A bank that the grants cover, all of it or in part. */
export type GrantedBank = BankKey & Granted & { readonly coverage: Coverage };
/** A bank that the grants cover as a whole. */
export type WholeGrantedBank = GrantedBank & { readonly coverage: 'all' };
export type GrantedLocation = LocationKey & Granted;
export type GrantedUnit = UnitKey & Granted;

declare const wholeTenant: unique symbol;

/** A tenant that the grants cover as a whole. */
export type WholeTenant = Granted & { readonly [wholeTenant]: true };

/** Throws 403 `forbidden` where the grants cover only a part of the tenant. */
export function requireWholeTenant({ tenant, grants }: Scope): WholeTenant {
  if (!grants.tenantWide) throw createTooNarrowProblem('The operation needs a tenant-wide grant.');
  return { tenant } as WholeTenant;
}

/** A bank of a tenant that the grants cover as a whole. */
export const bankOfTenant = ({ tenant }: WholeTenant, bankId: number): WholeGrantedBank =>
  ({ tenant, bankId, coverage: 'all' }) as WholeGrantedBank;

/** The bank, as far as the grants cover it; undefined where they cover nothing of it. */
export function findCoveredBank({ tenant, grants }: Scope, { bankId }: BankKey): GrantedBank | undefined {
  const coverage = coverageOf(grants, bankId);
  return coverage === undefined ? undefined : ({ tenant, bankId, coverage } as GrantedBank);
}

/** Throws 404 `not-found` where the grants cover nothing of the bank. */
export function requireCoveredBank(scope: Scope, key: BankKey): GrantedBank {
  const bank = findCoveredBank(scope, key);
  if (bank === undefined) throw new Problem('not-found');
  return bank;
}

export const isWhole = (bank: GrantedBank): bank is WholeGrantedBank => bank.coverage === 'all';

/** The bank as a whole. Throws 403 `forbidden` where the grants cover only some of its locations. */
export function requireWholeCoverage(bank: GrantedBank): WholeGrantedBank {
  if (!isWhole(bank)) throw createTooNarrowProblem();
  return bank;
}

/**
 * The bank as a whole. Throws 404 `not-found` where the grants cover nothing of the bank, and 403 `forbidden` where the
 * grants cover only some of the bank's locations.
 */
export const requireWholeBank = (scope: Scope, key: BankKey): WholeGrantedBank =>
  requireWholeCoverage(requireCoveredBank(scope, key));

export const createTooNarrowProblem = (detail = 'The operation needs a bank-wide grant.'): Problem =>
  new Problem('forbidden', { reason: tooNarrowReason, detail });

/** The locations that are granted, by id; undefined for all of the bank. */
export const coveredLocationIds = ({ coverage }: Pick<GrantedBank, 'coverage'>): readonly number[] | undefined =>
  coverage === 'all' ? undefined : [...coverage].toSorted((a, b) => a - b);

type SelectedPlace = { readonly locationKid?: LocationKey | undefined; readonly unitKid?: LocationKey };

/**
 * The locations that a request selects; undefined for all of the bank. One that is not covered selects nothing, the
 * same as one that does not exist, and so does a unit of another location.
 */
export function selectLocationIds(
  bank: GrantedBank,
  { locationKid, unitKid }: SelectedPlace,
): readonly number[] | undefined {
  const locationId = (unitKid ?? locationKid)?.locationId;
  if (locationId === undefined) return coveredLocationIds(bank);
  const isOtherLocation = locationKid !== undefined && locationKid.locationId !== locationId;
  return covers(bank, locationId) && !isOtherLocation ? [locationId] : [];
}

export const covers = ({ coverage }: { readonly coverage: Coverage }, locationId: number): boolean =>
  coverage === 'all' || coverage.has(locationId);

/**
 * Whether the address of a location is shown, and those of its units. If the location is disabled, only to tenant-wide
 * grants.
 */
export const showsAddresses = (
  { tenantWide }: Pick<Grants, 'tenantWide'>,
  { enabled }: { readonly enabled: number },
): boolean => tenantWide || enabled === 1;

/** A location of a bank. Throws 404 where the grants do not cover it, whether or not it exists. */
export function requireLocationOf(bank: GrantedBank, locationId: number): GrantedLocation {
  if (!covers(bank, locationId)) throw new Problem('not-found');
  return { tenant: bank.tenant, bankId: bank.bankId, locationId } as GrantedLocation;
}

/** Throws 404 where the grants do not cover the location, whether or not it exists. */
export function requireCoveredLocation(scope: Scope, { bankId, locationId }: LocationKey): GrantedLocation {
  return requireLocationOf(requireCoveredBank(scope, { bankId }), locationId);
}

/** Throws 404 where the grants do not cover the unit's location, whether or not the unit exists. */
export function requireCoveredUnit(scope: Scope, { bankId, locationId, unitId }: UnitKey): GrantedUnit {
  const location = requireCoveredLocation(scope, { bankId, locationId });
  return { ...location, unitId };
}
