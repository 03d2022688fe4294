// Computes what overviews show from the tree of places, one unit after the other.

import type { Grant } from './operation-authorization.ts';
import { formatUtc } from '../../src/lib/time/ms2000.ts';
import type { BankTreeModel, LocationModel, UnitModel } from './place-trees.ts';

/** The words of the types that test places have, and of what is no type. */
const typeTexts: Readonly<Record<string, readonly [code: number, icon: string, en: string, da: string]>> = {
  washer: [1, 'washer', 'Washer', 'Vaskemaskine'],
  dryer: [2, 'dryer', 'Dryer', 'Tørretumbler'],
  parcel_locker: [23, 'parcel', 'Parcel locker', 'Pakkeboks'],
  freezer: [28, 'freezer', 'Freezer', 'Fryser'],
  unit: [0, 'question', 'Unit', 'Enhed'],
};
/** What is booked of them. */
const bookedCodes: readonly number[] = [1, 2];
export const knownCodes = Object.values(typeTexts).map(([code]) => code);

/** Icons that exist, and others that do not. */
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

export type OverviewViewer = {
  readonly grants: readonly Grant[];
  readonly language: 'en' | 'da';
  readonly now: number;
};

/** How many milliseconds of silence make a unit offline. */
const offlineAfterMs = (bank: BankTreeModel): number => (bank.type === 1 ? 3_600_000 : 24 * 3_600_000);

export function statusOf(unit: UnitModel, bank: BankTreeModel, now: number): 'Online' | 'Offline' | 'Unknown' {
  if (unit.lastContactAt === null) return 'Unknown';
  const silent = now - unit.lastContactAt;
  if (silent < offlineAfterMs(bank)) return 'Online';
  return silent <= 100 * 24 * 3_600_000 ? 'Offline' : 'Unknown';
}

const hasBankGrant = ({ grants }: OverviewViewer, bank: BankTreeModel): boolean =>
  grants.some(({ bankId, locationId }) => bankId === 0 || (bankId === bank.id && locationId === 0));

const isVisible = (viewer: OverviewViewer, bank: BankTreeModel, location: LocationModel): boolean =>
  hasBankGrant(viewer, bank) ||
  viewer.grants.some(({ bankId, locationId }) => bankId === bank.id && locationId === location.id);

export const visibleBanks = (banks: readonly BankTreeModel[], viewer: OverviewViewer): BankTreeModel[] =>
  banks.filter(
    (bank) => !bank.deleted && (hasBankGrant(viewer, bank) || viewer.grants.some(({ bankId }) => bankId === bank.id)),
  );

export const visibleLocations = (bank: BankTreeModel, viewer: OverviewViewer): LocationModel[] =>
  bank.locations.filter((each) => !each.deleted && isVisible(viewer, bank, each));

export const liveUnits = ({ units }: LocationModel): UnitModel[] => units.filter(({ deleted }) => !deleted);

export const bankKid = (bank: Pick<BankTreeModel, 'id'>): string => `sund-B${bank.id}`;
export const locationKid = (bank: Pick<BankTreeModel, 'id'>, { id }: Pick<LocationModel, 'id'>): string =>
  `${bankKid(bank)}-L${id}`;

const houseIconKid = (id: number): string => `house~t${Buffer.from(String(id)).toString('base64url')}`;

function locationIcon({ icon, id }: LocationModel): string {
  return icon !== 'house' && realIcons.includes(icon) ? String(icon) : houseIconKid(id);
}

function countContacts(bank: BankTreeModel, locations: readonly LocationModel[], now: number) {
  const told = locations.flatMap((each) => liveUnits(each).map((unit) => statusOf(unit, bank, now)));
  return {
    online: told.filter((status) => status === 'Online').length,
    offline: told.filter((status) => status === 'Offline').length,
  };
}

export const expectedBankIcons = (bank: BankTreeModel, viewer: OverviewViewer) => ({
  kid: bankKid(bank),
  name: bank.name,
  iconKid: realIcons.includes(bank.icon) ? bank.icon : 'bank_building',
  bankType: [null, 'Cash', 'Rent'][bank.type] ?? null,
  ...countContacts(bank, visibleLocations(bank, viewer), viewer.now),
});

export const expectedLocationIcons = (bank: BankTreeModel, location: LocationModel, viewer: OverviewViewer) => ({
  kid: locationKid(bank, location),
  iconKid: locationIcon(location),
  ...countContacts(bank, [location], viewer.now),
});

/** The code that a unit's type has on the wire. */
export function unitTypeCodeOf({ type, packed }: UnitModel): number | null {
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

const typeTextOf = (code: number | null): (typeof typeTexts)[string] =>
  Object.values(typeTexts).find(([known]) => known === code) ?? typeTexts['unit']!;

export function translateTypeName(code: number | null, { language }: OverviewViewer): string {
  const [, , en, da] = typeTextOf(code);
  return language === 'da' ? da : en;
}

/** The address of a disabled location needs a tenant-wide grant. */
export const showsAddress = ({ enabled }: LocationModel, { grants }: OverviewViewer): boolean =>
  enabled || grants.some(({ bankId }) => bankId === 0);

export function expectedLocationItem(bank: BankTreeModel, location: LocationModel, viewer: OverviewViewer) {
  const codes = liveUnits(location)
    .map(unitTypeCodeOf)
    .toSorted((a, b) => (a ?? 0) - (b ?? 0));
  return {
    kid: locationKid(bank, location),
    name: location.name,
    iconKid: locationIcon(location),
    address: showsAddress(location, viewer) ? location.address : null,
    zip: showsAddress(location, viewer) ? location.zip : null,
    latitude: showsAddress(location, viewer) ? location.latitude : null,
    longitude: showsAddress(location, viewer) ? location.longitude : null,
    timeZone: zones[location.timeZone] ?? location.timeZone,
    enabled: location.enabled,
    units: [...new Set(codes)].map((code) => ({
      unitType: code,
      typeName: translateTypeName(code, viewer),
      count: codes.filter((each) => each === code).length,
    })),
  };
}

export function translateUnitName({ name }: UnitModel, { language }: OverviewViewer): string {
  return Object.entries(typeTexts).reduce(
    (text, [key, [, , en, da]]) => text.replaceAll(`{${key}}`, language === 'da' ? da : en),
    name,
  );
}

export const expectedUnitItem = (
  bank: BankTreeModel,
  location: LocationModel,
  unit: UnitModel,
  viewer: OverviewViewer,
) => ({
  kid: `${locationKid(bank, location)}-U${unit.id}`,
  name: translateUnitName(unit, viewer),
  unitType: unitTypeCodeOf(unit),
  typeName: translateTypeName(unitTypeCodeOf(unit), viewer),
  iconKid: typeTextOf(unitTypeCodeOf(unit))[1],
  enabled: unit.enabled,
  bookable: unit.settings['Bookable'] === 'true' && bookedCodes.includes(unitTypeCodeOf(unit) ?? 0),
  outOfOrder: unit.settings['OutOfOrder'] === 'true' || Number(unit.settings['AutoOutOfOrder'] ?? 0) > 0,
});

export const expectedUnitIcons = (
  bank: BankTreeModel,
  location: LocationModel,
  unit: UnitModel,
  viewer: OverviewViewer,
) => ({
  kid: `${locationKid(bank, location)}-U${unit.id}`,
  iconKid: typeTextOf(unitTypeCodeOf(unit))[1],
  status: statusOf(unit, bank, viewer.now),
  lastContactUtc: unit.lastContactAt === null ? null : formatUtc(unit.lastContactAt),
});
