// The commands that units of each type understand, and their names. What a command does is decided by the equipment.

import unitCommands from '../../../../locales/unit-commands.json' with { type: 'json' };
import { localisedTexts, type Language } from '../../../lib/text/language.ts';
import { unitTypeOf, type UnitType } from '../../places/rules/unit-types.ts';

/** Every unit has a controller that can be started anew. */
const common = ['Restart'] as const;
const ofLocks = ['Unlock', 'Lock'] as const;
const ofMachines = ['StopProgram'] as const;
const ofRooms = ['Unlock', 'Lock', 'Stop'] as const;
const ofChargers = ['StopCharging', 'UnlockConnector'] as const;
const ofMeters = ['ReadNow'] as const;
const ofAlarms = ['ReadNow', 'ResetAlarm'] as const;

const commandsByType = {
  washer: ofMachines,
  dryer: ofMachines,
  ironer: ofMachines,
  shower: ['Stop'],
  sauna: ofRooms,
  electricity_meter: ofMeters,
  water_meter: ofMeters,
  heat_meter: ofMeters,
  gas_meter: ofMeters,
  door: ofLocks,
  lock: ofLocks,
  ev_charger: ofChargers,
  parking: ofLocks,
  guest_room: ofLocks,
  party_room: ofLocks,
  payment_terminal: [],
  extractor: ofMachines,
  bike_charger: ofChargers,
  gate: ofLocks,
  elevator: ofLocks,
  storage_room: ofLocks,
  gym: ofLocks,
  parcel_locker: ofLocks,
  heat_pump: ofAlarms,
  thermometer: ofMeters,
  smoke_detector: ['SelfTest', 'ResetAlarm'],
  waste_bin: ofMeters,
  freezer: ofAlarms,
} as const satisfies Readonly<Record<UnitType, readonly string[]>>;

export type CommandName = (typeof common)[number] | (typeof commandsByType)[UnitType][number];

/** The names for a type of units; of an unknown type only those that every unit has. */
export function commandsOf(unitType: number | undefined): readonly CommandName[] {
  const type = unitType === undefined ? undefined : unitTypeOf(unitType);
  return type === undefined ? common : [...commandsByType[type], ...common];
}

/** Each name once. */
export const commandNames: readonly CommandName[] = [
  ...new Set([...common, ...Object.values(commandsByType).flat()]),
].toSorted((a, b) => (a < b ? -1 : 1));

const commandTexts = localisedTexts(unitCommands);

export const formatCommandLabel = (name: CommandName, language: Language): string =>
  commandTexts[language].get(name) ?? name;
