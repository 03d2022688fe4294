// The settings and states that several types of units share. A name has one definition.

import { setting, state, type ValueDefinition } from './value-definition.ts';

/** The maximum limits the damage of a typing error, in every currency. */
const price = { min: 0, max: 100_000_000 } as const;
const count = { min: 0 } as const;
const percent = { unitOfMeasure: '%', min: 0, max: 100 } as const;

/** Marks the phases of a run, written by the equipment. The writes from Start to End are one document. */
export const cycle = setting('Operation', 'Cycle', 'enum', {
  options: ['Start', 'Heat', 'Prewash', 'Wash', 'Rinse', 'Spin', 'Dry', 'Press', 'Flow', 'Charge', 'CoolDown', 'End'],
  editable: false,
});

export const pricePerStart = setting('Prices', 'PricePerStart', 'money', price);
export const pricePerMinute = setting('Prices', 'PricePerMinute', 'money', price);
export const pricePerHour = setting('Prices', 'PricePerHour', 'money', price);
export const pricePerMonth = setting('Prices', 'PricePerMonth', 'money', price);
/** Per kilowatt hour, and per cubic metre. */
export const pricePerEnergy = setting('Prices', 'PricePerEnergy', 'money', price);
export const pricePerVolume = setting('Prices', 'PricePerVolume', 'money', price);
export const deposit = setting('Prices', 'Deposit', 'money', price);

/** The hours with a reduced price; an end at or before the start is on the next day. */
export const reducedHours: readonly ValueDefinition[] = [
  setting('Prices', 'ReducedFrom', 'time'),
  setting('Prices', 'ReducedThrough', 'time', { max: '24:00' }),
  setting('Prices', 'ReducedBy', 'int', { ...percent, fallback: '0' }),
];

/** For units with runs that residents start and pay for. */
export const runSettings: readonly ValueDefinition[] = [
  cycle,
  /** The time after payment within which a run must be started. */
  setting('Operation', 'StartWithin', 'duration', { unitOfMeasure: 'min', min: 1, max: 120, fallback: '10' }),
];
export const runStates: readonly ValueDefinition[] = [
  state('Program', 'ProgramRunning', 'bool'),
  state('Program', 'RemainingTime', 'duration', { unitOfMeasure: 'min', ...count }),
];

export const maxPersons = setting('Operation', 'MaxPersons', 'int', { min: 1, max: 500 });
/** Between two users. */
export const cleaningTime = setting('Operation', 'CleaningTime', 'duration', {
  unitOfMeasure: 'min',
  min: 0,
  max: 1440,
  step: 5,
  fallback: '0',
});
export const temperatureLimits: readonly ValueDefinition[] = [
  setting('Operation', 'TemperatureLow', 'decimal', { unitOfMeasure: 'Cel', min: -60, max: 120, step: 0.1 }),
  setting('Operation', 'TemperatureHigh', 'decimal', { unitOfMeasure: 'Cel', min: -60, max: 120, step: 0.1 }),
];
/** How long a condition lasts before an alarm. */
export const alarmAfter = setting('Operation', 'AlarmAfter', 'duration', {
  unitOfMeasure: 'min',
  min: 0,
  max: 1440,
  fallback: '10',
});
export const nightHours: readonly ValueDefinition[] = [
  setting('Operation', 'NightFrom', 'time', { fallback: '22:00' }),
  setting('Operation', 'NightThrough', 'time', { max: '24:00', fallback: '06:00' }),
];

export const doorClosed = state('Status', 'DoorClosed', 'bool');
export const doorOpen = state('Status', 'DoorOpen', 'bool');
export const occupied = state('Status', 'Occupied', 'bool');
export const alarmActive = state('Status', 'AlarmActive', 'bool');
export const tamperDetected = state('Status', 'TamperDetected', 'bool');
export const batteryLevel = state('Status', 'BatteryLevel', 'int', percent);
export const compressorOn = state('Status', 'CompressorOn', 'bool');

export const temperature = state('Measurements', 'Temperature', 'decimal', { unitOfMeasure: 'Cel', step: 0.1 });
export const supplyTemperature = state('Measurements', 'SupplyTemperature', 'decimal', {
  unitOfMeasure: 'Cel',
  step: 0.1,
});
export const returnTemperature = state('Measurements', 'ReturnTemperature', 'decimal', {
  unitOfMeasure: 'Cel',
  step: 0.1,
});
export const humidity = state('Measurements', 'Humidity', 'int', percent);
export const power = state('Measurements', 'Power', 'decimal', { unitOfMeasure: 'kW', step: 0.001 });
export const current = state('Measurements', 'Current', 'decimal', { unitOfMeasure: 'A', step: 0.1 });
export const flow = state('Measurements', 'Flow', 'decimal', { unitOfMeasure: 'L/h', min: 0, step: 0.1 });

export const cycleCount = state('Counters', 'CycleCount', 'int', count);
export const operatingHours = state('Counters', 'OperatingHours', 'duration', { unitOfMeasure: 'h', ...count });
export const energyTotal = state('Counters', 'EnergyTotal', 'decimal', { unitOfMeasure: 'kW.h', min: 0, step: 0.1 });
export const waterTotal = state('Counters', 'WaterTotal', 'decimal', { unitOfMeasure: 'm3', min: 0, step: 0.001 });
