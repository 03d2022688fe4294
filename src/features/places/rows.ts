// From rows of places to the shapes of overviews.

import { formatKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { utcText } from '../../lib/ms2000.ts';
import type { Tenant } from '../../tenants.ts';
import { bankTypeName } from './bank-types.ts';
import type { BankRow } from './queries/banks.ts';
import type { ContactCounts } from './queries/contacts.ts';
import type { LocationRow, TypeCount } from './queries/locations.ts';
import type { UnitContact, UnitRow } from './queries/units.ts';
import { statusOf, type ContactBounds } from './rules/contact.ts';
import { bankIconKid, locationIconKid } from './rules/place-icons.ts';
import type { BankIcons, LocationIcons, LocationItem, UnitIcons, UnitItem } from './schemas.ts';
import { isBooked, typeCodeOf, unitTypeIcon, unitTypeName } from './unit-types.ts';
import { storedZone } from './zones.ts';

const none: ContactCounts = { online: 0, offline: 0 };

export function bankIcons(row: BankRow, { online, offline } = none, tenant: string): BankIcons {
  return {
    kid: formatKid({ type: 'bank', tenant, bankId: row.bank_id }),
    name: row.name,
    iconKid: bankIconKid(row.icon),
    bankType: bankTypeName(row.bank_type),
    online,
    offline,
  };
}

type LocationContext = { readonly bankKid: string; readonly language: Language; readonly tenant: Tenant };

export function locationItem(
  row: LocationRow,
  types: readonly TypeCount[],
  { bankKid, language, tenant }: LocationContext,
): LocationItem {
  return {
    kid: `${bankKid}-L${row.location_id}`,
    name: row.name,
    iconKid: locationIconKid(row.icon, row.location_id),
    address: row.address,
    zip: row.zip,
    timeZone: storedZone(row.time_zone, tenant),
    enabled: row.enabled === 1,
    units: types.map(({ code, count }) => ({
      unitType: code || null,
      typeName: unitTypeName(code, language),
      count,
    })),
  };
}

export function locationIcons(
  { location_id: id, icon }: LocationRow,
  { online, offline } = none,
  bankKid: string,
): LocationIcons {
  return { kid: `${bankKid}-L${id}`, iconKid: locationIconKid(icon, id), online, offline };
}

export type UnitContext = { readonly locationKid: string; readonly language: Language };

/** A unit as every overview shows it. */
export function unitItem(row: UnitRow, { locationKid, language }: UnitContext): UnitItem {
  const code = typeCodeOf(row);
  return {
    kid: `${locationKid}-U${row.unit_id}`,
    name: localiseName(row.name, language),
    unitType: code ?? null,
    typeName: unitTypeName(code, language),
    iconKid: unitTypeIcon(code),
    enabled: row.enabled === 1,
    // A unit can have been of another type.
    bookable: row.bookable === 'true' && isBooked(code),
    outOfOrder: row.out_of_order === 'true' || isErrorId(row.auto_out_of_order),
  };
}

/** Equipment that puts itself out of order says why, by a number above zero. */
const isErrorId = (value: string | null): boolean => value !== null && /^[1-9]\d*$/.test(value);

type ContactContext = { readonly locationKid: string; readonly bounds: ContactBounds };

export function unitIcons(row: UnitContact, { locationKid, bounds }: ContactContext): UnitIcons {
  return {
    kid: `${locationKid}-U${row.unit_id}`,
    iconKid: unitTypeIcon(typeCodeOf(row)),
    status: statusOf(row.last_contact_at, bounds),
    lastContactUtc: row.last_contact_at === null ? null : utcText(row.last_contact_at),
  };
}
