// Draws a panel of a graph: one series over time, its name and unit of measure above, its scale on the left.

import { curveStepAfter, line } from 'd3-shape';
import { element, fragment, trustedMarkup, type Svg } from '../../../lib/pages/svg.ts';
import { groupDigits } from '../rules/group-digits.ts';
import { fitText } from '../formats/text-width.ts';
import { formatUnitOfMeasure } from '../rules/unit-of-measure.ts';
import { labelGap, type GraphLayout, type PanelLayout } from './graph-layout.ts';
import { colors, fontSizes, seriesColor } from './graph-style.ts';
import { boldWidth, drawText, measureText, round } from './draw-text.ts';
import { findSinglePoints, placePoints, thinPoints, type Points } from './points.ts';
import type { GraphSeries } from './series.ts';

/** `Temperature (°C)` */
export const formatSeriesName = ({ column }: GraphSeries): string =>
  column.unitOfMeasure === null ? column.label : `${column.label} (${formatUnitOfMeasure(column.unitOfMeasure)})`;

export const drawPanel = (panel: PanelLayout, layout: GraphLayout): Svg =>
  element(
    'g',
    {},
    element('title', {}, formatSeriesName(panel.series)),
    drawTitle(panel, layout),
    drawScale(panel, layout),
    drawSeries(panel, layout),
  );

/** The gap between the name and its unit, and between them and the numbers on the right. */
const [unitGap, statisticsGap] = [7, 24];

function drawTitle({ series, top }: PanelLayout, { left, right }: GraphLayout): Svg {
  const { label, unitOfMeasure } = series.column;
  const size = fontSizes.panel;
  const unit = unitOfMeasure === null ? '' : fitText(formatUnitOfMeasure(unitOfMeasure), size, (right - left) / 3);
  const unitWidth = unit === '' ? 0 : measureText(unit, size) + unitGap;
  const name = fitText(label, size, (right - left - unitWidth) / boldWidth);
  const y = top - 8;
  const statistics = formatStatistics(series);
  const room = right - left - measureText(name, size, true) - unitWidth - statisticsGap;
  if (measureText(statistics.join(gap), fontSizes.label) > room) statistics.splice(0, statistics.length - 1);
  const shown = statistics.join(gap);
  const hasRoom = measureText(shown, fontSizes.label) <= room;
  const isolated = { 'unicode-bidi': 'isolate' };
  return fragment(
    element(
      'text',
      { x: left, y: round(y), 'font-size': size },
      element('tspan', { ...isolated, 'font-weight': 600, fill: colors.text }, name),
      ...(unit === '' ? [] : [element('tspan', { ...isolated, dx: unitGap, fill: colors.softText }, unit)]),
    ),
    ...(hasRoom
      ? [drawText(shown, { x: right, y, size: fontSizes.label, anchor: 'end', color: colors.softText })]
      : []),
  );
}

const gap = '\u2003';

function formatStatistics({ isStepped, statistics: { min, max, last } }: GraphSeries): string[] {
  const isRange = !isStepped && min.value < max.value;
  const range = isRange ? [`min ${groupDigits(min.text)}`, `max ${groupDigits(max.text)}`] : [];
  return [...range, `last ${groupDigits(last.text)}`];
}

function drawScale({ scale, top }: PanelLayout, { left, right, margin }: GraphLayout): Svg {
  const lines = scale.ticks.map(({ y }) => `M${left},${round(top + y)}H${right}`);
  const labels = scale.ticks.map(({ y, label }) =>
    drawText(label, {
      x: left - labelGap,
      y: top + y + 4,
      size: fontSizes.label,
      maxWidth: left - labelGap - margin,
      anchor: 'end',
      color: colors.softText,
    }),
  );
  return fragment(
    element('path', { d: lines.join(''), stroke: colors.grid, fill: 'none' }),
    element('path', { d: `M${left},${top}V${round(top + scale.height)}H${right}`, stroke: colors.frame, fill: 'none' }),
    ...labels,
  );
}

const lineAttributes = 'stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"';

/** If points are at least this far apart, each of them is marked. */
const markedPointsDistance = 14;
const [pointRadius, singlePointRadius] = [1.8, 2.6];

function drawSeries({ series, scale, top }: PanelLayout, { toX, left, right }: GraphLayout): Svg {
  const toY = (value: number): number => top + scale.toY(value);
  const points = placePoints(series, { toX, toY, throughMs2000: toX.domain()[1] ?? 0 });
  const thin = thinPoints(points);
  const isMarked = !series.isStepped && series.times.length * markedPointsDistance < right - left;
  const marked = isMarked ? allPoints(points) : [];
  return element(
    'g',
    { fill: 'none', stroke: seriesColor(series.isStepped ? null : series.column.unitOfMeasure) },
    // The path has only numbers and letters; escaping so many of them would be slow.
    trustedMarkup(`<path d="${formatPath(thin, series.isStepped)}" ${lineAttributes}/>`),
    ...marked.map((point) => drawPoint(point, pointRadius)),
    ...[...findSinglePoints(thin), ...findLastStep(points, series.isStepped)].map((point) =>
      drawPoint(point, singlePointRadius),
    ),
  );
}

const shortestStep = 3;

/** The value of a last step that is too short to be seen. */
function findLastStep({ xs, ys }: Points, isStepped: boolean): { x: number; y: number }[] {
  const [before, last] = [xs.at(-2), xs.at(-1)];
  const y = ys.at(-1) ?? Number.NaN;
  if (!isStepped || before === undefined || last === undefined || last - before >= shortestStep || Number.isNaN(y))
    return [];
  return [{ x: last, y }];
}

const allPoints = ({ xs, ys }: Points): { x: number; y: number }[] =>
  xs.map((x, index) => ({ x, y: ys[index] ?? Number.NaN })).filter(({ y }) => !Number.isNaN(y));

const drawPoint = ({ x, y }: { x: number; y: number }, radius: number): Svg =>
  element('circle', { cx: round(x), cy: round(y), r: radius, fill: colors.paper, 'stroke-width': 1.4 });

function formatPath({ xs, ys }: Points, isStepped: boolean): string {
  const path = line<number>(
    (_, index) => xs[index] as number,
    (y) => y,
  )
    .defined((y) => !Number.isNaN(y))
    .digits(1);
  if (isStepped) path.curve(curveStepAfter);
  return path(ys as number[]) ?? '';
}
