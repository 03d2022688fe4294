// Collects the lines of a request into one report for each unit.

import type { UnitKey } from '../../../permissions/coverage.ts';
import type { UnitReport } from '../../documents/queries/record-report.ts';
import type { StoreDecision } from './plan-samples.ts';

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
