// The settings and states of laundry machines.

import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  cycleCount,
  doorClosed,
  energyTotal,
  humidity,
  operatingHours,
  power,
  pricePerMinute,
  pricePerStart,
  reducedHours,
  runSettings,
  runStates,
  temperature,
  waterTotal,
} from './shared-definitions.ts';

const price = { min: 0, max: 100_000_000 } as const;
const dose = { unitOfMeasure: 'mL', min: 0, max: 250, step: 0.5 } as const;

const programSet = setting('Operation', 'ProgramSet', 'enum', {
  options: ['Standard', 'Economy', 'Allergy', 'Heavy'],
  fallback: 'Standard',
});
const childLock = setting('Operation', 'ChildLock', 'bool', { fallback: 'false' });
const maxSpinSpeed = setting('Operation', 'MaxSpinSpeed', 'int', {
  unitOfMeasure: '/min',
  min: 400,
  max: 1600,
  step: 100,
  fallback: '1400',
});
const coolDownTime = setting('Operation', 'CoolDownTime', 'duration', {
  unitOfMeasure: 'min',
  min: 0,
  max: 30,
  fallback: '5',
});

const machineStates: readonly ValueDefinition[] = [
  ...runStates,
  state('Program', 'Program', 'text', { maxLength: 60 }),
  state('Program', 'Phase', 'enum', {
    options: ['Idle', 'Filling', 'Heating', 'Washing', 'Rinsing', 'Spinning', 'Drying', 'Pressing', 'Cooling', 'Done'],
  }),
  doorClosed,
  temperature,
  power,
  cycleCount,
  operatingHours,
  energyTotal,
];
const spinSpeed = state('Measurements', 'SpinSpeed', 'int', { unitOfMeasure: '/min', min: 0 });

export const washer: readonly ValueDefinition[] = [
  ...runSettings,
  programSet,
  childLock,
  setting('Operation', 'MaxTemperature', 'int', { unitOfMeasure: 'Cel', min: 20, max: 95, step: 5, fallback: '95' }),
  maxSpinSpeed,
  setting('Operation', 'RinseCycles', 'int', { min: 1, max: 6, fallback: '3' }),
  setting('Operation', 'SoapDosing', 'bool', { fallback: 'true' }),
  setting('Operation', 'SoapDose', 'decimal', { ...dose, fallback: '40.0' }),
  setting('Operation', 'SoftenerDose', 'decimal', { ...dose, fallback: '25.0' }),
  setting('Prices', 'PriceWash30', 'money', price),
  setting('Prices', 'PriceWash40', 'money', price),
  setting('Prices', 'PriceWash60', 'money', price),
  setting('Prices', 'PriceWash90', 'money', price),
  setting('Prices', 'PriceSoap', 'money', price),
  ...reducedHours,
  ...machineStates,
  spinSpeed,
  state('Measurements', 'WaterLevel', 'int', { unitOfMeasure: '%', min: 0, max: 100 }),
  state('Measurements', 'SoapLevel', 'int', { unitOfMeasure: '%', min: 0, max: 100 }),
  waterTotal,
];

export const dryer: readonly ValueDefinition[] = [
  ...runSettings,
  childLock,
  setting('Operation', 'DryLevel', 'enum', { options: ['Damp', 'Iron', 'Cupboard', 'Extra'], fallback: 'Cupboard' }),
  setting('Operation', 'MaxDryingTime', 'duration', {
    unitOfMeasure: 'min',
    min: 5,
    max: 240,
    step: 5,
    fallback: '90',
  }),
  coolDownTime,
  pricePerStart,
  pricePerMinute,
  ...reducedHours,
  ...machineStates,
  humidity,
  state('Status', 'FilterFull', 'bool'),
];

export const ironer: readonly ValueDefinition[] = [
  ...runSettings,
  setting('Operation', 'RollTemperature', 'int', { unitOfMeasure: 'Cel', min: 80, max: 200, step: 5, fallback: '160' }),
  coolDownTime,
  pricePerStart,
  pricePerMinute,
  ...reducedHours,
  ...machineStates,
];

export const extractor: readonly ValueDefinition[] = [
  ...runSettings,
  maxSpinSpeed,
  setting('Operation', 'SpinTime', 'duration', { unitOfMeasure: 's', min: 30, max: 900, step: 30, fallback: '240' }),
  pricePerStart,
  ...machineStates,
  spinSpeed,
];
