// Defines the runs of demo machines: phases, lengths and measurements.

import type { UnitType } from '../../src/features/places/rules/unit-types.ts';

export type RunPhase = {
  /** The value of the Cycle setting when the phase begins; without it the previous Cycle continues. */
  readonly cycle?: string;
  /** Its share of the whole run. */
  readonly share: number;
  /** The values of enumerations and booleans in it. */
  readonly states?: Readonly<Record<string, string>>;
  /** The values that measurements reach in it. Others do not change. */
  readonly measurements: Readonly<Record<string, number>>;
};

export type RunDefinition = {
  /** Both ends included. */
  readonly minutes: readonly [low: number, high: number];
  /** The time between two measurements. */
  readonly stepSeconds: number;
  /** How long the machine is idle after a run, in hours, both ends included. */
  readonly pauseHours: readonly [low: number, high: number];
  readonly programs?: readonly string[];
  /** The measurements, each with its largest random deviation. */
  readonly swing: Readonly<Record<string, number>>;
  /** The measurements before the run. */
  readonly idle: Readonly<Record<string, number>>;
  readonly phases: readonly RunPhase[];
  /** The states after the run. */
  readonly after: Readonly<Record<string, string>>;
};

const atStart = { ProgramRunning: 'true', DoorClosed: 'true' };
const machineAfter = { ProgramRunning: 'false', Phase: 'Done', DoorClosed: 'false' };

const washer: RunDefinition = {
  minutes: [60, 90],
  stepSeconds: 120,
  pauseHours: [1, 9],
  programs: ['Wash 40°', 'Wash 60°', 'Gentle', 'Mixed'],
  swing: { Temperature: 0.4, WaterLevel: 1, SpinSpeed: 12, Power: 0.05 },
  idle: { Temperature: 18, WaterLevel: 0, SpinSpeed: 0, Power: 0.004 },
  phases: [
    {
      cycle: 'Start',
      share: 0.06,
      states: { ...atStart, Phase: 'Filling' },
      measurements: { WaterLevel: 45, SpinSpeed: 40, Power: 0.15 },
    },
    {
      cycle: 'Heat',
      share: 0.24,
      states: { Phase: 'Heating' },
      measurements: { Temperature: 58, Power: 2.2, SpinSpeed: 45 },
    },
    {
      cycle: 'Wash',
      share: 0.3,
      states: { Phase: 'Washing' },
      measurements: { Temperature: 52, Power: 0.3, SpinSpeed: 50 },
    },
    {
      cycle: 'Rinse',
      share: 0.25,
      states: { Phase: 'Rinsing' },
      measurements: { Temperature: 22, WaterLevel: 55, Power: 0.2, SpinSpeed: 60 },
    },
    {
      cycle: 'Spin',
      share: 0.15,
      states: { Phase: 'Spinning' },
      measurements: { WaterLevel: 0, Power: 0.6, SpinSpeed: 1200 },
    },
  ],
  after: machineAfter,
};

const dryer: RunDefinition = {
  minutes: [45, 80],
  stepSeconds: 180,
  pauseHours: [1, 10],
  programs: ['Cupboard dry', 'Iron dry'],
  swing: { Temperature: 0.5, Humidity: 1, Power: 0.06 },
  idle: { Temperature: 21, Humidity: 48, Power: 0.003 },
  phases: [
    {
      cycle: 'Start',
      share: 0.15,
      states: { ...atStart, Phase: 'Heating' },
      measurements: { Temperature: 55, Humidity: 78, Power: 2.4 },
    },
    {
      cycle: 'Dry',
      share: 0.7,
      states: { Phase: 'Drying' },
      measurements: { Temperature: 66, Humidity: 14, Power: 1.9 },
    },
    {
      cycle: 'CoolDown',
      share: 0.15,
      states: { Phase: 'Cooling' },
      measurements: { Temperature: 32, Humidity: 12, Power: 0.2 },
    },
  ],
  after: machineAfter,
};

const ironer: RunDefinition = {
  minutes: [20, 40],
  stepSeconds: 120,
  pauseHours: [6, 20],
  swing: { Temperature: 1.5, Power: 0.08 },
  idle: { Temperature: 20, Power: 0.003 },
  phases: [
    {
      cycle: 'Start',
      share: 0.3,
      states: { ...atStart, Phase: 'Heating' },
      measurements: { Temperature: 160, Power: 3.1 },
    },
    { cycle: 'Press', share: 0.6, states: { Phase: 'Pressing' }, measurements: { Temperature: 155, Power: 1.2 } },
    { cycle: 'CoolDown', share: 0.1, states: { Phase: 'Cooling' }, measurements: { Temperature: 110, Power: 0.1 } },
  ],
  after: machineAfter,
};

