// The unit catalogue: for every type of unit, what can be set of it and what it reports.

import { isBooked, unitTypeCode, unitTypeOf, unitTypes, type UnitType } from '../../places/unit-types.ts';
import { door, elevator, gate, lock, parcelLocker, storageRoom } from './access.ts';
import { bookingSettings } from './booking.ts';
import { bikeCharger, evCharger, parking } from './charging.ts';
import { freezer, heatPump } from './climate.ts';
import { commonSettings, commonStates } from './common.ts';
import { settingGroups, stateGroups, type Definition, type GroupName } from './definition.ts';
import { dryer, extractor, ironer, washer } from './machines.ts';
import { electricityMeter, gasMeter, heatMeter, waterMeter } from './meters.ts';
import { openingSettings } from './opening.ts';
import { paymentTerminal } from './payment.ts';
import { gym, guestRoom, partyRoom, sauna, shower } from './rooms.ts';
import { smokeDetector, thermometer, wasteBin } from './sensors.ts';

/** What each type has beyond what all have, and beyond what says how it is booked. */
const own: Readonly<Record<UnitType, readonly Definition[]>> = {
  washer: [...washer, ...openingSettings],
  dryer: [...dryer, ...openingSettings],
  ironer: [...ironer, ...openingSettings],
  shower: [...shower, ...openingSettings],
  sauna: [...sauna, ...openingSettings],
  electricity_meter: electricityMeter,
  water_meter: waterMeter,
  heat_meter: heatMeter,
  gas_meter: gasMeter,
  door: [...door, ...openingSettings],
  lock: [...lock, ...openingSettings],
  ev_charger: [...evCharger, ...openingSettings],
  parking: [...parking, ...openingSettings],
  guest_room: [...guestRoom, ...openingSettings],
  party_room: [...partyRoom, ...openingSettings],
  payment_terminal: [...paymentTerminal, ...openingSettings],
  extractor: [...extractor, ...openingSettings],
  bike_charger: [...bikeCharger, ...openingSettings],
  gate: [...gate, ...openingSettings],
  elevator: [...elevator, ...openingSettings],
  storage_room: [...storageRoom, ...openingSettings],
  gym: [...gym, ...openingSettings],
  parcel_locker: [...parcelLocker, ...openingSettings],
  heat_pump: heatPump,
  thermometer,
  smoke_detector: smokeDetector,
  waste_bin: wasteBin,
  freezer,
};

const groups: readonly GroupName[] = [...settingGroups, ...stateGroups];

export const isGroup = (name: string): name is GroupName => (groups as readonly string[]).includes(name);

/** What a type of unit has, shown or not, and what is shown of it, by name and by group. */
export type Shelf = {
  readonly all: readonly Definition[];
  readonly visible: ReadonlyMap<string, Definition>;
  /** In the order in which they are shown; none is empty. */
  readonly groups: ReadonlyMap<GroupName, readonly Definition[]>;
};

function shelfOf(definitions: readonly Definition[]): Shelf {
  const all = [...commonSettings, ...definitions, ...commonStates];
  const visible = all.filter((definition) => definition.visible);
  const ofGroup = Map.groupBy(visible, ({ group }) => group);
  const members = groups.flatMap((group) => {
    const found = ofGroup.get(group);
    return found === undefined ? [] : [[group, found] as const];
  });
  return { all, visible: new Map(visible.map((each) => [each.name, each])), groups: new Map(members) };
}

const common = shelfOf([]);
const byType: ReadonlyMap<UnitType, Shelf> = new Map(
  unitTypes.map((type) => [
    type,
    shelfOf(isBooked(unitTypeCode(type)) ? [...own[type], ...bookingSettings] : own[type]),
  ]),
);

/** What a unit of this type has; one of a type that is not known has what all have. */
export function shelfOfType(unitType: number | undefined): Shelf {
  const type = unitType === undefined ? undefined : unitTypeOf(unitType);
  return (type && byType.get(type)) ?? common;
}

/** Of the values that a unit of this type was given, by name, those that are shown of it; a unit can have been another. */
export function shownOfType<V>(unitType: number | undefined, given: ReadonlyMap<string, V>): ReadonlyMap<string, V> {
  const { visible } = shelfOfType(unitType);
  return new Map([...given].filter(([name]) => visible.has(name)));
}

/** Every definition of every type, once. */
export const allDefinitions: readonly Definition[] = [
  ...new Map([...byType.values()].flatMap(({ all }) => all).map((each) => [each.name, each])).values(),
];

/** What may be shown in a group, whatever the type of the unit. */
export const namesOf = (group: GroupName): readonly string[] =>
  allDefinitions.flatMap(({ name, visible, group: its }) => (its === group && visible ? [name] : []));
