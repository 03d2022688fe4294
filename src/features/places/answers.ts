// Formats rows of banks, locations and units as the items of responses.

import { formatBankKid, formatLocationKid, formatUnitKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/text/language.ts';
import { formatUtc } from '../../lib/time/ms2000.ts';
import type { BankOverviewRow } from './queries/banks.ts';
import type { ContactCounts } from './queries/contact-counts.ts';
import type { LocationOverviewRow, UnitTypeCountRow } from './queries/locations.ts';
import type { UnitContactRow, UnitOverviewRow } from './queries/units.ts';
import { findBankTypeName } from './rules/bank-types.ts';
import { contactStatusOf, type ContactBounds } from './rules/contact-status.ts';
import { bankIconKid, locationIconKid } from './rules/place-icons.ts';
import { formatUnitTypeName, isBookableType, typeCodeOf, unitTypeIconOf } from './rules/unit-types.ts';
import type { BankIcons, LocationIcons, Location, UnitIcons, Unit } from './schemas.ts';

const noContacts: ContactCounts = { online: 0, offline: 0 };

export const toBankIcons = (
  row: BankOverviewRow,
  { online, offline } = noContacts,
  { tenant, dayOfMonth }: { readonly tenant: string; readonly dayOfMonth: number },
): BankIcons => ({
  kid: formatBankKid(tenant, row.bank_id),
  name: row.name,
  iconKid: bankIconKid(row.icon, dayOfMonth),
  bankType: findBankTypeName(row.bank_type),
  online,
  offline,
});

type ShownLocationRow = Omit<LocationOverviewRow, 'address' | 'zip'> & Pick<Location, 'address' | 'zip'>;

type LocationContext = {
  readonly bankKid: string;
  readonly language: Language;
  readonly dayOfMonth: number;
  readonly resolveTimeZone: (stored: string) => string;
};

export const toLocation = (
  row: ShownLocationRow,
  types: readonly UnitTypeCountRow[],
  { bankKid, language, dayOfMonth, resolveTimeZone }: LocationContext,
): Location => ({
  kid: formatLocationKid(bankKid, row.location_id),
  name: row.name,
  iconKid: locationIconKid(row.icon, row.location_id, dayOfMonth),
  address: row.address,
  zip: row.zip,
  latitude: row.latitude,
  longitude: row.longitude,
  timeZone: resolveTimeZone(row.time_zone),
  enabled: row.enabled === 1,
  units: types.map(({ code, count }) => ({
    unitType: code || null,
    typeName: formatUnitTypeName(code, language),
    count,
  })),
});

export const toLocationIcons = (
  { location_id: id, icon }: Pick<LocationOverviewRow, 'location_id' | 'icon'>,
  { online, offline } = noContacts,
  { bankKid, dayOfMonth }: { readonly bankKid: string; readonly dayOfMonth: number },
): LocationIcons => ({
  kid: formatLocationKid(bankKid, id),
  iconKid: locationIconKid(icon, id, dayOfMonth),
  online,
  offline,
});

type UnitContext = { readonly locationKid: string; readonly language: Language };

export function toUnit(row: UnitOverviewRow, { locationKid, language }: UnitContext): Unit {
  const code = typeCodeOf(row);
  return {
    kid: formatUnitKid(locationKid, row.unit_id),
    name: localiseName(row.name, language),
    unitType: code ?? null,
    typeName: formatUnitTypeName(code, language),
    iconKid: unitTypeIconOf(code),
    enabled: row.enabled === 1,
    // The setting can date from a time when the unit had another type.
    bookable: row.bookable === 'true' && isBookableType(code),
    outOfOrder: row.out_of_order === 'true' || isErrorId(row.auto_out_of_order),
  };
}

/** Equipment that takes itself out of order reports an error, a number above zero. */
const isErrorId = (value: string | null): boolean => value !== null && /^[1-9]\d*$/.test(value);

type UnitIconsContext = { readonly locationKid: string; readonly bounds: ContactBounds };

export const toUnitIcons = (row: UnitContactRow, { locationKid, bounds }: UnitIconsContext): UnitIcons => ({
  kid: formatUnitKid(locationKid, row.unit_id),
  iconKid: unitTypeIconOf(typeCodeOf(row)),
  status: contactStatusOf(row.last_contact_at, bounds),
  lastContactUtc: row.last_contact_at === null ? null : formatUtc(row.last_contact_at),
});
