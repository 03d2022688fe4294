// The time axis of a chart: lines through all panels, and the times below them, as the location's clocks show them.

import { fromMs2000 } from '../../../lib/ms2000.ts';
import { element, fragment, type Svg } from '../../../lib/svg.ts';
import { formatDay } from '../rules/local-times.ts';
import type { ChartLayout } from './chart-layout.ts';
import { colors, fontSizes } from './chart-style.ts';
import { drawText, measureText, round } from './draw-text.ts';
import { chooseTimeStep, findDayStarts, findTimeTicks, type TimeStep, type TimeTick } from './time-ticks.ts';

export type TimeAxis = {
  readonly step: TimeStep;
  readonly ticks: readonly TimeTick[];
  readonly dayStarts: readonly TimeTick[];
  /** Where clocks change, and by how much. */
  readonly changes: readonly { readonly ms2000: number; readonly byMs: number }[];
};

export function createTimeAxis({ intervals, toX, left, right }: ChartLayout): TimeAxis {
  const [from = 0, through = 0] = toX.domain();
  const step = chooseTimeStep(through - from, right - left);
  return {
    step,
    ticks: findTimeTicks(intervals, step.ms),
    dayStarts: findDayStarts(intervals),
    changes: intervals.slice(1).flatMap(({ fromMs2000: ms2000, offsetMs }, at) => {
      const byMs = offsetMs - (intervals[at]?.offsetMs ?? 0);
      return byMs === 0 ? [] : [{ ms2000, byMs }];
    }),
  };
}

/** The vertical lines, behind everything else. */
export function drawTimeGrid(axis: TimeAxis, { toX, top, bottom }: ChartLayout): Svg {
  const lines = (times: readonly { ms2000: number }[]): string =>
    times.map(({ ms2000 }) => `M${round(toX(ms2000))},${top}V${round(bottom)}`).join('');
  const attributes = { fill: 'none' };
  return fragment(
    element('path', { ...attributes, d: lines(axis.ticks), stroke: colors.grid }),
    ...(axis.dayStarts.length === 0
      ? []
      : [element('path', { ...attributes, d: lines(axis.dayStarts), stroke: colors.dayGrid })]),
    ...(axis.changes.length === 0
      ? []
      : [
          element('path', {
            ...attributes,
            d: lines(axis.changes),
            stroke: colors.softText,
            'stroke-dasharray': '2 3',
          }),
        ]),
  );
}

const [timesBelow, datesBelow, tickLength] = [18, 34, 5];

export const timeAxisHeight = 42;

export function drawTimeLabels(axis: TimeAxis, layout: ChartLayout): Svg {
  const { toX, bottom } = layout;
  const ticks = axis.ticks.map(({ ms2000 }) => `M${round(toX(ms2000))},${round(bottom)}v${tickLength}`).join('');
  return fragment(
    element('path', { d: ticks, stroke: colors.frame, fill: 'none' }),
    ...drawTickLabels(axis, layout),
    ...drawDates(axis, layout),
  );
}

function drawTickLabels({ ticks, step }: TimeAxis, { toX, bottom, width }: ChartLayout): Svg[] {
  let free = 0;
  return ticks.flatMap(({ ms2000, localMs }) => {
    const label = formatTick(localMs, step);
    const half = measureText(label, fontSizes.label) / 2;
    const x = Math.min(width - 4 - half, toX(ms2000));
    // Near a change of the clocks, ticks stand closer.
    if (x - half < free) return [];
    free = x + half + 6;
    return [drawText(label, { x, y: bottom + timesBelow, size: fontSizes.label, anchor: 'middle' })];
  });
}

const toLocal = (localMs: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(fromMs2000(Math.round(localMs))).toZonedDateTimeISO('UTC');

function formatTick(localMs: number, { shows }: TimeStep): string {
  const local = toLocal(localMs);
  if (shows === 'days') return formatDay(local);
  return local.toPlainTime().toString({ smallestUnit: shows === 'seconds' ? 'second' : 'minute' });
}

/** The date where each day begins, and how far clocks are changed; what would overlap is left out. */
function drawDates(
  { step, dayStarts, changes }: TimeAxis,
  { toX, bottom, left, right, intervals }: ChartLayout,
): Svg[] {
  const first = intervals[0];
  const dates =
    step.shows === 'days' || first === undefined
      ? []
      : [{ ms2000: first.fromMs2000, localMs: first.fromMs2000 + first.offsetMs }, ...dayStarts];
  const labels = [
    ...changes.map(({ ms2000, byMs }) => ({ x: toX(ms2000), text: formatChange(byMs) })),
    ...dates.map(({ ms2000, localMs }) => ({ x: toX(ms2000), text: formatDay(toLocal(localMs)) })),
  ];
  const taken: { from: number; to: number }[] = [];
  return labels.flatMap(({ x, text }) => {
    const width = measureText(text, fontSizes.label);
    const from = Math.max(left, Math.min(x, right - width));
    const to = from + width + 8;
    if (taken.some((other) => from < other.to && to > other.from)) return [];
    taken.push({ from, to });
    return [drawText(text, { x: from, y: bottom + datesBelow, size: fontSizes.label, color: colors.softText })];
  });
}

/** `clocks +1 h` */
function formatChange(byMs: number): string {
  const minutes = Math.round(Math.abs(byMs) / 60_000);
  const amount = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  return `clocks ${byMs < 0 ? '\u2212' : '+'}${amount}`;
}