const extractor: RunDefinition = {
  minutes: [5, 8],
  stepSeconds: 20,
  pauseHours: [3, 15],
  swing: { SpinSpeed: 15, Power: 0.05 },
  idle: { SpinSpeed: 0, Power: 0.002 },
  phases: [
    {
      cycle: 'Start',
      share: 0.2,
      states: { ...atStart, Phase: 'Spinning' },
      measurements: { SpinSpeed: 600, Power: 0.7 },
    },
    { cycle: 'Spin', share: 0.65, measurements: { SpinSpeed: 1400, Power: 1.1 } },
    { share: 0.15, measurements: { SpinSpeed: 0, Power: 0.05 } },
  ],
  after: machineAfter,
};

const shower: RunDefinition = {
  minutes: [4, 9],
  stepSeconds: 20,
  pauseHours: [1, 8],
  swing: { Temperature: 0.3, Flow: 8 },
  idle: { Temperature: 21, Flow: 0 },
  phases: [
    {
      cycle: 'Start',
      share: 0.1,
      states: { ProgramRunning: 'true', Occupied: 'true' },
      measurements: { Temperature: 34, Flow: 300 },
    },
    { cycle: 'Flow', share: 0.9, measurements: { Temperature: 38.5, Flow: 540 } },
  ],
  after: { ProgramRunning: 'false', Occupied: 'false' },
};

const sauna: RunDefinition = {
  minutes: [120, 180],
  stepSeconds: 240,
  pauseHours: [12, 40],
  swing: { Temperature: 0.6, Humidity: 1, Power: 0.1 },
  idle: { Temperature: 22, Humidity: 35, Power: 0.01 },
  phases: [
    {
      cycle: 'Start',
      share: 0.05,
      states: { ProgramRunning: 'true', HeaterOn: 'true', Occupied: 'false' },
      measurements: { Power: 8.8 },
    },
    { cycle: 'Heat', share: 0.3, measurements: { Temperature: 82, Humidity: 12, Power: 8.8 } },
    { share: 0.5, states: { Occupied: 'true' }, measurements: { Temperature: 85, Humidity: 22, Power: 4.2 } },
    {
      cycle: 'CoolDown',
      share: 0.15,
      states: { HeaterOn: 'false', Occupied: 'false' },
      measurements: { Temperature: 58, Humidity: 18, Power: 0.02 },
    },
  ],
  after: { ProgramRunning: 'false' },
};

const createCharger = (minutes: readonly [number, number], power: number, current: number): RunDefinition => ({
  minutes,
  stepSeconds: 300,
  pauseHours: [4, 16],
  swing: { Power: power / 100, Current: current / 80 },
  idle: { Power: 0, Current: 0 },
  phases: [
    {
      cycle: 'Start',
      share: 0.03,
      states: { CableConnected: 'true', ChargerState: 'Preparing' },
      measurements: { Power: power / 2, Current: current / 2 },
    },
    {
      cycle: 'Charge',
      share: 0.77,
      states: { ChargerState: 'Charging' },
      measurements: { Power: power, Current: current },
    },
    {
      share: 0.2,
      states: { ChargerState: 'Finishing' },
      measurements: { Power: power / 8, Current: current / 8 },
    },
  ],
  after: { ChargerState: 'Available', CableConnected: 'false' },
});

/** Somebody passes: the lock opens, then the door, which falls shut and locks. */
const door: RunDefinition = {
  minutes: [2, 4],
  stepSeconds: 20,
  pauseHours: [1, 6],
  swing: {},
  idle: {},
  phases: [
    { cycle: 'Start', share: 0.2, states: { LockState: 'Unlocked' }, measurements: {} },
    { share: 0.5, states: { DoorOpen: 'true' }, measurements: {} },
    { share: 0.3, states: { DoorOpen: 'false' }, measurements: {} },
  ],
  after: { LockState: 'Locked' },
};

export const runDefinitions: Readonly<Partial<Record<UnitType, RunDefinition>>> = {
  washer,
  dryer,
  ironer,
  extractor,
  shower,
  sauna,
  ev_charger: createCharger([90, 240], 10.8, 15.8),
  door,
  bike_charger: createCharger([60, 150], 0.45, 2.1),
};
