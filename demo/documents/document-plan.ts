// Plans everything that a demo unit sends for one document. The same input gives the same plan, so a document that has
// begun can be continued later.

import type { StateSample } from '../../src/features/documents/queries/record-report.ts';
import { terminalCycle } from '../../src/features/documents/rules/document-bounds.ts';
import { unitTypeCode, type UnitType } from '../../src/features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../src/features/units/catalogue/type-catalogue.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { formatDocumentSeed, type DocumentKey } from './document-seed.ts';
import { runDefinitions, type RunDefinition, type RunPhase } from './run-definitions.ts';
import { createStatusSamples } from './status-samples.ts';
import { dayMs, hourMs, minuteMs } from '../../src/lib/time/durations.ts';

export type DocumentPlan = {
  /** In order of time; the last one is terminal. */
  readonly cycles: readonly { readonly at: number; readonly value: string }[];
  /** In order of time within a name. */
  readonly samples: readonly StateSample[];
};

type DocumentPlanInput = {
  readonly type: UnitType;
  /** MS2000. */
  readonly from: number;
  readonly document: DocumentKey;
  /** The time at which a meter's month ends. */
  readonly monthEnd: number;
};

/** Undefined for a type that has no documents. */
export function createDocumentPlan({ type, from, document, monthEnd }: DocumentPlanInput): DocumentPlan | undefined {
  const random = createSeededRandom(`document/${formatDocumentSeed(document)}`);
  const plan = createMeasuredPlan(type, { from, monthEnd, random });
  if (plan === undefined) return undefined;
  const through = plan.cycles.at(-1)?.at ?? from;
  return {
    ...plan,
    samples: [...plan.samples, ...createStatusSamples(type, { unit: document, from, through, random })],
  };
}

function createMeasuredPlan(type: UnitType, { from, monthEnd, random }: MonthContext): DocumentPlan | undefined {
  const definition = runDefinitions[type];
  if (definition !== undefined) return createRun(type, { definition, from, random });
  return isMeter(type) ? createMeterMonth(type, { from, monthEnd, random }) : undefined;
}

type RunContext = { readonly definition: RunDefinition; readonly from: number; readonly random: Random };

function createRun(type: UnitType, { definition, from, random }: RunContext): DocumentPlan {
  const { phases, after, programs } = definition;
  const lengthMs = random.int(...definition.minutes) * minuteMs;
  const samples: StateSample[] = [];
  const cycles: { at: number; value: string }[] = [];
  if (programs !== undefined) samples.push({ name: 'Program', at: from, value: random.pick(programs) });
  let beganAt = from;
  let before: Readonly<Record<string, number>> = definition.idle;
  for (const phase of phases) {
    const span = { from: beganAt, to: beganAt + Math.round((lengthMs * phase.share) / 1000) * 1000 };
    if (phase.cycle !== undefined) cycles.push({ at: beganAt, value: phase.cycle });
    for (const [name, value] of Object.entries(phase.states ?? {})) samples.push({ name, at: beganAt, value });
    addMeasurements(samples, { type, definition, phase, before, span, random });
    before = { ...before, ...phase.measurements };
    beganAt = span.to;
  }
  cycles.push({ at: beganAt, value: terminalCycle });
  for (const [name, value] of Object.entries(after)) samples.push({ name, at: beganAt, value });
  const span = { from, to: beganAt };
  return { cycles, samples: [...samples, ...createProgress(type, { definition, span, samples })] };
}

type ProgressContext = {
  readonly definition: RunDefinition;
  readonly span: { readonly from: number; readonly to: number };
  readonly samples: readonly StateSample[];
};

/** What counts during a run: the time that is left of a program, and the time and energy of a charging session. */
function createProgress(type: UnitType, { definition, span: { from, to }, samples }: ProgressContext): StateSample[] {
  const known = typeCatalogueOf(unitTypeCode(type)).visibleByName;
  const times = [...range(from, to, definition.stepSeconds * 1000), to];
  const countMinutes = (name: string, minutesAt: (instant: number) => number): StateSample[] =>
    known.has(name) ? times.map((at) => ({ name, at, value: String(Math.ceil(minutesAt(at) / minuteMs)) })) : [];
  return [
    ...countMinutes('RemainingTime', (at) => to - at),
    ...countMinutes('SessionTime', (at) => at - from),
    ...(known.has('SessionEnergy') ? sumEnergy(type, samples, to) : []),
  ];
}

function* range(from: number, to: number, step: number): Generator<number> {
  for (let index = from; index < to; index += step) yield index;
}

