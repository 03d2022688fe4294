// Makes the series that are shown of those that a source has: with a label each, and values that JSON has.

import { formatUtc, toMs2000 } from '../../../lib/ms2000.ts';
import type { MetricSeries as SourceSeries } from '../../../providers/hosting/hosting.ts';
import type { MetricSeries } from '../schemas.ts';
import { toPlainText } from './plain-lines.ts';

const maxLabelLength = 128;

/** What has no label is numbered in the order of the source: the number is for display, and names nothing. */
export const toShownSeries = (series: readonly SourceSeries[]): MetricSeries[] =>
  series.map(({ component, instance, points }, at) => ({
    component: toLabel(component, at + 1),
    instance: toLabel(instance, at + 1),
    points: points.map(({ atMs, value }) => ({
      timestampUtc: formatUtc(toMs2000(atMs)),
      value: value !== null && Number.isFinite(value) ? value : null,
    })),
  }));

function toLabel(text: string | undefined, number: number): string {
  const label = toPlainText(text ?? '')
    .slice(0, maxLabelLength)
    .toWellFormed()
    .trim();
  return label === '' ? String(number) : label;
}
