// The settings and states of shared rooms: guest rooms, party rooms, gyms, saunas, showers.

import { lockSettings, lockStates } from './access-control.ts';
import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  cleaningTime,
  cycle,
  cycleCount,
  deposit,
  doorOpen,
  energyTotal,
  flow,
  humidity,
  maxPersons,
  nightHours,
  occupied,
  power,
  pricePerHour,
  pricePerMinute,
  pricePerStart,
  reducedHours,
  runStates,
  temperature,
  waterTotal,
} from './shared-definitions.ts';

export const shower: readonly ValueDefinition[] = [
  cycle,
  setting('Operation', 'ShowerTime', 'duration', { unitOfMeasure: 's', min: 30, max: 1800, step: 30, fallback: '240' }),
  /** How long the water may be paused. */
  setting('Operation', 'PauseTime', 'duration', { unitOfMeasure: 's', min: 0, max: 600, step: 10, fallback: '60' }),
  setting('Operation', 'MaxWaterTemperature', 'int', { unitOfMeasure: 'Cel', min: 30, max: 45, fallback: '40' }),
  /** Against legionella: the pipes are flushed after this long without a shower. */
  setting('Operation', 'FlushInterval', 'duration', { unitOfMeasure: 'h', min: 12, max: 168, fallback: '72' }),
  pricePerStart,
  pricePerMinute,
  ...runStates,
  occupied,
  temperature,
  flow,
  cycleCount,
  waterTotal,
];

export const sauna: readonly ValueDefinition[] = [
  cycle,
  setting('Operation', 'TemperatureSetpoint', 'decimal', {
    unitOfMeasure: 'Cel',
    min: 40,
    max: 110,
    step: 0.5,
    fallback: '80.0',
  }),
  setting('Operation', 'HumiditySetpoint', 'int', { unitOfMeasure: '%', min: 0, max: 60, step: 5, fallback: '15' }),
  setting('Operation', 'PreheatTime', 'duration', { unitOfMeasure: 'min', min: 0, max: 180, step: 5, fallback: '45' }),
  maxPersons,
  cleaningTime,
  pricePerStart,
  pricePerMinute,
  ...reducedHours,
  ...runStates,
  state('Status', 'HeaterOn', 'bool'),
  occupied,
  temperature,
  humidity,
  power,
  cycleCount,
  energyTotal,
];

export const guestRoom: readonly ValueDefinition[] = [
  ...lockSettings,
  setting('Operation', 'CheckInFrom', 'time', { fallback: '15:00' }),
  setting('Operation', 'CheckOutUntil', 'time', { fallback: '11:00' }),
  maxPersons,
  cleaningTime,
  setting('Prices', 'PricePerNight', 'money', { min: 0, max: 100_000_000 }),
  deposit,
  ...lockStates,
  doorOpen,
  occupied,
  temperature,
];

export const partyRoom: readonly ValueDefinition[] = [
  ...lockSettings,
  maxPersons,
  cleaningTime,
  setting('Operation', 'LightsOutAt', 'time', { max: '24:00' }),
  setting('Operation', 'NoiseLimit', 'int', { unitOfMeasure: 'dB', min: 40, max: 120, fallback: '85' }),
  ...nightHours,
  pricePerHour,
  deposit,
  ...lockStates,
  doorOpen,
  occupied,
  state('Measurements', 'NoiseLevel', 'int', { unitOfMeasure: 'dB', min: 0, max: 160 }),
  temperature,
];

export const gym: readonly ValueDefinition[] = [
  ...lockSettings,
  maxPersons,
  pricePerHour,
  ...lockStates,
  doorOpen,
  state('Status', 'PersonsPresent', 'int', { min: 0 }),
  temperature,
  humidity,
];
