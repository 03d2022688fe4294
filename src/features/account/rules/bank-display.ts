// Formats what an account shows of its bank besides the postings: names, filter choices and settlement periods.

import type { Tables } from '../../../database/tables.ts';
import type { AccountPage } from '../schemas.ts';
import { formatBankKid, formatLocationKid, formatUnitKid } from '../../../lib/kid.ts';
import { localiseName, type Language } from '../../../lib/text/language.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { covers, type GrantedBank } from '../../../permissions/coverage.ts';
import { createTimeZoneResolver, type TenantRegion } from '../../places/rules/location-time-zone.ts';

type NamedPlace = Pick<Tables['units'], 'location_id' | 'name' | 'deleted_at'>;

type BankDisplayData = {
  readonly locations: readonly (NamedPlace & Pick<Tables['locations'], 'time_zone'>)[];
  readonly units: readonly (NamedPlace & Pick<Tables['units'], 'unit_id'>)[];
  readonly closedPeriods: readonly Pick<Tables['settlement_periods'], 'period' | 'from_at' | 'through_at'>[];
  /** By `location/unit`; the unit of a location itself is 0. */
  readonly postedDeletedPlaces: ReadonlySet<string>;
  readonly openedAt: number;
};

export type BankDisplay = Pick<AccountPage, 'choices' | 'periods'> & {
  readonly locationNames: ReadonlyMap<number, string>;
  /** By `location/unit`, localised. */
  readonly unitNames: ReadonlyMap<string, string>;
};

export type DisplayContext = { readonly language: Language; readonly tenant: TenantRegion };

/** Names include all places, choices only those that the grants cover. */
export const createBankDisplay = (
  bank: GrantedBank,
  data: BankDisplayData,
  { language, tenant }: DisplayContext,
): BankDisplay => ({
  locationNames: new Map(data.locations.map(({ location_id, name }) => [location_id, name])),
  unitNames: new Map(
    data.units.map(({ location_id, unit_id, name }) => [`${location_id}/${unit_id}`, localiseName(name, language)]),
  ),
  choices: listChoices(bank, data, { language, tenant }),
  periods: listPeriods(data),
});

function listChoices(
  bank: GrantedBank,
  { locations, units, postedDeletedPlaces }: BankDisplayData,
  { language, tenant }: DisplayContext,
): BankDisplay['choices'] {
  const bankKid = formatBankKid(bank.tenant, bank.bankId);
  const resolveTimeZone = createTimeZoneResolver(tenant);
  const isOffered = ({ location_id, deleted_at }: NamedPlace, unitId: number): boolean =>
    covers(bank, location_id) && (deleted_at === null || postedDeletedPlaces.has(`${location_id}/${unitId}`));
  return {
    locations: locations
      .filter((location) => isOffered(location, 0))
      .map(({ location_id, name, time_zone }) => ({
        kid: formatLocationKid(bankKid, location_id),
        name,
        timeZone: resolveTimeZone(time_zone),
      })),
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
