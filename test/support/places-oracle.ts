// What overviews show of places, worked out from the tree itself: one unit after the other, in plain words.

import type { Grant } from './doors.ts';
import { utcText } from '../../src/lib/ms2000.ts';
import type { Bank, Location, Unit } from './places.ts';

/** The words of the types that test places have, and of what is no type. */
const words: Readonly<Record<string, readonly [code: number, icon: string, en: string, da: string]>> = {
  washer: [1, 'washer', 'Washer', 'Vaskemaskine'],
  dryer: [2, 'dryer', 'Dryer', 'Tørretumbler'],
  parcel_locker: [23, 'parcel', 'Parcel locker', 'Pakkeboks'],
  freezer: [28, 'freezer', 'Freezer', 'Fryser'],
  unit: [0, 'question', 'Unit', 'Enhed'],
};
/** What is booked of them. */
const bookedCodes: readonly number[] = [1, 2];
export const knownCodes = Object.values(words).map(([code]) => code);

/** Icons that there are, and others that there are not. */
export const placeIcons = ['place', 'laundry_room', 'house', 'lighthouse', 'washer~wifi_off', '', null] as const;
const realIcons: readonly (string | null)[] = placeIcons.slice(0, 3);

/** What stored zones mean in Denmark that are not spelled as they are told. */
const zones: Readonly<Record<string, string>> = {
  'Romance Standard Time': 'Europe/Copenhagen',
  'greenwich standard time': 'Atlantic/Reykjavik',
  rubbish: 'Europe/Copenhagen',
  '': 'Europe/Copenhagen',
};
export const storedZones = ['Europe/Copenhagen', 'Atlantic/Reykjavik', ...Object.keys(zones)];

export type Viewer = { readonly grants: readonly Grant[]; readonly language: 'en' | 'da'; readonly now: number };

/** How many milliseconds of silence make a unit offline. */
const patience = (bank: Bank): number => (bank.type === 1 ? 3_600_000 : 24 * 3_600_000);

export function statusOf(unit: Unit, bank: Bank, now: number): 'Online' | 'Offline' | 'Unknown' {
  if (unit.lastContactAt === null) return 'Unknown';
  const silent = now - unit.lastContactAt;
  if (silent < patience(bank)) return 'Online';
  return silent <= 100 * 24 * 3_600_000 ? 'Offline' : 'Unknown';
}

const grantsWhole = ({ grants }: Viewer, bank: Bank): boolean =>
  grants.some(({ bankId, locationId }) => bankId === 0 || (bankId === bank.id && locationId === 0));

const isSeen = (viewer: Viewer, bank: Bank, location: Location): boolean =>
  grantsWhole(viewer, bank) ||
  viewer.grants.some(({ bankId, locationId }) => bankId === bank.id && locationId === location.id);

export const banksOf = (banks: readonly Bank[], viewer: Viewer): Bank[] =>
  banks.filter(
    (bank) => !bank.deleted && (grantsWhole(viewer, bank) || viewer.grants.some(({ bankId }) => bankId === bank.id)),
  );

export const locationsOf = (bank: Bank, viewer: Viewer): Location[] =>
  bank.locations.filter((each) => !each.deleted && isSeen(viewer, bank, each));

export const unitsOf = ({ units }: Location): Unit[] => units.filter(({ deleted }) => !deleted);

export const bankKid = (bank: Pick<Bank, 'id'>): string => `sund-B${bank.id}`;
export const locationKid = (bank: Pick<Bank, 'id'>, { id }: Pick<Location, 'id'>): string => `${bankKid(bank)}-L${id}`;

const houseOf = (id: number): string => `house~t${Buffer.from(String(id)).toString('base64url')}`;

function locationIcon({ icon, id }: Location): string {
  return icon !== 'house' && realIcons.includes(icon) ? String(icon) : houseOf(id);
}

function sums(bank: Bank, locations: readonly Location[], now: number) {
  const told = locations.flatMap((each) => unitsOf(each).map((unit) => statusOf(unit, bank, now)));
  return {
    online: told.filter((status) => status === 'Online').length,
    offline: told.filter((status) => status === 'Offline').length,
  };
}

export const bankIcons = (bank: Bank, viewer: Viewer) => ({
  kid: bankKid(bank),
  name: bank.name,
  iconKid: realIcons.includes(bank.icon) ? bank.icon : 'bank_building',
  bankType: [null, 'Cash', 'Rent'][bank.type] ?? null,
  ...sums(bank, locationsOf(bank, viewer), viewer.now),
});

export const locationIcons = (bank: Bank, location: Location, viewer: Viewer) => ({
  kid: locationKid(bank, location),
  iconKid: locationIcon(location),
  ...sums(bank, [location], viewer.now),
});

/** The code that a unit's type has on the wire. */
export function codeOf({ type, packed }: Unit): number | null {
  if (type > 0) return type;
  // The lowest nine of 64 bits, and of those all but the last.
  const code = Number.parseInt(
    BigInt.asUintN(64, BigInt(packed ?? 0))
      .toString(2)
      .padStart(64, '0')
      .slice(-9, -1),
    2,
  );
  return code === 0 ? null : code;
}

const wordOf = (code: number | null): (typeof words)[string] =>
  Object.values(words).find(([known]) => known === code) ?? words['unit']!;

export function typeNameOf(code: number | null, { language }: Viewer): string {
  const [, , en, da] = wordOf(code);
  return language === 'da' ? da : en;
}

export function locationItem(bank: Bank, location: Location, viewer: Viewer) {
  const codes = unitsOf(location)
    .map(codeOf)
    .toSorted((a, b) => (a ?? 0) - (b ?? 0));
  return {
    kid: locationKid(bank, location),
    name: location.name,
    iconKid: locationIcon(location),
    address: location.address,
    zip: location.zip,
    timeZone: zones[location.timeZone] ?? location.timeZone,
    enabled: location.enabled,
    units: [...new Set(codes)].map((code) => ({
      unitType: code,
      typeName: typeNameOf(code, viewer),
      count: codes.filter((each) => each === code).length,
    })),
  };
}

export function nameOf({ name }: Unit, { language }: Viewer): string {
  return Object.entries(words).reduce(
    (text, [key, [, , en, da]]) => text.replaceAll(`{${key}}`, language === 'da' ? da : en),
    name,
  );
}

export const unitItem = (bank: Bank, location: Location, unit: Unit, viewer: Viewer) => ({
  kid: `${locationKid(bank, location)}-U${unit.id}`,
  name: nameOf(unit, viewer),
  unitType: codeOf(unit),
  typeName: typeNameOf(codeOf(unit), viewer),
  iconKid: wordOf(codeOf(unit))[1],
  enabled: unit.enabled,
  bookable: unit.settings['Bookable'] === 'true' && bookedCodes.includes(codeOf(unit) ?? 0),
  outOfOrder: unit.settings['OutOfOrder'] === 'true' || Number(unit.settings['AutoOutOfOrder'] ?? 0) > 0,
});

export const unitIcons = (bank: Bank, location: Location, unit: Unit, viewer: Viewer) => ({
  kid: `${locationKid(bank, location)}-U${unit.id}`,
  iconKid: wordOf(codeOf(unit))[1],
  status: statusOf(unit, bank, viewer.now),
  lastContactUtc: unit.lastContactAt === null ? null : utcText(unit.lastContactAt),
});
