// The settings and states of doors, locks, gates, elevators, storage rooms and parcel lockers.

import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  batteryLevel,
  cycle,
  doorOpen,
  occupied,
  pricePerHour,
  pricePerMonth,
  tamperDetected,
} from './shared-definitions.ts';

/** A lock, and how it is opened. */
export const lockSettings: readonly ValueDefinition[] = [
  setting('Operation', 'AccessMode', 'enum', {
    options: ['Key', 'KeyAndPin', 'Pin', 'Free', 'Blocked'],
    fallback: 'Key',
  }),
  setting('Operation', 'UnlockSeconds', 'duration', { unitOfMeasure: 's', min: 1, max: 300, fallback: '5' }),
  setting('Operation', 'AutoRelock', 'bool', { fallback: 'true' }),
];
export const lockStates: readonly ValueDefinition[] = [
  state('Status', 'LockState', 'enum', { options: ['Locked', 'Unlocked', 'Jammed', 'Unknown'] }),
  tamperDetected,
];

const accessCount = state('Counters', 'AccessCount', 'int', { min: 0 });
/** How long it may stand open before an alarm. */
const openAlarmAfter = setting('Operation', 'OpenAlarmAfter', 'duration', {
  unitOfMeasure: 's',
  min: 0,
  max: 3600,
  step: 10,
  fallback: '120',
});

export const lock: readonly ValueDefinition[] = [...lockSettings, ...lockStates, batteryLevel, accessCount];

export const door: readonly ValueDefinition[] = [
  /** The phases of a passage, which is one document. */
  cycle,
  ...lockSettings,
  /** Unlocked during the opening hours. */
  setting('Operation', 'FreeInOpeningHours', 'bool', { fallback: 'false' }),
  openAlarmAfter,
  ...lockStates,
  doorOpen,
  accessCount,
];

export const gate: readonly ValueDefinition[] = [
  setting('Operation', 'HoldOpen', 'bool', { fallback: 'false' }),
  setting('Operation', 'CloseAfter', 'duration', { unitOfMeasure: 's', min: 5, max: 600, step: 5, fallback: '30' }),
  openAlarmAfter,
  state('Status', 'Obstructed', 'bool'),
  state('Measurements', 'GatePosition', 'int', { unitOfMeasure: '%', min: 0, max: 100 }),
  accessCount,
];

export const elevator: readonly ValueDefinition[] = [
  setting('Operation', 'MaxLoad', 'int', { unitOfMeasure: 'kg', min: 100, max: 10_000, step: 10 }),
  /** The floor on which it waits. */
  setting('Operation', 'ParkingFloor', 'int', { min: -9, max: 199, fallback: '0' }),
  setting('Operation', 'KeyRequired', 'bool', { fallback: 'false' }),
  doorOpen,
  state('Status', 'EmergencyCall', 'bool'),
  state('Status', 'Direction', 'enum', { options: ['Up', 'Down', 'Standing'] }),
  state('Measurements', 'Floor', 'int'),
  state('Counters', 'TripCount', 'int', { min: 0 }),
];

export const storageRoom: readonly ValueDefinition[] = [
  ...lockSettings,
  setting('Operation', 'FloorArea', 'decimal', { unitOfMeasure: 'm2', min: 0, max: 1000, step: 0.1 }),
  pricePerHour,
  pricePerMonth,
  ...lockStates,
  doorOpen,
  occupied,
  accessCount,
];

export const parcelLocker: readonly ValueDefinition[] = [
  ...lockSettings,
  setting('Operation', 'Compartments', 'int', { min: 1, max: 500 }),
  /** How long a parcel is kept before it is returned. */
  setting('Operation', 'KeepParcel', 'duration', { unitOfMeasure: 'd', min: 1, max: 30, fallback: '7' }),
  pricePerHour,
  ...lockStates,
  state('Status', 'CompartmentsFree', 'int', { min: 0 }),
  accessCount,
];
