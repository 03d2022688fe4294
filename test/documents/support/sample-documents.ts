// Documents for tests and benchmarks: small ones by hand, and realistic ones of a laundry and a meter.

import { toMs2000 } from '../../../src/lib/time/ms2000.ts';
import type {
  SampleColumn,
  DocumentHead,
  DocumentSamples,
} from '../../../src/features/documents/rules/document-table.ts';

export type SampleDocument = { readonly head: DocumentHead; readonly samples: DocumentSamples };

export const column = (name: string, more: Partial<SampleColumn> = {}): SampleColumn => ({
  name,
  kind: 'State',
  label: name,
  valueType: 'decimal',
  unitOfMeasure: null,
  options: [],
  isCounter: false,
  ...more,
});

export const ms2000Of = (utc: string): number => toMs2000(Date.parse(utc));

/** One hour of a winter afternoon by default. */
export function headOf(columns: readonly SampleColumn[], more: Partial<DocumentHead> = {}): DocumentHead {
  const fromMs2000 = more.fromMs2000 ?? ms2000Of('2026-01-15T13:00:00Z');
  return {
    documentKid: 'sund-B1001-L1-U2-D5551',
    unitKid: 'sund-B1001-L1-U2',
    unitName: 'Washer 2',
    unitType: 'washer',
    locationName: 'Alder Lane 4',
    timeZone: 'Europe/Copenhagen',
    finished: true,
    silentSinceMs2000: null,
    fromMs2000,
    throughMs2000: fromMs2000 + 3_600_000,
    columns,
    ...more,
  };
}

/** A sample: the time, the index of the column, the text. */
export type Sample = readonly [ms2000: number, column: number, text: string | null];

export function samplesOf(samples: readonly Sample[]): DocumentSamples {
  const sorted = samples.toSorted(([a, inA], [b, inB]) => a - b || inA - inB);
  return {
    ms2000: sorted.map(([ms2000]) => ms2000),
    columns: sorted.map(([, index]) => index),
    texts: sorted.map(([, , text]) => text),
  };
}

/** The same numbers on every run, from 0 up to 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const phases = [
  'Idle',
  'Filling',
  'Heating',
  'Washing',
  'Rinsing',
  'Spinning',
  'Drying',
  'Pressing',
  'Cooling',
  'Done',
];
const cycles = [
  'Start',
  'Heat',
  'Prewash',
  'Wash',
  'Rinse',
  'Spin',
  'Dry',
  'Press',
  'Flow',
  'Charge',
  'CoolDown',
  'End',
];

/** A wash at 60 degrees: 75 minutes, with measurements at irregular times. */
export function createWashingRun(finished = true): SampleDocument {
  const fromMs2000 = ms2000Of('2026-11-21T13:03:12Z');
  const columns = [
    column('Cycle', { kind: 'Setting', valueType: 'enum', options: cycles }),
    column('Phase', { valueType: 'enum', options: phases }),
    column('Program', { valueType: 'text' }),
    column('DoorClosed', { label: 'Door closed', valueType: 'bool' }),
    column('Temperature', { unitOfMeasure: 'Cel' }),
    column('WaterLevel', { label: 'Water level', valueType: 'int', unitOfMeasure: '%' }),
    column('SpinSpeed', { label: 'Spin speed', valueType: 'int', unitOfMeasure: '/min' }),
    column('Power', { unitOfMeasure: 'kW' }),
    column('RemainingTime', { label: 'Remaining time', valueType: 'duration', unitOfMeasure: 'min' }),
    column('EnergyTotal', { label: 'Energy, total', unitOfMeasure: 'kW.h' }),
  ];
  const minutes = 75;
  const random = createRandom(7);
  const samples: Sample[] = [];
  const add = (minute: number, index: number, text: string | null): void => {
    if (finished || minute <= 48) samples.push([fromMs2000 + Math.round(minute * 60_000), index, text]);
  };
  for (const [minute, cycle, phase] of washingPhases) {
    if (cycle !== '') add(minute, 0, cycle);
    add(minute, 1, phase);
  }
  add(0, 2, 'Cotton 60');
  for (const [minute, isClosed] of [
    [0, true],
    [74.2, false],
  ] as const)
    add(minute, 3, String(isClosed));
  for (let minute = 0; minute < minutes; minute += 0.3 + random() * 0.6)
    add(minute, 4, washTemperature(minute, random).toFixed(1));
  for (let minute = 0.1; minute < minutes; minute += 0.5 + random())
    add(minute, 5, minute > 33 && minute < 34.5 ? null : washWaterLevel(minute, random).toFixed(0));
  for (let minute = 0.2; minute < minutes; minute += 0.4 + random() * 0.5)
    add(minute, 6, washSpinSpeed(minute, random).toFixed(0));
  for (let minute = 0; minute < minutes; minute += 0.25 + random() * 0.3)
    add(minute, 7, washPower(minute, random).toFixed(3));
  for (let minute = 0; minute <= minutes; minute += 1) add(minute, 8, String(minutes - minute));
  for (let minute = 0; minute <= minutes; minute += 15) add(minute, 9, (1834.2 + minute * 0.013).toFixed(1));
  const throughMs2000 = fromMs2000 + (finished ? minutes : 48) * 60_000;
  return { head: headOf(columns, { fromMs2000, throughMs2000, finished }), samples: samplesOf(samples) };
}

