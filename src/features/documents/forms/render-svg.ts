// Draws the numeric series of a document as charts (SVG): a panel for each, one below the other, over one time axis.

import { element, formatDocument, fragment, type Svg } from '../../../lib/svg.ts';
import { layOutChart, type ChartLayout } from '../chart/chart-layout.ts';
import { colors, fontFamily, fontSizes } from '../chart/chart-style.ts';
import { describeChart, formatChartTitle } from '../chart/describe-chart.ts';
import { drawHeader } from '../chart/draw-header.ts';
import { drawPanel } from '../chart/draw-panel.ts';
import { drawText, measureText } from '../chart/draw-text.ts';
import { createTimeAxis, drawTimeGrid, drawTimeLabels, timeAxisHeight } from '../chart/draw-time-axis.ts';
import { createSeries, type ChartSeries } from '../chart/series.ts';
import type { DocumentTable } from '../rules/document-table.ts';
import { encodeUtf8, type RenderDocument } from './document-form.ts';

const [headerGap, footerHeight] = [14, 26];

/** So many panels are too high for times below them alone. */
const highChart = 6;

/** Throws the Problems `no-numeric-data` and `too-many-series`. */
export const renderSvg: RenderDocument = (table, { width }) => {
  const series = createSeries(table);
  const header = drawHeader(table, width);
  const isHigh = series.length >= highChart;
  const top = header.bottom + headerGap + (isHigh ? timeAxisHeight : 0);
  const layout = layOutChart({ table, series, width, top });
  const axis = createTimeAxis(layout);
  const height = Math.ceil(layout.bottom + timeAxisHeight + footerHeight);
  const root = element(
    'svg',
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      'font-family': fontFamily,
      role: 'img',
      'aria-labelledby': 'chart-title chart-description',
    },
    element('title', { id: 'chart-title' }, formatChartTitle(table)),
    element('desc', { id: 'chart-description' }, describeChart(table, series)),
    element('rect', { width, height, fill: colors.paper }),
    header.drawing,
    drawTimeGrid(axis, layout),
    ...layout.panels.map((panel) => drawPanel(panel, layout)),
    ...(isHigh ? [drawTimeLabels(axis, layout, 'above')] : []),
    drawTimeLabels(axis, layout, 'below'),
    drawFooter({ table, series, layout, y: height - 12 }),
  );
  return encodeUtf8(formatDocument(root));
};

type DrawFooterInput = {
  readonly table: DocumentTable;
  readonly series: readonly ChartSeries[];
  readonly layout: ChartLayout;
  readonly y: number;
};

/** The columns that the chart leaves out, and the KID. */
function drawFooter({ table, series, layout: { width, margin }, y }: DrawFooterInput): Svg {
  const size = fontSizes.note;
  const drawn = new Set(series.map(({ column }) => column));
  const others = table.columns.filter((column) => !drawn.has(column)).map(({ label }) => label);
  const kidWidth = measureText(table.documentKid, size);
  const note = `Without numbers: ${others.join(', ')}`;
  const maxWidth = width - 2 * margin - kidWidth - 16;
  return fragment(
    ...(others.length === 0 ? [] : [drawText(note, { x: margin, y, size, maxWidth, color: colors.softText })]),
    drawText(table.documentKid, { x: width - margin, y, size, anchor: 'end', color: colors.softText }),
  );
}
