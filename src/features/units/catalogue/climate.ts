// The settings and states of heat pumps and freezers.

import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  alarmActive,
  alarmAfter,
  compressorOn,
  doorOpen,
  energyTotal,
  nightHours,
  operatingHours,
  power,
  pricePerEnergy,
  pricePerMonth,
  returnTemperature,
  supplyTemperature,
  temperature,
  temperatureLimits,
} from './shared-definitions.ts';

const celsius = { unitOfMeasure: 'Cel', step: 0.5 } as const;

export const heatPump: readonly ValueDefinition[] = [
  setting('Operation', 'OperatingMode', 'enum', {
    options: ['Automatic', 'Heating', 'Cooling', 'HotWater', 'Off'],
    fallback: 'Automatic',
  }),
  setting('Operation', 'RoomSetpoint', 'decimal', { ...celsius, min: 5, max: 30, fallback: '21.0' }),
  setting('Operation', 'HotWaterSetpoint', 'decimal', { ...celsius, min: 40, max: 65, fallback: '55.0' }),
  setting('Operation', 'HeatingCurve', 'decimal', { min: 0.1, max: 3, step: 0.1, fallback: '1.2' }),
  setting('Operation', 'NightSetback', 'decimal', { unitOfMeasure: 'K', min: 0, max: 10, step: 0.5, fallback: '2.0' }),
  ...nightHours,
  pricePerEnergy,
  alarmActive,
  compressorOn,
  state('Status', 'Defrosting', 'bool'),
  temperature,
  state('Measurements', 'OutdoorTemperature', 'decimal', { unitOfMeasure: 'Cel', step: 0.1 }),
  supplyTemperature,
  returnTemperature,
  power,
  state('Measurements', 'Efficiency', 'decimal', { min: 0, max: 20, step: 0.01 }),
  operatingHours,
  energyTotal,
];

export const freezer: readonly ValueDefinition[] = [
  setting('Operation', 'FreezerSetpoint', 'decimal', { ...celsius, min: -40, max: 0, fallback: '-20.0' }),
  ...temperatureLimits,
  alarmAfter,
  setting('Operation', 'DefrostInterval', 'duration', { unitOfMeasure: 'h', min: 4, max: 168, fallback: '24' }),
  pricePerMonth,
  alarmActive,
  compressorOn,
  doorOpen,
  temperature,
  power,
  energyTotal,
];