const washingPhases = [
  [0, 'Start', 'Filling'],
  [4, 'Heat', 'Heating'],
  [18, 'Wash', 'Washing'],
  [42, 'Rinse', 'Rinsing'],
  [50, '', 'Filling'],
  [53, '', 'Rinsing'],
  [64, 'Spin', 'Spinning'],
  [74, 'End', 'Done'],
] as const;

const rise = (minute: number, from: number, through: number): number =>
  Math.min(1, Math.max(0, (minute - from) / (through - from)));

const washTemperature = (minute: number, random: () => number): number =>
  17.5 +
  42.8 * rise(minute, 4, 18) -
  36 * rise(minute, 42, 46) -
  4 * rise(minute, 50, 54) -
  0.05 * Math.max(0, minute - 20) +
  random() * 0.6;

const washWaterLevel = (minute: number, random: () => number): number =>
  62 * rise(minute, 0, 4) -
  55 * rise(minute, 42, 43.5) +
  70 * rise(minute, 44, 47) -
  75 * rise(minute, 49.5, 51) +
  68 * rise(minute, 51, 54) -
  70 * rise(minute, 63, 64.5) +
  random() * 2;

const washSpinSpeed = (minute: number, random: () => number): number => {
  if (minute < 4 || minute > 73.5) return 0;
  if (minute < 64) return Math.floor(minute * 3) % 2 === 0 ? 52 + random() * 6 : 0;
  return 1390 * rise(minute, 64, 67) * (1 - rise(minute, 71.5, 73.5)) + random() * 12;
};

const washPower = (minute: number, random: () => number): number => {
  if (minute > 74) return 0.004;
  if (minute > 4 && minute < 18) return 2.05 + random() * 0.06;
  return minute > 64 && minute < 72 ? 0.55 + random() * 0.2 : 0.08 + random() * 0.25;
};

/** An electricity meter with a battery over thirty days, a reading each hour, through the end of summer time. */
export function createMeterMonth(): SampleDocument {
  const fromMs2000 = ms2000Of('2026-10-01T00:00:00+02:00');
  const columns = [
    column('EnergyReading', { label: 'Energy reading', unitOfMeasure: 'kW.h' }),
    column('Power', { unitOfMeasure: 'kW' }),
    column('Voltage', { unitOfMeasure: 'V' }),
    column('BatteryLevel', { label: 'Battery level', valueType: 'int', unitOfMeasure: '%' }),
    column('TamperDetected', { label: 'Tamper detected', valueType: 'bool' }),
  ];
  const random = createRandom(11);
  const samples: Sample[] = [];
  const hours = 31 * 24;
  let reading = 48_211.337;
  for (let hour = 0; hour < hours; hour += 1) {
    const at = fromMs2000 + hour * 3_600_000;
    const hourOfDay = hour % 24;
    const power = 1.2 + 1.6 * Math.max(0, Math.sin(((hourOfDay - 7) / 14) * Math.PI)) + random() * 0.8;
    reading += power;
    // For half a day the meter could not be read.
    const isLost = hour > 260 && hour < 272;
    samples.push([at, 0, isLost ? null : reading.toFixed(3)], [at, 1, isLost ? null : power.toFixed(3)]);
    if (hour % 2 === 0) samples.push([at, 2, (229.5 + 3 * Math.sin(hour / 5) + random() * 2).toFixed(1)]);
    if (hour % 24 === 0) samples.push([at, 3, String(100 - Math.floor(hour / 200))]);
  }
  samples.push(
    [fromMs2000, 4, 'false'],
    [fromMs2000 + 300 * 3_600_000, 4, 'true'],
    [fromMs2000 + 309 * 3_600_000, 4, 'false'],
  );
  const head = headOf(columns, {
    documentKid: 'sund-B1001-L2-U7-D5552',
    unitKid: 'sund-B1001-L2-U7',
    unitName: 'Electricity meter, stairs and basement',
    unitType: 'electricity_meter',
    locationName: 'Birch Street 12',
    fromMs2000,
    throughMs2000: fromMs2000 + hours * 3_600_000,
    finished: true,
  });
  return { head, samples: samplesOf(samples) };
}

/** Sixteen measured series of as many points each, at the same times. */
export function createManySeries(points: number, seriesCount = 16): SampleDocument {
  const units = ['Cel', 'kW', '%', 'm3', 'V', '/min', 'L/h', null];
  const columns = Array.from({ length: seriesCount }, (_, index) =>
    column(`Series${index + 1}`, {
      label: `Measurement ${index + 1}`,
      unitOfMeasure: units[index % units.length] ?? null,
    }),
  );
  const fromMs2000 = ms2000Of('2026-11-18T20:00:00Z');
  const random = createRandom(3);
  const levels = columns.map((_, index) => 20 + 30 * index);
  const samples = Array.from({ length: points }, (_, at) =>
    columns.map((__, index): Sample => {
      levels[index] = (levels[index] ?? 0) + (random() - 0.5) * 2;
      return [fromMs2000 + at * 60_000, index, (levels[index] ?? 0).toFixed(2)];
    }),
  ).flat();
  const throughMs2000 = fromMs2000 + (points - 1) * 60_000;
  return { head: headOf(columns, { fromMs2000, throughMs2000, unitName: 'Heat pump 1' }), samples: samplesOf(samples) };
}
