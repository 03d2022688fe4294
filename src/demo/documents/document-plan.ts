// All that a demo unit sends of one document, from its start to its end: the same each time that it is made, so that a
// document that has begun can be continued later.

import type { StateSample } from '../../features/documents/queries/record-report.ts';
import { terminalCycle } from '../../features/documents/rules/document-bounds.ts';
import { unitTypeCode, type UnitType } from '../../features/places/rules/unit-types.ts';
import { typeCatalogueOf } from '../../features/units/catalogue/type-catalogue.ts';
import { dayMs, hourMs, minuteMs } from '../calendar.ts';
import { createSeededRandom, type Random } from '../random.ts';
import { runOutlines, type RunOutline, type RunPhase } from './run-outlines.ts';

export type DocumentPlan = {
  /** In the order of time; the last one is terminal. */
  readonly cycles: readonly { readonly at: number; readonly value: string }[];
  /** In the order of time within a name. */
  readonly samples: readonly StateSample[];
};

export type DocumentPlanInput = {
  readonly type: UnitType;
  /** MS2000. */
  readonly from: number;
  /** Tells one document from another. */
  readonly seed: string;
  /** Where a meter's month ends. */
  readonly monthEnd: number;
};

/** Undefined for a type that has no documents. */
export function createDocumentPlan({ type, from, seed, monthEnd }: DocumentPlanInput): DocumentPlan | undefined {
  const random = createSeededRandom(`document/${seed}`);
  const outline = runOutlines[type];
  if (outline !== undefined) return createRun(type, { outline, from, random });
  return isMeter(type) ? createMeterMonth(type, { from, monthEnd, random }) : undefined;
}

type RunContext = { readonly outline: RunOutline; readonly from: number; readonly random: Random };

function createRun(type: UnitType, { outline, from, random }: RunContext): DocumentPlan {
  const { phases, after, programs } = outline;
  const lengthMs = random.int(...outline.minutes) * minuteMs;
  const samples: StateSample[] = [];
  const cycles: { at: number; value: string }[] = [];
  if (programs !== undefined) samples.push({ name: 'Program', at: from, value: random.pick(programs) });
  let at = from;
  let before: Readonly<Record<string, number>> = outline.idle;
  for (const phase of phases) {
    const span = { from: at, to: at + Math.round((lengthMs * phase.share) / 1000) * 1000 };
    if (phase.cycle !== undefined) cycles.push({ at, value: phase.cycle });
    for (const [name, value] of Object.entries(phase.states ?? {})) samples.push({ name, at, value });
    addMeasurements(samples, { type, outline, phase, before, span, random });
    before = { ...before, ...phase.measurements };
    at = span.to;
  }
  cycles.push({ at, value: terminalCycle });
  for (const [name, value] of Object.entries(after)) samples.push({ name, at, value });
  return { cycles, samples };
}

type MeasurementContext = Pick<RunContext, 'outline' | 'random'> & {
  readonly type: UnitType;
  readonly phase: RunPhase;
  /** At the start of the phase. */
  readonly before: Readonly<Record<string, number>>;
  readonly span: { readonly from: number; readonly to: number };
};

/** In the first third of a phase a measurement goes to where the phase brings it. */
const approachShare = 1 / 3;
/** A sensor that fails sends a null. */
const nullShare = 0.004;

function addMeasurements(
  samples: StateSample[],
  { type, outline, phase, before, span, random }: MeasurementContext,
): void {
  const approachMs = (span.to - span.from) * approachShare;
  for (const [name, swing] of Object.entries(outline.swing)) {
    const decimals = decimalsOf(type, name);
    const start = before[name] ?? 0;
    const end = phase.measurements[name] ?? start;
    for (let at = span.from; at < span.to; at += outline.stepSeconds * 1000) {
      const course = start + (end - start) * Math.min(1, (at - span.from) / approachMs);
      const value = Math.max(0, course + (random.next() * 2 - 1) * swing).toFixed(decimals);
      samples.push({ name, at, value: random.chance(nullShare) ? null : value });
    }
  }
}

type MeterReading = {
  /** At the start, from and through. */
  readonly start: readonly [low: number, high: number];
  /** What is counted in a day; a measurement that counts nothing has none. */
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

/** No document lasts longer, nor in a month in which the clocks are set back. */
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
    for (let at = from; at <= lastAt; at += readingIntervalMs) {
      samples.push({ name, at, value: value.toFixed(decimals) });
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