/** The energy up to each measurement of the power, and at the end. */
function sumEnergy(type: UnitType, samples: readonly StateSample[], to: number): StateSample[] {
  const name = 'SessionEnergy';
  const decimals = decimalsOf(type, name);
  const powers = samples.filter((sample) => sample.name === 'Power');
  let energy = 0;
  const energies = powers.map(({ at, value }, index) => {
    const before = energy;
    energy += Number(value ?? 0) * (((powers[index + 1]?.at ?? to) - at) / hourMs);
    return { name, at, value: before.toFixed(decimals) };
  });
  return [...energies, { name, at: to, value: energy.toFixed(decimals) }];
}

type MeasurementContext = Pick<RunContext, 'definition' | 'random'> & {
  readonly type: UnitType;
  readonly phase: RunPhase;
  /** At the start of the phase. */
  readonly before: Readonly<Record<string, number>>;
  readonly span: { readonly from: number; readonly to: number };
};

/** A measurement reaches the value of a phase within its first third. */
const approachShare = 1 / 3;
/** A failing sensor sends null. */
const nullShare = 0.004;

function addMeasurements(
  samples: StateSample[],
  { type, definition, phase, before, span, random }: MeasurementContext,
): void {
  const approachMs = (span.to - span.from) * approachShare;
  for (const [name, swing] of Object.entries(definition.swing)) {
    const decimals = decimalsOf(type, name);
    const start = before[name] ?? 0;
    const end = phase.measurements[name] ?? start;
    for (let index = span.from; index < span.to; index += definition.stepSeconds * 1000) {
      const course = start + (end - start) * Math.min(1, (index - span.from) / approachMs);
      const value = Math.max(0, course + (random.next() * 2 - 1) * swing).toFixed(decimals);
      samples.push({ name, at: index, value: random.chance(nullShare) ? null : value });
    }
  }
}

type MeterReading = {
  /** The range of the first reading, both ends included. */
  readonly start: readonly [low: number, high: number];
  /** The growth of a counter per day; undefined for a measurement that is not a counter. */
  readonly perDay?: number;
};

const meterReadings: Readonly<Partial<Record<UnitType, Readonly<Record<string, MeterReading>>>>> = {
  electricity_meter: {
    EnergyReading: { start: [1200, 90_000], perDay: 9.5 },
    Power: { start: [0.2, 3] },
    Voltage: { start: [227, 235] },
  },
  water_meter: {
    VolumeReading: { start: [40, 9000], perDay: 0.6 },
    Flow: { start: [0, 400] },
    Temperature: { start: [8, 14] },
  },
  heat_meter: {
    EnergyReading: { start: [1200, 90_000], perDay: 32 },
    SupplyTemperature: { start: [58, 72] },
    ReturnTemperature: { start: [28, 42] },
  },
  gas_meter: {
    VolumeReading: { start: [40, 9000], perDay: 3.2 },
    Flow: { start: [0, 300] },
  },
};

export const isMeter = (type: UnitType): boolean => type in meterReadings;

/** No document lasts longer, even in a month in which the clocks are set back. */
const maxMonthMs = 31 * dayMs;
const readingIntervalMs = 6 * hourMs;

type MonthContext = { readonly from: number; readonly monthEnd: number; readonly random: Random };

function createMeterMonth(type: UnitType, { from, monthEnd, random }: MonthContext): DocumentPlan {
  const lastAt = Math.min(monthEnd - hourMs, from + maxMonthMs);
  const readingsPerDay = dayMs / readingIntervalMs;
  const samples: StateSample[] = [];
  for (const [name, { start, perDay }] of Object.entries(meterReadings[type] ?? {})) {
    const decimals = decimalsOf(type, name);
    const [low, high] = start;
    const draw = (): number => low + random.next() * (high - low);
    let value = draw();
    for (let index = from; index <= lastAt; index += readingIntervalMs) {
      samples.push({ name, at: index, value: value.toFixed(decimals) });
      value = perDay === undefined ? draw() : value + (perDay * random.next() * 2) / readingsPerDay;
    }
  }
  const cycles = [
    { at: from, value: 'Start' },
    { at: lastAt, value: terminalCycle },
  ];
  return { cycles, samples };
}

function decimalsOf(type: UnitType, name: string): number {
  const { step = 1 } = typeCatalogueOf(unitTypeCode(type)).visibleByName.get(name)?.constraints ?? {};
  return String(step).split('.')[1]?.length ?? 0;
}
