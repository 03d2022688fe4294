// The shapes of overviews, and from rows to them.

import { Type, type Static } from 'typebox';
import { choice, closed, instant, kidInput, kidText, nullable } from '../../http/fields.ts';
import { listing, listOf } from '../../http/listing.ts';
import { formatKid } from '../../lib/kid.ts';
import { localiseName, type Language } from '../../lib/language.ts';
import { utcText } from '../../lib/ms2000.ts';
import { bankTypeName, bankTypeNames } from './bank-types.ts';
import type { BankRow } from './queries/banks.ts';
import type { ContactCounts } from './queries/contacts.ts';
import type { LocationRow, TypeCount } from './queries/locations.ts';
import type { UnitContact, UnitRow } from './queries/units.ts';
import { statuses, statusOf, type ContactBounds } from './rules/contact.ts';
import { bankIconKid, locationIconKid } from './rules/place-icons.ts';
import { typeCodeOf, unitTypeIcon, unitTypeName } from './unit-types.ts';

export const BankParams = closed({ bankKid: kidInput('bank') });
export const LocationParams = closed({ locationKid: kidInput('location') });

const whereLocationsAre = 'name, address or postcode';
const whatUnitsAre = 'the names of units and types, in the language of the answer';

export const BankIconsQuery = closed(listing(['kid', 'name'], 'names'));
export const BankLocationsQuery = closed(listing(['kid', 'name', 'address'], whereLocationsAre));
export const LocationIconsQuery = closed(listing(['kid'], whereLocationsAre));
export const LocationUnitsQuery = closed(listing(['kid', 'name', 'unitType'], whatUnitsAre));
export const UnitIconsQuery = closed(listing(['kid'], whatUnitsAre));

const iconKid = Type.String({ description: 'What the icon operations draw.', examples: ['house~tMQ'] });
const enabled = Type.Boolean({ description: 'Whether it is in use.' });
const unitType = nullable(Type.Integer({ description: 'The code of the type; null where none is told.' }));
const typeName = Type.String({
  description: 'The type in the language of the answer, or the word for a unit where it is not known.',
});
const counts = {
  online: Type.Integer({ description: 'Units in sight that are online.' }),
  offline: Type.Integer({ description: 'Units in sight that are offline; of others it is not known.' }),
};

const BankIcons = closed({
  kid: kidText('bank'),
  name: Type.String(),
  iconKid,
  bankType: nullable(choice(bankTypeNames, 'Null where it is not known.')),
  ...counts,
});
export const BankIconsAnswer = listOf(BankIcons);

const LocationItem = closed({
  kid: kidText('location'),
  name: Type.String(),
  iconKid,
  address: Type.String({ description: 'Empty where it is not known.' }),
  zip: Type.String({ description: 'Empty where it is not known.' }),
  timeZone: Type.String({ description: 'IANA.' }),
  enabled,
  units: Type.Array(closed({ unitType, typeName, count: Type.Integer() }), {
    description: 'How many units of which type it holds, by type.',
  }),
});
export const BankLocationsAnswer = listOf(LocationItem);

const LocationIcons = closed({ kid: kidText('location'), iconKid, ...counts });
export const LocationIconsAnswer = listOf(LocationIcons);

export const UnitItem = closed({
  kid: kidText('unit'),
  name: Type.String({ description: 'In the language of the answer.' }),
  unitType,
  typeName,
  iconKid,
  enabled,
  bookable: Type.Boolean({ description: 'Residents can book it.' }),
  outOfOrder: Type.Boolean({ description: 'Somebody put it out of order, or it did so itself.' }),
});
export type UnitItem = Static<typeof UnitItem>;
export const LocationUnitsAnswer = listOf(UnitItem);

const UnitIcons = closed({
  kid: kidText('unit'),
  iconKid,
  status: choice(statuses, 'Unknown: never heard of, or not for more than 100 days.'),
  lastContactUtc: nullable(instant('When it was last heard of; null where it never was.')),
});
export const UnitIconsAnswer = listOf(UnitIcons);

const none: ContactCounts = { online: 0, offline: 0 };

export function bankIcons(row: BankRow, { online, offline } = none, tenant: string): Static<typeof BankIcons> {
  return {
    kid: formatKid({ type: 'bank', tenant, bankId: row.bank_id }),
    name: row.name,
    iconKid: bankIconKid(row.icon),
    bankType: bankTypeName(row.bank_type),
    online,
    offline,
  };
}

type LocationContext = { readonly bankKid: string; readonly language: Language };

export function locationItem(
  row: LocationRow,
  types: readonly TypeCount[],
  { bankKid, language }: LocationContext,
): Static<typeof LocationItem> {
  return {
    kid: `${bankKid}-L${row.location_id}`,
    name: row.name,
    iconKid: locationIconKid(row.icon, row.location_id),
    address: row.address,
    zip: row.zip,
    timeZone: row.time_zone,
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
): Static<typeof LocationIcons> {
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
    bookable: row.bookable === 'true',
    outOfOrder: row.out_of_order === 'true' || isErrorId(row.auto_out_of_order),
  };
}

/** Equipment that puts itself out of order says why, by a number above zero. */
const isErrorId = (value: string | null): boolean => value !== null && /^[1-9]\d*$/.test(value);

type ContactContext = { readonly locationKid: string; readonly bounds: ContactBounds };

export function unitIcons(row: UnitContact, { locationKid, bounds }: ContactContext): Static<typeof UnitIcons> {
  return {
    kid: `${locationKid}-U${row.unit_id}`,
    iconKid: unitTypeIcon(typeCodeOf(row)),
    status: statusOf(row.last_contact_at, bounds),
    lastContactUtc: row.last_contact_at === null ? null : utcText(row.last_contact_at),
  };
}
