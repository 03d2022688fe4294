// Draws measurements as a line over time. A missing one breaks the line.

import type { JSX } from 'react';
import type { HostingMetricPoint } from '../api/operations.ts';
import styles from './line-chart.module.css';

const width = 600;
const height = 140;
const margin = 4;

type LineChartProps = {
  readonly points: readonly HostingMetricPoint[];
  readonly from: string;
  readonly through: string;
};

/** The values stand beside it as text. */
export const LineChart = ({ points, from, through }: LineChartProps): JSX.Element => (
  <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
    <line x1="0" x2={width} y1={height - margin} y2={height - margin} />
    <path d={pathOf(points, Date.parse(from), Date.parse(through))} />
  </svg>
);

function pathOf(points: readonly HostingMetricPoint[], from: number, through: number): string {
  const largest = Math.max(1, ...points.map(({ value }) => value ?? 0));
  let command = 'M';
  const parts: string[] = [];
  for (const { timestampUtc, value } of points) {
    if (value === null) {
      command = 'M';
      continue;
    }
    const x = ((Date.parse(timestampUtc) - from) / Math.max(1, through - from)) * width;
    const y = height - margin - (value / largest) * (height - 2 * margin);
    parts.push(`${command}${x.toFixed(1)} ${y.toFixed(1)}`);
    command = 'L';
  }
  return parts.join('');
}
