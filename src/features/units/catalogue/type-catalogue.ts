// The unit catalogue: the settings and states of every type of unit.

import { Problem } from '../../../lib/problem.ts';
import {
  isBookableType,
  typeCodeOf,
  unitTypeCode,
  unitTypeOf,
  unitTypes,
  type UnitType,
  type UnitTypeColumns,
} from '../../places/rules/unit-types.ts';
import { door, elevator, gate, lock, parcelLocker, storageRoom } from './access-control.ts';
import { bookingSettings } from './booking-settings.ts';
import { bikeCharger, evCharger, parking } from './charging.ts';
import { freezer, heatPump } from './climate.ts';
import { commonSettings, commonStates, offlineSettings } from './all-units.ts';
import { settingGroups, stateGroups, type ValueDefinition, type UnitGroupName } from './value-definition.ts';
import { dryer, extractor, ironer, washer } from './machines.ts';
import { electricityMeter, gasMeter, heatMeter, waterMeter } from './meters.ts';
import { openingSettings } from './opening-settings.ts';
import { paymentTerminal } from './payment-terminal.ts';
import { gym, guestRoom, partyRoom, sauna, shower } from './rooms.ts';
import { smokeDetector, thermometer, wasteBin } from './sensors.ts';

/** The definitions of each type, without those that all types have and those of bookings. */
const definitionsByType: Readonly<Record<UnitType, readonly ValueDefinition[]>> = {
  washer: [...washer, ...openingSettings, ...offlineSettings],
  dryer: [...dryer, ...openingSettings, ...offlineSettings],
  ironer: [...ironer, ...openingSettings, ...offlineSettings],
  shower: [...shower, ...openingSettings, ...offlineSettings],
  sauna: [...sauna, ...openingSettings, ...offlineSettings],
  electricity_meter: electricityMeter,
  water_meter: waterMeter,
  heat_meter: heatMeter,
  gas_meter: gasMeter,
  door: [...door, ...openingSettings, ...offlineSettings],
  lock: [...lock, ...openingSettings, ...offlineSettings],
  ev_charger: [...evCharger, ...openingSettings, ...offlineSettings],
  parking: [...parking, ...openingSettings, ...offlineSettings],
  guest_room: [...guestRoom, ...openingSettings, ...offlineSettings],
  party_room: [...partyRoom, ...openingSettings, ...offlineSettings],
  payment_terminal: [...paymentTerminal, ...openingSettings],
  extractor: [...extractor, ...openingSettings, ...offlineSettings],
  bike_charger: [...bikeCharger, ...openingSettings, ...offlineSettings],
  gate: [...gate, ...openingSettings, ...offlineSettings],
  elevator: [...elevator, ...openingSettings, ...offlineSettings],
  storage_room: [...storageRoom, ...openingSettings, ...offlineSettings],
  gym: [...gym, ...openingSettings, ...offlineSettings],
  parcel_locker: [...parcelLocker, ...openingSettings, ...offlineSettings],
  heat_pump: heatPump,
  thermometer,
  smoke_detector: smokeDetector,
  waste_bin: wasteBin,
  freezer,
};

const allGroupNames: readonly UnitGroupName[] = [...settingGroups, ...stateGroups];

export const isGroupName = (name: string): name is UnitGroupName => (allGroupNames as readonly string[]).includes(name);

/** All definitions of a type of unit, and the visible ones by name and by group. */
type TypeCatalogue = {
  readonly definitions: readonly ValueDefinition[];
  readonly visibleByName: ReadonlyMap<string, ValueDefinition>;
  /** In the order of display; no group is empty. */
  readonly visibleByGroup: ReadonlyMap<UnitGroupName, readonly ValueDefinition[]>;
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

/** The catalogue of a type. An unknown type has the definitions that all types have. */
export function typeCatalogueOf(unitType: number | undefined): TypeCatalogue {
  const type = unitType === undefined ? undefined : unitTypeOf(unitType);
  return (type && catalogueByType.get(type)) ?? unknownTypeCatalogue;
}

/** The visible ones of a unit's values, by name. Others can date from a time when the unit had another type. */
export function selectVisibleValues<V>(
  unitType: number | undefined,
  storedValues: ReadonlyMap<string, V>,
): ReadonlyMap<string, V> {
  const { visibleByName } = typeCatalogueOf(unitType);
  return new Map([...storedValues].filter(([name]) => visibleByName.has(name)));
}

/** The setting or state of a unit with this exact name, if it is visible. */
export const findVisibleDefinition = (unit: UnitTypeColumns, name: string): ValueDefinition | undefined =>
  typeCatalogueOf(typeCodeOf(unit)).visibleByName.get(name);

/** A definition that managers may write; or why they cannot. */
type EditableDefinition =
  | { readonly definition: ValueDefinition }
  | { readonly refusal: 'unknown' | 'state' | 'not-editable' };

export function findEditableDefinition(unit: UnitTypeColumns, name: string): EditableDefinition {
  const definition = findVisibleDefinition(unit, name);
  if (definition === undefined) return { refusal: 'unknown' };
  if (definition.editable) return { definition };
  return { refusal: definition.kind === 'State' ? 'state' : 'not-editable' };
}

/** Throws 404 if the unit has no such setting or state, 422 if managers cannot write it. */
export function requireEditableDefinition(unit: UnitTypeColumns, name: string): ValueDefinition {
  const found = findEditableDefinition(unit, name);
  if ('definition' in found) return found.definition;
  if (found.refusal === 'unknown') throw new Problem('not-found');
  throw new Problem('read-only-setting', { reason: found.refusal });
}

/** Every definition of every type, once. */
export const allDefinitions: readonly ValueDefinition[] = [
  ...new Map(
    [...catalogueByType.values()].flatMap(({ definitions }) => definitions).map((each) => [each.name, each]),
  ).values(),
];

/** The visible names of a group, over all types of units. */
export const visibleNamesOfGroup = (group: UnitGroupName): readonly string[] =>
  allDefinitions.flatMap(({ name, visible, group: its }) => (its === group && visible ? [name] : []));
