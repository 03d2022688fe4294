// Draws the time axis of a graph: lines through all panels, and the local times of the location below them.

import { fromMs2000 } from '../../../lib/time/ms2000.ts';
import { element, fragment, type Svg } from '../../../lib/pages/svg.ts';
import { formatDay, formatDayOfMonth } from '../rules/local-times.ts';
import { panelTitleHeight, type GraphLayout } from './graph-layout.ts';
import { colors, fontSizes } from './graph-style.ts';
import { drawText, measureText, round } from './draw-text.ts';
import { chooseTimeStep, findDayStarts, findTimeTicks, type TimeStep, type TimeTick } from './time-ticks.ts';

type TimeAxis = {
  readonly step: TimeStep;
  /** Pixels between two ticks. */
  readonly spacing: number;
  readonly ticks: readonly TimeTick[];
  readonly dayStarts: readonly TimeTick[];
  /** Clock changes, each with its offset. */
  readonly changes: readonly { readonly ms2000: number; readonly byMs: number }[];
};

export function createTimeAxis({ intervals, toX, left, right }: GraphLayout): TimeAxis {
  const [from = 0, through = 0] = toX.domain();
  const step = chooseTimeStep(through - from, right - left);
  return {
    step,
    spacing: (step.ms / (through - from)) * (right - left),
    ticks: findTimeTicks(intervals, step.ms),
    dayStarts: findDayStarts(intervals),
    changes: intervals.slice(1).flatMap(({ fromMs2000: ms2000, offsetMs }, index) => {
      const byMs = offsetMs - (intervals[index]?.offsetMs ?? 0);
      return byMs === 0 ? [] : [{ ms2000, byMs }];
    }),
  };
}

/** Lines through the plots, behind everything else. If ticks are days, the days without a tick are fainter. */
export function drawTimeGrid({ step, ticks, dayStarts, changes }: TimeAxis, { toX, panels }: GraphLayout): Svg {
  const plots = panels.map(({ top, scale }) => `,${top}v${round(scale.height)}`);
  const draw = (times: readonly { ms2000: number }[], stroke: string, dashes?: string): Svg[] => {
    const d = times.flatMap(({ ms2000 }) => plots.map((plot) => `M${round(toX(ms2000))}${plot}`)).join('');
    return d === '' ? [] : [element('path', { d, stroke, fill: 'none', 'stroke-dasharray': dashes })];
  };
  const isByDay = showsDays(step);
  return fragment(
    ...draw(isByDay ? dayStarts : ticks, colors.grid),
    ...draw(isByDay ? ticks : dayStarts, colors.dayGrid),
    ...draw(changes, colors.softText, '2 3'),
  );
}

const showsDays = ({ shows }: TimeStep): boolean => shows === 'days' || shows === 'weeks';

/** The distances of the texts' baselines from the panels. */
const sides = { above: { times: -10, dates: -26 }, below: { times: 18, dates: 34 } } as const;

type Side = keyof typeof sides;

export const timeAxisHeight = 42;
const tickLength = 5;

export function drawTimeLabels(axis: TimeAxis, layout: GraphLayout, side: Side): Svg {
  const { toX, panels, bottom } = layout;
  const y = round(side === 'below' ? bottom : (panels[0]?.top ?? 0) - panelTitleHeight);
  const ticks = axis.ticks.map(({ ms2000 }) => `M${round(toX(ms2000))},${y}v${tickLength}`).join('');
  return fragment(
    // The names of panels are between them and the times above.
    ...(side === 'below' ? [element('path', { d: ticks, stroke: colors.frame, fill: 'none' })] : []),
    ...drawTickLabels(axis, layout, y + sides[side].times),
    ...drawDates(axis, layout, y + sides[side].dates),
  );
}

function drawTickLabels({ ticks, step, spacing }: TimeAxis, { toX, width }: GraphLayout, y: number): Svg[] {
  let free = 0;
  return ticks.flatMap(({ ms2000, localMs }) => {
    const label = formatTick(toLocal(localMs), step, spacing);
    const half = measureText(label, fontSizes.label) / 2;
    const x = Math.min(width - 4 - half, toX(ms2000));
    // Ticks are closer together near a clock change.
    if (x - half < free) return [];
    free = x + half + 6;
    return [drawText(label, { x, y, size: fontSizes.label, anchor: 'middle' })];
  });
}

const toLocal = (localMs: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(fromMs2000(Math.round(localMs))).toZonedDateTimeISO('UTC');

const weekdaySpacing = 96;

function formatTick(local: Temporal.ZonedDateTime, { shows }: TimeStep, spacing: number): string {
  if (shows === 'weeks' && spacing < weekdaySpacing) return formatDayOfMonth(local);
  if (shows === 'days' || shows === 'weeks') return formatDay(local);
  return local.toPlainTime().toString({ smallestUnit: shows === 'seconds' ? 'second' : 'minute' });
}

/**
 * The offsets of clock changes, the date at the start of each day, and the first date if it fits. Texts that would
 * overlap are left out.
 */
function drawDates(axis: TimeAxis, { toX, left, right, intervals }: GraphLayout, y: number): Svg[] {
  const { step, dayStarts, changes } = axis;
  const first = intervals
    .slice(0, 1)
    .map(({ fromMs2000: ms2000, offsetMs }) => ({ ms2000, localMs: ms2000 + offsetMs }));
  const dates = showsDays(step) ? [] : [...dayStarts, ...first];
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
    return [drawText(text, { x: from, y, size: fontSizes.label, color: colors.softText })];
  });
}

/** `clocks +1 h` */
function formatChange(byMs: number): string {
  const minutes = Math.round(Math.abs(byMs) / 60_000);
  const amount = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  return `clocks ${byMs < 0 ? '\u2212' : '+'}${amount}`;
}
