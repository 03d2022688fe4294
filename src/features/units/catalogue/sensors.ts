// The settings and states of sensors: smoke detectors, thermometers, waste bins.

import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  alarmActive,
  alarmAfter,
  batteryLevel,
  humidity,
  pricePerStart,
  tamperDetected,
  temperature,
  temperatureLimits,
} from './shared-definitions.ts';

export const thermometer: readonly ValueDefinition[] = [
  ...temperatureLimits,
  alarmAfter,
  setting('Operation', 'CalibrationOffset', 'decimal', {
    unitOfMeasure: 'K',
    min: -5,
    max: 5,
    step: 0.1,
    fallback: '0.0',
  }),
  alarmActive,
  batteryLevel,
  temperature,
  humidity,
];

export const smokeDetector: readonly ValueDefinition[] = [
  setting('Operation', 'AlarmDelay', 'duration', { unitOfMeasure: 's', min: 0, max: 120, fallback: '0' }),
  setting('Operation', 'AlarmVolume', 'int', { unitOfMeasure: '%', min: 20, max: 100, step: 10, fallback: '100' }),
  setting('Operation', 'TestInterval', 'duration', { unitOfMeasure: 'd', min: 1, max: 365, fallback: '30' }),
  alarmActive,
  tamperDetected,
  state('Status', 'SmokeDetected', 'bool'),
  state('Status', 'TestPassed', 'bool'),
  batteryLevel,
  state('Measurements', 'Contamination', 'int', { unitOfMeasure: '%', min: 0, max: 100 }),
  temperature,
];

export const wasteBin: readonly ValueDefinition[] = [
  /** The fill level at which the bin must be emptied. */
  setting('Operation', 'FillAlarm', 'int', { unitOfMeasure: '%', min: 10, max: 100, step: 5, fallback: '80' }),
  setting('Operation', 'WasteKind', 'enum', {
    options: ['Residual', 'Food', 'Paper', 'Plastic', 'Glass', 'Metal'],
    fallback: 'Residual',
  }),
  pricePerStart,
  state('Status', 'LidOpen', 'bool'),
  alarmActive,
  batteryLevel,
  state('Measurements', 'FillLevel', 'int', { unitOfMeasure: '%', min: 0, max: 100 }),
  temperature,
  state('Counters', 'EmptiedCount', 'int', { min: 0 }),
];
