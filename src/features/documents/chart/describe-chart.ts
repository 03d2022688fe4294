// What a chart shows, in words, for those who do not see it.

import { formatPeriod, formatZone } from '../rules/local-times.ts';
import type { DocumentTable } from '../rules/document-table.ts';
import { formatSeriesName } from './draw-panel.ts';
import type { ChartSeries } from './series.ts';

export const formatChartTitle = ({ unitName, locationName }: DocumentTable): string => `${unitName}, ${locationName}`;

export function describeChart(table: DocumentTable, series: readonly ChartSeries[]): string {
  const { fromMs2000, throughMs2000, timeZone, finished } = table;
  const period = formatPeriod(fromMs2000, throughMs2000, timeZone);
  const zone = formatZone(fromMs2000, throughMs2000, timeZone);
  return [`${period}, ${zone}.`, finished ? 'Finished.' : 'Running.', ...series.map(describeSeries)].join(' ');
}

function describeSeries(series: ChartSeries): string {
  const { count, min, max, last } = series.statistics;
  const values = `${count} ${count === 1 ? 'value' : 'values'}`;
  const range = series.isStepped ? '' : `, from ${min.text} to ${max.text}`;
  return `${formatSeriesName(series)}: ${values}${range}, last ${last.text}.`;
}
