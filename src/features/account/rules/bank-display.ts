// Formats what an account shows of its bank besides the postings: names, filter choices and settlement periods.

import { formatBankKid, formatLocationKid, formatUnitKid } from '../../../lib/kid.ts';
import { localiseName, type Language } from '../../../lib/text/language.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { covers, type GrantedBank } from '../../../permissions/coverage.ts';

type NamedLocation = { readonly location_id: number; readonly name: string; readonly deleted_at: number | null };
type NamedUnit = NamedLocation & { readonly unit_id: number };
type ClosedPeriod = { readonly period: number; readonly from_at: number; readonly through_at: number };

type BankDisplayData = {
  readonly locations: readonly NamedLocation[];
  readonly units: readonly NamedUnit[];
  readonly closedPeriods: readonly ClosedPeriod[];
  /** By `location/unit`; the unit of a location itself is 0. */
  readonly postedDeletedPlaces: ReadonlySet<string>;
  readonly openedAt: number;
};

export type BankDisplay = {
  readonly locationNames: ReadonlyMap<number, string>;
  /** By `location/unit`, localised. */
  readonly unitNames: ReadonlyMap<string, string>;
  readonly choices: {
    locations: { kid: string; name: string }[];
    units: { kid: string; name: string; locationKid: string }[];
  };
  readonly periods: { period: number; fromUtc: string; throughUtc: string | null }[];
};

/** Names include all places, choices only those that the grants cover. */
export function createBankDisplay(bank: GrantedBank, data: BankDisplayData, language: Language): BankDisplay {
  return {
    locationNames: new Map(data.locations.map(({ location_id, name }) => [location_id, name])),
    unitNames: new Map(
      data.units.map(({ location_id, unit_id, name }) => [`${location_id}/${unit_id}`, localiseName(name, language)]),
    ),
    choices: listChoices(bank, data, language),
    periods: listPeriods(data),
  };
}

function listChoices(
  bank: GrantedBank,
  { locations, units, postedDeletedPlaces }: BankDisplayData,
  language: Language,
): BankDisplay['choices'] {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const isOffered = ({ location_id, deleted_at }: NamedLocation, unitId: number): boolean =>
    covers(bank, location_id) && (deleted_at === null || postedDeletedPlaces.has(`${location_id}/${unitId}`));
  return {
    locations: locations
      .filter((location) => isOffered(location, 0))
      .map(({ location_id, name }) => ({ kid: formatLocationKid(bankKid, location_id), name })),
    units: units
      .filter((unit) => isOffered(unit, unit.unit_id))
      .map(({ location_id, unit_id, name }) => {
        const locationKid = formatLocationKid(bankKid, location_id);
        return { kid: formatUnitKid(locationKid, unit_id), name: localiseName(name, language), locationKid };
      }),
  };
}

const listPeriods = ({ openedAt, closedPeriods }: BankDisplayData): BankDisplay['periods'] => [
  { period: 0, fromUtc: formatUtc(openedAt), throughUtc: null },
  ...closedPeriods.map(({ period, from_at, through_at }) => ({
    period,
    fromUtc: formatUtc(from_at),
    throughUtc: formatUtc(through_at),
  })),
];
