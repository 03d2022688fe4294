// The heading of a chart: the unit, its location, the period, and whether the document is finished.

import { element, fragment, type Svg } from '../../../lib/svg.ts';
import { formatDuration, formatPeriod, formatZone } from '../rules/local-times.ts';
import type { DocumentTable } from '../rules/document-table.ts';
import { colors, fontSizes, pageMargin } from './chart-style.ts';
import { drawText, flowParts, measureText } from './draw-text.ts';

const lineHeight = 17;

export function drawHeader(table: DocumentTable, width: number): { readonly drawing: Svg; readonly bottom: number } {
  const { unitName, locationName, fromMs2000, throughMs2000, timeZone } = table;
  const margin = pageMargin(width);
  const room = width - 2 * margin;
  const status = drawStatus(table.finished, width - margin);
  const facts = [
    formatPeriod(fromMs2000, throughMs2000, timeZone),
    formatDuration(throughMs2000 - fromMs2000),
    formatZone(fromMs2000, throughMs2000, timeZone),
  ];
  const size = fontSizes.label + 1;
  const lines = flowParts(facts, size, room);
  const first = 34;
  const factsTop = first + 42;
  const drawing = fragment(
    drawText(unitName, {
      x: margin,
      y: first,
      size: fontSizes.title,
      maxWidth: room - status.width - 16,
      isBold: true,
    }),
    status.drawing,
    drawText(locationName, { x: margin, y: first + 21, size: fontSizes.place, maxWidth: room }),
    ...lines.map((line, at) =>
      drawText(line, { x: margin, y: factsTop + at * lineHeight, size, maxWidth: room, color: colors.softText }),
    ),
  );
  return { drawing, bottom: factsTop + (lines.length - 1) * lineHeight };
}

const [statusHeight, statusPadding, dotRadius] = [22, 9, 4];

/** A full dot, or a ring around nothing yet. */
function drawStatus(finished: boolean, right: number): { readonly drawing: Svg; readonly width: number } {
  const text = finished ? 'Finished' : 'Running';
  const size = 12;
  const width = Math.ceil(measureText(text, size, true) + 2 * statusPadding + 2 * dotRadius + 6);
  const [left, middle] = [right - width, 28];
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
