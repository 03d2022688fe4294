// The settings and states of meters.

import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  alarmActive,
  alarmAfter,
  batteryLevel,
  current,
  cycle,
  flow,
  power,
  pricePerEnergy,
  pricePerMonth,
  pricePerVolume,
  reducedHours,
  returnTemperature,
  supplyTemperature,
  tamperDetected,
  temperature,
} from './shared-definitions.ts';

const meterSettings: readonly ValueDefinition[] = [
  /** The phases of a month, which is one document. */
  cycle,
  setting('Operation', 'MeterNumber', 'text', { maxLength: 32, pattern: '[A-Z0-9][A-Z0-9-]*' }),
  /** Pulses of the meter per kilowatt hour, or per cubic metre. */
  setting('Operation', 'PulsesPerUnit', 'decimal', { min: 0.001, max: 100_000, step: 0.001, fallback: '1.000' }),
  setting('Operation', 'ReadingOffset', 'decimal', { min: -1_000_000, max: 1_000_000, step: 0.001, fallback: '0.000' }),
  /** The time of the daily reading. */
  setting('Operation', 'ReadingTime', 'time', { fallback: '00:00' }),
  alarmAfter,
];
const meterPrices: readonly ValueDefinition[] = [pricePerMonth, ...reducedHours];

const energyReading = state('Measurements', 'EnergyReading', 'decimal', {
  unitOfMeasure: 'kW.h',
  min: 0,
  step: 0.001,
  isCounter: true,
});
const volumeReading = state('Measurements', 'VolumeReading', 'decimal', {
  unitOfMeasure: 'm3',
  min: 0,
  step: 0.001,
  isCounter: true,
});
const flowAlarmLimit = setting('Operation', 'FlowAlarmLimit', 'decimal', {
  unitOfMeasure: 'L/h',
  min: 0,
  max: 100_000,
  step: 0.1,
});
const powerAlarmLimit = setting('Operation', 'PowerAlarmLimit', 'decimal', {
  unitOfMeasure: 'kW',
  min: 0,
  max: 10_000,
  step: 0.1,
});
const leakAlarm: readonly ValueDefinition[] = [
  setting('Operation', 'LeakAlarm', 'bool', { fallback: 'true' }),
  state('Status', 'LeakDetected', 'bool'),
];

export const electricityMeter: readonly ValueDefinition[] = [
  ...meterSettings,
  setting('Operation', 'TransformerRatio', 'int', { min: 1, max: 10_000, fallback: '1' }),
  powerAlarmLimit,
  pricePerEnergy,
  ...meterPrices,
  alarmActive,
  tamperDetected,
  energyReading,
  power,
  state('Measurements', 'Voltage', 'decimal', { unitOfMeasure: 'V', step: 0.1 }),
  current,
];

export const heatMeter: readonly ValueDefinition[] = [
  ...meterSettings,
  flowAlarmLimit,
  pricePerEnergy,
  ...meterPrices,
  alarmActive,
  tamperDetected,
  batteryLevel,
  energyReading,
  volumeReading,
  flow,
  power,
  supplyTemperature,
  returnTemperature,
];

export const waterMeter: readonly ValueDefinition[] = [
  ...meterSettings,
  flowAlarmLimit,
  ...leakAlarm,
  pricePerVolume,
  ...meterPrices,
  alarmActive,
  tamperDetected,
  batteryLevel,
  volumeReading,
  flow,
  temperature,
];

export const gasMeter: readonly ValueDefinition[] = [
  ...meterSettings,
  flowAlarmLimit,
  ...leakAlarm,
  pricePerVolume,
  ...meterPrices,
  alarmActive,
  tamperDetected,
  batteryLevel,
  volumeReading,
  flow,
];
