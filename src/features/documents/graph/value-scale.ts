// Computes the vertical scale of a panel: numbers, or the names of an enum's or boolean's values.

import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { groupDigits } from '../rules/group-digits.ts';
import type { GraphSeries, SeriesStatistics } from './series.ts';

type ValueTick = { readonly y: number; readonly label: string };

/** `y` is in pixels from the top of the panel's plot. */
export type ValueScale = {
  readonly height: number;
  readonly ticks: readonly ValueTick[];
  readonly toY: (value: number) => number;
};

export const createValueScale = (series: GraphSeries, lineHeight: number): ValueScale =>
  series.isStepped ? createOptionScale(series) : createNumberScale(series, lineHeight);

const optionHeight = 17;
const maxOptionScaleHeight = 680;
const minLabelDistance = 13;

/**
 * A line for each value that occurs, in the order of the options. If there are very many, they are closer together, and
 * some have no label.
 */
function createOptionScale({ column, values }: GraphSeries): ValueScale {
  const names = column.valueType === 'bool' ? ['false', 'true'] : column.options;
  const occurring = new Set(values);
  const shown = [...names.keys()].filter((option) => column.valueType === 'bool' || occurring.has(option));
  const spacing = Math.min(optionHeight, maxOptionScaleHeight / shown.length);
  const height = spacing * shown.length;
  const namedEach = Math.ceil(minLabelDistance / spacing);
  const places = new Map(shown.map((option, index) => [option, height - (index + 0.5) * spacing]));
  return {
    height,
    ticks: shown
      .filter((_, index) => index % namedEach === 0)
      .map((option) => ({ y: places.get(option) ?? 0, label: names[option] ?? '' })),
    toY: (value) => places.get(value) ?? Number.NaN,
  };
}

/** Beyond these, differences of doubles are no longer exact enough to divide into steps. */
const [smallestSpan, largestSpan, smallestShare] = [1e-290, 1e290, 1e-13];
const pixelsPerTick = 26;

function createNumberScale({ column, statistics }: GraphSeries, height: number): ValueScale {
  const [from, through] = chooseDomain(statistics.min.value, statistics.max.value);
  const span = through - from;
  const isWhole = column.valueType !== 'decimal' && isInteger(statistics.min) && isInteger(statistics.max);
  if (!(span > smallestSpan && span < largestSpan && span > Math.abs(from) * smallestShare))
    return createExtremeScale(statistics, height);
  const count = Math.max(2, Math.floor(height / pixelsPerTick));
  const scale = scaleLinear([from, through], [height, 0]).nice(count);
  const values = scale.ticks(count).filter((value) => !isWhole || Number.isInteger(value));
  const format = createTickFormat(scale, values, { count, isWhole });
  const ticks = values.map((value) => ({ y: scale(value), label: format(value) }));
  // Two very small numbers can differ by less than a label shows.
  return { height, toY: scale, ticks: ticks.filter(({ label }, index) => label !== ticks[index - 1]?.label) };
}

const isInteger = ({ value }: { readonly value: number }): boolean => Number.isInteger(value);

const maxLabelLength = 13;

/** At the limits of doubles only the least and the greatest value have labels. */
function createExtremeScale({ min, max }: SeriesStatistics, height: number): ValueScale {
  // The difference of two doubles can exceed the range of doubles; that of their quarters cannot.
  const share = Number.isFinite(max.value - min.value) ? 1 : 0.25;
  const span = max.value * share - min.value * share;
  const toY = (value: number): number =>
    span > 0 ? height * (1 - (value * share - min.value * share) / span) : height / 2;
  const named = span > 0 ? [min, max] : [min];
  return { height, toY, ticks: named.map(({ value, text }) => ({ y: toY(value), label: groupDigits(text) })) };
}

/** Formats numbers with the decimals of the step; very large and very small ones with an exponent. */
function createTickFormat(
  scale: ScaleLinear<number, number>,
  values: readonly number[],
  { count, isWhole }: { readonly count: number; readonly isWhole: boolean },
): (value: number) => string {
  const format = scale.tickFormat(count, isWhole ? '.0f' : 'f');
  if (values.some((value) => format(value).length > maxLabelLength)) return scale.tickFormat(count, 'e');
  return (value: number): string => groupDigits(format(value).replace('\u2212', '-'));
}

/** The domain starts at zero if that is near, so that heights can be compared. */
function chooseDomain(min: number, max: number): [number, number] {
  if (min === max) {
    if (min === 0) return [0, 1];
    const margin = Math.max(Math.abs(min) * 0.05, Number.isInteger(min) ? 1 : 0);
    return min > 0 && min - margin < 0 ? [0, max + margin] : [min - margin, max + margin];
  }
  if (min > 0 && min <= max * 0.4) return [0, max];
  if (max < 0 && max >= min * 0.4) return [min, 0];
  return [min, max];
}
