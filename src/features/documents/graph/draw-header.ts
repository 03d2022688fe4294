// Draws the heading of a graph: the unit, its location, the period, and whether the document is finished.

import { element, fragment, type Svg } from '../../../lib/pages/svg.ts';
import type { SampleTable } from '../rules/document-table.ts';
import { formatDuration, formatPeriod, formatShortStatus, formatZone } from '../rules/local-times.ts';
import { formatSeriesName } from './draw-panel.ts';
import { drawText, flowParts, measureText } from './draw-text.ts';
import { colors, fontSizes, isNarrow, pageMargin } from './graph-style.ts';
import type { GraphSeries } from './series.ts';

const lineHeight = 17;

export function drawHeader(table: SampleTable, width: number): { readonly drawing: Svg; readonly bottom: number } {
  const { unitName, locationName } = table;
  const x = pageMargin(width);
  const room = width - 2 * x;
  const narrow = isNarrow(width);
  // In a narrow graph the status is beside the location, whose name is often short.
  const [titleY, placeY] = narrow ? [30, 52] : [34, 55];
  const status = drawStatus(table, width - x, narrow ? placeY - 5 : titleY - 6);
  const roomBeside = room - status.width - 16;
  const [titleSize, titleRoom] = narrow ? [fontSizes.narrowTitle, room] : [fontSizes.title, roomBeside];
  const factsTop = placeY + 22;
  const lines = flowParts(formatFacts(table), factSize, room);
  const drawing = fragment(
    drawText(unitName, { x, y: titleY, size: titleSize, maxWidth: titleRoom, isBold: true }),
    status.drawing,
    drawText(locationName, { x, y: placeY, size: fontSizes.place, maxWidth: narrow ? roomBeside : room }),
    ...lines.map((line, index) =>
      drawText(line, { x, y: factsTop + index * lineHeight, size: factSize, maxWidth: room, color: colors.softText }),
    ),
  );
  return { drawing, bottom: factsTop + (lines.length - 1) * lineHeight };
}

const factSize = 12;

const formatFacts = ({ fromMs2000, throughMs2000, timeZone }: SampleTable): string[] => [
  formatPeriod(fromMs2000, throughMs2000, timeZone),
  formatDuration(throughMs2000 - fromMs2000),
  formatZone(fromMs2000, throughMs2000, timeZone),
];

const [statusHeight, statusPadding, dotRadius] = [22, 9, 4];

/** A dot for a finished document, a ring for an open one. */
function drawStatus(
  table: SampleTable,
  right: number,
  middle: number,
): { readonly drawing: Svg; readonly width: number } {
  const { finished } = table;
  const text = formatShortStatus(table);
  const size = 12;
  const width = Math.ceil(measureText(text, size, true) + 2 * statusPadding + 2 * dotRadius + 6);
  const left = right - width;
  const drawing = fragment(
    element('rect', {
      x: left + 0.5,
      y: middle - statusHeight / 2 + 0.5,
      width: width - 1,
      height: statusHeight - 1,
      rx: 4,
      fill: 'none',
      stroke: colors.softText,
      'stroke-dasharray': finished ? undefined : '4 3',
    }),
    element('circle', {
      cx: left + statusPadding + dotRadius,
      cy: middle,
      r: dotRadius - 0.75,
      fill: finished ? colors.text : 'none',
      stroke: colors.text,
      'stroke-width': 1.5,
    }),
    drawText(text, { x: left + statusPadding + 2 * dotRadius + 6, y: middle + 4, size, isBold: true }),
  );
  return { drawing, width };
}

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
