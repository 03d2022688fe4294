// Generates the states that demo units report: counters of meters, and running or idle machines.

import type { ValueDefinition } from '../../src/features/units/catalogue/value-definition.ts';
import type { DemoUnit } from '../places/places.ts';
import type { Random } from '../random.ts';
import { demoErrors } from './setting-edits.ts';

type ValueRange = readonly [low: number, high: number];

const ranges: Readonly<Record<string, ValueRange>> = {
  SignalStrength: [35, 100],
  Uptime: [1, 4000],
  BatteryLevel: [22, 100],
  CompartmentsFree: [0, 12],
  PersonsPresent: [0, 8],
  SessionTime: [5, 240],
  SessionEnergy: [0.5, 40],
  Temperature: [17, 24],
  SupplyTemperature: [38, 72],
  ReturnTemperature: [24, 45],
  OutdoorTemperature: [-6, 24],
  Humidity: [28, 65],
  Power: [0.002, 0.04],
  Current: [0, 16],
  Voltage: [226, 236],
  Flow: [0, 600],
  Efficiency: [2.4, 4.6],
  WaterLevel: [0, 4],
  SoapLevel: [10, 100],
  SpinSpeed: [0, 0],
  Contamination: [0, 25],
  FillLevel: [5, 95],
  GatePosition: [0, 100],
  NoiseLevel: [32, 58],
  Floor: [-1, 6],
  EnergyReading: [1200, 90_000],
  VolumeReading: [40, 9000],
  CycleCount: [120, 9000],
  OperatingHours: [90, 12_000],
  EnergyTotal: [60, 24_000],
  WaterTotal: [10, 2200],
  AccessCount: [300, 60_000],
  SessionCount: [5, 900],
  StayCount: [10, 1500],
  TripCount: [4000, 250_000],
  EmptiedCount: [20, 600],
  PaymentCount: [100, 9000],
  PaymentTotal: [100_000, 20_000_000],
  CoinsHeld: [0, 250_000],
};

/** The values of a unit in use that differ. */
const rangesWhileRunning: Readonly<Record<string, ValueRange>> = {
  RemainingTime: [4, 70],
  Temperature: [30, 62],
  Power: [0.4, 2.6],
  SpinSpeed: [0, 1200],
  WaterLevel: [20, 60],
};

const mostlyTrueStates = new Set(['DoorClosed', 'TestPassed', 'CardReaderReady']);
const exampleTexts: Readonly<Record<string, readonly string[]>> = {
  FirmwareVersion: ['4.2.1', '4.3.0', '5.0.2'],
  Program: ['Wash 40°', 'Wash 60°', 'Gentle', 'Mixed'],
};
const phases: Readonly<Record<string, readonly string[]>> = {
  washer: ['Filling', 'Heating', 'Washing', 'Rinsing', 'Spinning'],
  dryer: ['Heating', 'Drying', 'Cooling'],
  ironer: ['Heating', 'Pressing'],
  extractor: ['Spinning'],
};

export type UnitCondition = {
  /** The error that put the unit out of order automatically; 0 for none. */
  readonly errorId: number;
  readonly isRunning: boolean;
  readonly random: Random;
};

/** Undefined if the unit has nothing to report. */
export function demoStateValue(
  { name, valueType, constraints }: ValueDefinition,
  unit: Pick<DemoUnit, 'locationId' | 'unitId' | 'type'>,
  moment: UnitCondition,
): string | undefined {
  const { errorId, isRunning, random } = moment;
  if (name === 'ErrorId') return String(errorId);
  if (name === 'ErrorText') return demoErrors.get(errorId) ?? '';
  if (name === 'IpAddress') return demoIpAddress(unit);
  if (name === 'ProgramRunning') return String(isRunning);
  if (name === 'Program' && !isRunning) return undefined;
  if (name === 'Phase') return isRunning ? random.pick(phases[unit.type] ?? ['Washing']) : 'Idle';
  if (name === 'RemainingTime' && !isRunning) return '0';
  if (valueType === 'bool') return String(random.chance(mostlyTrueStates.has(name) ? 0.95 : 0.12));
  if (valueType === 'enum') return random.pick(constraints.options ?? []);
  if (valueType === 'text') return random.pick(exampleTexts[name] ?? ['']);
  const [low, high] = (isRunning ? rangesWhileRunning[name] : undefined) ??
    freezerRange(name, unit) ??
    ranges[name] ?? [0, 0];
  const decimals = String(constraints.step ?? 1).split('.')[1]?.length ?? 0;
  return (low + random.next() * (high - low)).toFixed(decimals);
}

/** Returns one of the addresses that RFC 5737 sets aside for documentation. */
export const demoIpAddress = ({ locationId, unitId }: Pick<DemoUnit, 'locationId' | 'unitId'>): string =>
  `192.0.2.${(locationId * 40 + unitId) % 254}`;

const freezerRange = (name: string, { type }: Pick<DemoUnit, 'type'>): ValueRange | undefined =>
  name === 'Temperature' && type === 'freezer' ? [-24, -17] : undefined;
