// Draws the numeric series of a document as charts (SVG): a panel for each, one below the other, over one time axis.

import { element, formatDocument } from '../../../lib/svg.ts';
import { layOutChart } from '../chart/chart-layout.ts';
import { colors, fontFamily, fontSizes } from '../chart/chart-style.ts';
import { describeChart, formatChartTitle } from '../chart/describe-chart.ts';
import { drawHeader } from '../chart/draw-header.ts';
import { drawPanel } from '../chart/draw-panel.ts';
import { drawText } from '../chart/draw-text.ts';
import { createTimeAxis, drawTimeGrid, drawTimeLabels, timeAxisHeight } from '../chart/draw-time-axis.ts';
import { createSeries } from '../chart/series.ts';
import { encodeUtf8, type RenderDocument } from './document-form.ts';

const [headerGap, footerHeight] = [14, 26];

/** Throws the Problems `no-numeric-data` and `too-many-series`. */
export const renderSvg: RenderDocument = (table, { width }) => {
  const series = createSeries(table);
  const header = drawHeader(table, width);
  const layout = layOutChart({ table, series, width, top: header.bottom + headerGap });
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
    drawTimeLabels(axis, layout),
    drawText(table.documentKid, {
      x: width - layout.margin,
      y: height - 12,
      size: fontSizes.note,
      anchor: 'end',
      color: colors.softText,
    }),
  );
  return encodeUtf8(formatDocument(root));
};
