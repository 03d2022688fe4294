// Converts the series of a source to the series that are shown, with labels and with values that JSON can contain.

import { formatUtc, toMs2000 } from '../../../lib/time/ms2000.ts';
import type { MetricSeries as SourceSeries } from '../../../providers/hosting/hosting.ts';
import type { HostingMetricSeries } from '../schemas.ts';
import { toPlainText } from './plain-lines.ts';

const maxLabelLength = 128;

/** Series without a label are numbered in the order of the source. The number is only for display. */
export const toShownSeries = (series: readonly SourceSeries[]): HostingMetricSeries[] =>
  series.map(({ component, instance, points }, index) => ({
    component: toLabel(component, index + 1),
    instance: toLabel(instance, index + 1),
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
