// From rows of places to the shapes of overviews.

import { formatKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { formatUtc } from '../../lib/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { findBankTypeName } from './rules/bank-types.ts';
import type { BankOverviewRow } from './queries/banks.ts';
import type { ContactCounts } from './queries/contact-counts.ts';
import type { LocationOverviewRow, UnitTypeCount } from './queries/locations.ts';
import type { UnitContactRow, UnitOverviewRow } from './queries/units.ts';
import { contactStatusOf, type ContactBounds } from './rules/contact-status.ts';
import { bankIconKid, locationIconKid } from './rules/place-icons.ts';
import type { BankIcons, LocationIcons, LocationItem, UnitIcons, UnitItem } from './schemas.ts';
import { isBookableType, typeCodeOf, unitTypeIconOf, formatUnitTypeName } from './rules/unit-types.ts';
import { resolveLocationTimeZone } from './rules/location-time-zone.ts';

const noContacts: ContactCounts = { online: 0, offline: 0 };

export function toBankIcons(row: BankOverviewRow, { online, offline } = noContacts, tenant: string): BankIcons {
  return {
    kid: formatKid({ type: 'bank', tenant, bankId: row.bank_id }),
    name: row.name,
    iconKid: bankIconKid(row.icon),
    bankType: findBankTypeName(row.bank_type),
    online,
    offline,
  };
}

type LocationItemContext = { readonly bankKid: string; readonly language: Language; readonly tenant: Tenant };

export function toLocationItem(
  row: LocationOverviewRow,
  types: readonly UnitTypeCount[],
  { bankKid, language, tenant }: LocationItemContext,
): LocationItem {
  return {
    kid: `${bankKid}-L${row.location_id}`,
    name: row.name,
    iconKid: locationIconKid(row.icon, row.location_id),
    address: row.address,
    zip: row.zip,
    timeZone: resolveLocationTimeZone(row.time_zone, tenant),
    enabled: row.enabled === 1,
    units: types.map(({ code, count }) => ({
      unitType: code || null,
      typeName: formatUnitTypeName(code, language),
      count,
    })),
  };
}

export function toLocationIcons(
  { location_id: id, icon }: LocationOverviewRow,
  { online, offline } = noContacts,
  bankKid: string,
): LocationIcons {
  return { kid: `${bankKid}-L${id}`, iconKid: locationIconKid(icon, id), online, offline };
}

export type UnitItemContext = { readonly locationKid: string; readonly language: Language };

/** A unit as every overview shows it. */
export function toUnitItem(row: UnitOverviewRow, { locationKid, language }: UnitItemContext): UnitItem {
  const code = typeCodeOf(row);
  return {
    kid: `${locationKid}-U${row.unit_id}`,
    name: localiseName(row.name, language),
    unitType: code ?? null,
    typeName: formatUnitTypeName(code, language),
    iconKid: unitTypeIconOf(code),
    enabled: row.enabled === 1,
    // A unit can have been of another type.
    bookable: row.bookable === 'true' && isBookableType(code),
    outOfOrder: row.out_of_order === 'true' || isErrorId(row.auto_out_of_order),
  };
}

/** Equipment that puts itself out of order says why, by a number above zero. */
const isErrorId = (value: string | null): boolean => value !== null && /^[1-9]\d*$/.test(value);

type UnitIconsContext = { readonly locationKid: string; readonly bounds: ContactBounds };

export function toUnitIcons(row: UnitContactRow, { locationKid, bounds }: UnitIconsContext): UnitIcons {
  return {
    kid: `${locationKid}-U${row.unit_id}`,
    iconKid: unitTypeIconOf(typeCodeOf(row)),
    status: contactStatusOf(row.last_contact_at, bounds),
    lastContactUtc: row.last_contact_at === null ? null : formatUtc(row.last_contact_at),
  };
}
