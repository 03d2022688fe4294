// Describes a graph in words, for people who cannot see it.

import { formatPeriod, formatShortStatus, formatZone } from '../rules/local-times.ts';
import type { SampleTable } from '../rules/document-table.ts';
import { formatSeriesName } from './draw-panel.ts';
import type { GraphSeries } from './series.ts';

export const formatGraphTitle = ({ unitName, locationName }: SampleTable): string => `${unitName}, ${locationName}`;

export function describeGraph(table: SampleTable, series: readonly GraphSeries[]): string {
  const { fromMs2000, throughMs2000, timeZone } = table;
  const period = formatPeriod(fromMs2000, throughMs2000, timeZone);
  const zone = formatZone(fromMs2000, throughMs2000, timeZone);
  return [`${period}, ${zone}.`, `${formatShortStatus(table)}.`, ...series.map(describeSeries)].join(' ');
}

function describeSeries(series: GraphSeries): string {
  const { count, min, max, last } = series.statistics;
  const values = `${count} ${count === 1 ? 'value' : 'values'}`;
  const range = series.isStepped ? '' : `, from ${min.text} to ${max.text}`;
  return `${formatSeriesName(series)}: ${values}${range}, last ${last.text}.`;
}
