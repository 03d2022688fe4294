// Draws the numeric series of a document as an SVG: one panel for each series, one below the other, with one time axis.

import { element, formatDocument, fragment, type Svg } from '../../../lib/pages/svg.ts';
import { layOutGraph, type GraphLayout } from '../graph/graph-layout.ts';
import { colors, fontFamily, fontSizes } from '../graph/graph-style.ts';
import { describeGraph, formatGraphTitle, drawHeader } from '../graph/draw-header.ts';
import { drawPanel } from '../graph/draw-panel.ts';
import { drawText, measureText } from '../graph/draw-text.ts';
import { createTimeAxis, drawTimeGrid, drawTimeLabels, timeAxisHeight } from '../graph/draw-time-axis.ts';
import { createSeries, type GraphSeries } from '../graph/series.ts';
import type { SampleTable } from '../rules/document-table.ts';
import { encodeUtf8, type RenderDocument } from './document-format.ts';
import { findSampledColumns } from '../rules/create-document-table.ts';

const [headerGap, footerHeight] = [14, 26];

/** With this many panels, times only below them would be too far away. */
const highGraph = 6;

/** Throws the Problems `no-numeric-data` and `too-many-series`. */
export const renderSvg: RenderDocument = (table, { width }) => {
  const series = createSeries(table);
  const header = drawHeader(table, width);
  const graph = { table, series, width };
  return encodeUtf8(
    formatDocument(
      drawGraph(graph, {
        header: header.drawing,
        top: header.bottom + headerGap,
        drawBelow: (layout, y) => drawFooter({ table, series, layout, y }),
      }),
    ),
  );
};

/** The graph as a part of a page, which has heading and KID itself. Empty without a series. */
export const renderGraphPart = (table: SampleTable, series: readonly GraphSeries[], width: number): string =>
  series.length === 0 ? '' : formatDocument(drawGraph({ table, series, width }, { top: 0 }));

type DrawGraphInput = { readonly table: SampleTable; readonly series: readonly GraphSeries[]; readonly width: number };

type GraphSurroundings = {
  readonly header?: Svg;
  /** The vertical position at which the graph begins. */
  readonly top: number;
  readonly drawBelow?: (layout: GraphLayout, y: number) => Svg;
};

function drawGraph({ table, series, width }: DrawGraphInput, { header, top, drawBelow }: GraphSurroundings): Svg {
  const isHigh = series.length >= highGraph;
  const layout = layOutGraph({ table, series, width, top: top + (isHigh ? timeAxisHeight : 0) });
  const axis = createTimeAxis(layout);
  const height = Math.ceil(layout.bottom + timeAxisHeight + (drawBelow === undefined ? 0 : footerHeight));
  return element(
    'svg',
    {
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      'font-family': fontFamily,
      role: 'img',
      'aria-labelledby': 'chart-title chart-description',
    },
    element('title', { id: 'chart-title' }, formatGraphTitle(table)),
    element('desc', { id: 'chart-description' }, describeGraph(table, series)),
    element('rect', { width, height, fill: colors.paper }),
    ...(header === undefined ? [] : [header]),
    drawTimeGrid(axis, layout),
    ...layout.panels.map((panel) => drawPanel(panel, layout)),
    ...(isHigh ? [drawTimeLabels(axis, layout, 'above')] : []),
    drawTimeLabels(axis, layout, 'below'),
    ...(drawBelow === undefined ? [] : [drawBelow(layout, height - 12)]),
  );
}

type DrawFooterInput = {
  readonly table: SampleTable;
  readonly series: readonly GraphSeries[];
  readonly layout: GraphLayout;
  readonly y: number;
};

/** The columns that the graph leaves out, those with samples first, and the KID. */
function drawFooter({ table, series, layout: { width, margin }, y }: DrawFooterInput): Svg {
  const size = fontSizes.note;
  const drawn = new Set(series.map(({ column }) => column));
  const sampled = findSampledColumns(table);
  const others = table.columns
    .filter((column) => !drawn.has(column))
    .toSorted((a, b) => Number(sampled.has(b)) - Number(sampled.has(a)))
    .map(({ label }) => label);
  const kidWidth = measureText(table.documentKid, size);
  const note = `Without numbers: ${others.join(', ')}`;
  const maxWidth = width - 2 * margin - kidWidth - 16;
  return fragment(
    ...(others.length === 0 ? [] : [drawText(note, { x: margin, y, size, maxWidth, color: colors.softText })]),
    drawText(table.documentKid, { x: width - margin, y, size, anchor: 'end', color: colors.softText }),
  );
}
