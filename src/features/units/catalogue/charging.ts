// The settings and states of chargers and parking spaces.

import { setting, state, type ValueDefinition } from './value-definition.ts';
import {
  current,
  cycle,
  energyTotal,
  occupied,
  power,
  pricePerEnergy,
  pricePerHour,
  pricePerMonth,
  pricePerStart,
  reducedHours,
} from './shared-definitions.ts';

const charger: readonly ValueDefinition[] = [
  cycle,
  setting('Operation', 'MaxCurrent', 'int', { unitOfMeasure: 'A', min: 6, max: 63, fallback: '16' }),
  setting('Operation', 'SessionLimit', 'decimal', { unitOfMeasure: 'kW.h', min: 0.1, max: 500, step: 0.1 }),
  pricePerEnergy,
  pricePerStart,
  ...reducedHours,
  state('Status', 'ChargerState', 'enum', {
    options: ['Available', 'Preparing', 'Charging', 'Suspended', 'Finishing', 'Faulted'],
  }),
  state('Status', 'CableConnected', 'bool'),
  state('Program', 'SessionEnergy', 'decimal', { unitOfMeasure: 'kW.h', min: 0, step: 0.001 }),
  state('Program', 'SessionTime', 'duration', { unitOfMeasure: 'min', min: 0 }),
  power,
  current,
  energyTotal,
  state('Counters', 'SessionCount', 'int', { min: 0 }),
];

export const bikeCharger = charger;

export const evCharger: readonly ValueDefinition[] = [
  ...charger,
  setting('Operation', 'PhaseCount', 'enum', { options: ['OnePhase', 'ThreePhases'], fallback: 'ThreePhases' }),
  setting('Operation', 'LoadBalancing', 'bool', { fallback: 'true' }),
  setting('Operation', 'CableLock', 'bool', { fallback: 'true' }),
];

export const parking: readonly ValueDefinition[] = [
  setting('Operation', 'SpaceKind', 'enum', {
    options: ['Ordinary', 'Accessible', 'Electric', 'Motorcycle', 'Visitor'],
    fallback: 'Ordinary',
  }),
  setting('Operation', 'PermitRequired', 'bool', { fallback: 'true' }),
  setting('Operation', 'MaxStay', 'duration', { unitOfMeasure: 'h', min: 1, max: 8760 }),
  pricePerHour,
  pricePerMonth,
  ...reducedHours,
  occupied,
  state('Counters', 'StayCount', 'int', { min: 0 }),
];
