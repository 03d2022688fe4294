// The unit catalogue: for every type of unit, what can be set of it and what it reports.

import { isBookableType, unitTypeCode, unitTypeOf, unitTypes, type UnitType } from '../../places/rules/unit-types.ts';
import { door, elevator, gate, lock, parcelLocker, storageRoom } from './access.ts';
import { bookingSettings } from './booking-settings.ts';
import { bikeCharger, evCharger, parking } from './charging.ts';
import { freezer, heatPump } from './climate.ts';
import { commonSettings, commonStates } from './all-units.ts';
import { settingGroups, stateGroups, type ValueDefinition, type GroupName } from './value-definition.ts';
import { dryer, extractor, ironer, washer } from './machines.ts';
import { electricityMeter, gasMeter, heatMeter, waterMeter } from './meters.ts';
import { openingSettings } from './opening-settings.ts';
import { paymentTerminal } from './payment-terminal.ts';
import { gym, guestRoom, partyRoom, sauna, shower } from './rooms.ts';
import { smokeDetector, thermometer, wasteBin } from './sensors.ts';

/** What each type has beyond what all have, and beyond what says how it is booked. */
const definitionsByType: Readonly<Record<UnitType, readonly ValueDefinition[]>> = {
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

const allGroupNames: readonly GroupName[] = [...settingGroups, ...stateGroups];

export const isGroupName = (name: string): name is GroupName => (allGroupNames as readonly string[]).includes(name);

/** What a type of unit has, shown or not, and what is shown of it, by name and by group. */
export type TypeCatalogue = {
  readonly definitions: readonly ValueDefinition[];
  readonly visibleByName: ReadonlyMap<string, ValueDefinition>;
  /** In the order in which they are shown; none is empty. */
  readonly visibleByGroup: ReadonlyMap<GroupName, readonly ValueDefinition[]>;
};

function createTypeCatalogue(definitions: readonly ValueDefinition[]): TypeCatalogue {
  const all = [...commonSettings, ...definitions, ...commonStates];
  const visible = all.filter((definition) => definition.visible);
  const ofGroup = Map.groupBy(visible, ({ group }) => group);
  const visibleGroups = allGroupNames.flatMap((group) => {
    const found = ofGroup.get(group);
    return found === undefined ? [] : [[group, found] as const];
  });
  return {
    definitions: all,
    visibleByName: new Map(visible.map((each) => [each.name, each])),
    visibleByGroup: new Map(visibleGroups),
  };
}

const unknownTypeCatalogue = createTypeCatalogue([]);
const catalogueByType: ReadonlyMap<UnitType, TypeCatalogue> = new Map(
  unitTypes.map((type) => [
    type,
    createTypeCatalogue(
      isBookableType(unitTypeCode(type)) ? [...definitionsByType[type], ...bookingSettings] : definitionsByType[type],
    ),
  ]),
);

/** What a unit of this type has; one of a type that is not known has what all have. */
export function typeCatalogueOf(unitType: number | undefined): TypeCatalogue {
  const type = unitType === undefined ? undefined : unitTypeOf(unitType);
  return (type && catalogueByType.get(type)) ?? unknownTypeCatalogue;
}

/** Of the values that a unit of this type was given, by name, those that are shown of it; a unit can have been another. */
export function selectVisibleValues<V>(
  unitType: number | undefined,
  storedValues: ReadonlyMap<string, V>,
): ReadonlyMap<string, V> {
  const { visibleByName } = typeCatalogueOf(unitType);
  return new Map([...storedValues].filter(([name]) => visibleByName.has(name)));
}

/** Every definition of every type, once. */
export const allDefinitions: readonly ValueDefinition[] = [
  ...new Map(
    [...catalogueByType.values()].flatMap(({ definitions }) => definitions).map((each) => [each.name, each]),
  ).values(),
];

/** What may be shown in a group, whatever the type of the unit. */
export const visibleNamesOfGroup = (group: GroupName): readonly string[] =>
  allDefinitions.flatMap(({ name, visible, group: its }) => (its === group && visible ? [name] : []));
