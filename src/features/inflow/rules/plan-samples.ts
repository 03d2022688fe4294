// Plans what becomes of the lines of the stream of samples, and collects them into one report for each unit.

import type { UnitKey } from '../../../permissions/coverage.ts';
import type { UnitReport } from '../../documents/queries/record-report.ts';
import { cycleSetting } from '../../documents/rules/document-bounds.ts';
import type { UnitTypeColumns } from '../../places/rules/unit-types.ts';
import { findVisibleDefinition } from '../../units/catalogue/type-catalogue.ts';
import type { ValueKind } from '../../units/catalogue/value-definition.ts';
import { formatStoredText } from '../../units/rules/stored-text.ts';
import { correctionOf, correctTime, isAhead, type DeviceClock } from './clock.ts';
import type { HeldCode } from './held-codes.ts';
import type { StreamLine } from './parse-lines.ts';
import { parseSamplesLine, type SamplesLine } from './samples-line.ts';

type TypedUnit = UnitKey & UnitTypeColumns;

type SamplesEffect =
  | { readonly kind: 'states'; readonly values: readonly ReportedValue[] }
  | { readonly kind: 'setting'; readonly name: string; readonly text: string | null }
  | { readonly kind: 'cycle'; readonly documentId: number; readonly value: string }
  | Extract<SamplesLine, { kind: 'synced' | 'alive' | 'applied' | 'snapshot' | 'result' }>;

export type PlannedSamples<U extends TypedUnit = TypedUnit> = {
  readonly line: StreamLine;
  /** Undefined where the line names no unit of the computer. */
  readonly unit: U | undefined;
  /** The time of the event, MS2000; undefined where it cannot be known. */
  readonly at: number | undefined;
  readonly correctionMs: number | undefined;
  readonly decision: StoreDecision | { readonly kind: 'hold'; readonly code: HeldCode };
};

export type StoreDecision = { readonly kind: 'store'; readonly at: number; readonly effect: SamplesEffect };

type PlanContext<U> = {
  /** The units of the computer, by their KIDs. */
  readonly units: ReadonlyMap<string, U>;
  readonly clock: DeviceClock;
  readonly now: number;
};

export function planSamplesLine<U extends TypedUnit>(
  line: StreamLine,
  { units, clock, now }: PlanContext<U>,
): PlannedSamples<U> {
  const samples = parseSamplesLine(line);
  const named = line.fields?.['unit'];
  const unit = typeof named === 'string' ? units.get(named) : undefined;
  const correctionMs = samples === undefined ? undefined : correctionOf(samples.time, clock);
  const at = samples === undefined || correctionMs === undefined ? undefined : correctTime(samples.time, correctionMs);
  return { line, unit, at, correctionMs, decision: decideSamples(samples, unit, { at, now }) };
}

function decideSamples(
  samples: SamplesLine | undefined,
  unit: TypedUnit | undefined,
  { at, now }: { readonly at: number | undefined; readonly now: number },
): PlannedSamples['decision'] {
  if (samples === undefined || at === undefined) return { kind: 'hold', code: 'malformed' };
  if (samples.unit !== undefined && unit === undefined) return { kind: 'hold', code: 'unknown-unit' };
  if (isAhead(at, now)) return { kind: 'hold', code: 'time-ahead' };
  const effect = toEffect(samples, unit);
  return effect === undefined ? { kind: 'hold', code: 'unknown-value' } : { kind: 'store', at, effect };
}

/** Undefined where the unit has no such setting or state, or not with this value: nothing of the line is stored then. */
function toEffect(samples: SamplesLine, unit: TypedUnit | undefined): SamplesEffect | undefined {
  if (unit === undefined) return 'version' in samples || samples.kind === 'alive' ? samples : undefined;
  switch (samples.kind) {
    case 'states': {
      const values = samples.values.flatMap((value) => toReportedValue(unit, 'State', value) ?? []);
      return values.length === samples.values.length ? { kind: 'states', values } : undefined;
    }
    case 'setting': {
      const value = toReportedValue(unit, 'Setting', [samples.name, samples.value]);
      return value === undefined ? undefined : { kind: 'setting', name: value.name, text: value.text };
    }
    case 'cycle': {
      const value = toReportedValue(unit, 'Setting', [cycleSetting, samples.value])?.text ?? undefined;
      return value === undefined ? undefined : { kind: 'cycle', documentId: samples.documentId, value };
    }
    case 'synced':
    case 'alive':
    case 'applied':
    case 'snapshot':
    case 'result':
      return samples;
  }
}

type StoredLine<U extends UnitKey> = { readonly unit: U | undefined; readonly decision: StoreDecision };

/** A unit of which nothing is part of a document has no report. */
export function toReports<U extends UnitKey>(
  lines: readonly StoredLine<U>[],
): { readonly unit: U; readonly report: UnitReport }[] {
  const reported = lines.flatMap(({ unit, decision }) =>
    unit === undefined || !isReported(decision) ? [] : [{ unit, decision }],
  );
  return [...Map.groupBy(reported, ({ unit }) => unit)].map(([unit, ofUnit]) => ({
    unit,
    report: toReport(ofUnit.map(({ decision }) => decision)),
  }));
}

const reportedKinds: ReadonlySet<string> = new Set(['states', 'setting', 'cycle', 'synced']);

const isReported = ({ effect }: StoreDecision): boolean => reportedKinds.has(effect.kind);

function toReport(decisions: readonly StoreDecision[]): UnitReport {
  const inOrder = decisions.toSorted((a, b) => a.at - b.at);
  return {
    samples: inOrder.flatMap(({ at, effect }) =>
      effect.kind === 'states' ? effect.values.map(({ name, text }) => ({ name, at, value: text })) : [],
    ),
    cycles: inOrder.flatMap(({ at, effect }) =>
      effect.kind === 'cycle' ? [{ documentId: effect.documentId, at, value: effect.value }] : [],
    ),
    settings: inOrder.flatMap(({ at, effect }) =>
      effect.kind === 'setting' ? [{ name: effect.name, at, value: effect.text }] : [],
    ),
    syncedThrough: inOrder.reduce(
      (latest, { at, effect }) => (effect.kind === 'synced' ? Math.max(latest, at) : latest),
      0,
    ),
  };
}

type ReportedValue = { readonly name: string; readonly text: string | null };

/** The value as it is stored; undefined where the unit has no such setting or state, or not with this value. */
export function toReportedValue(
  unit: UnitTypeColumns,
  kind: ValueKind,
  [name, value]: readonly [name: string, value: unknown],
): ReportedValue | undefined {
  const definition = findVisibleDefinition(unit, name);
  if (definition?.kind !== kind) return undefined;
  const formatted = formatStoredText(definition, value);
  return 'text' in formatted ? { name, text: formatted.text } : undefined;
}
