// Places the points of a series on the drawing and removes those that cannot be seen. The first, last, highest and
// lowest point in each column of pixels are kept, so that the line covers the same pixels (Jugel et al., "M4").

import type { ScaleLinear } from 'd3-scale';
import type { GraphSeries } from './series.ts';

/** In pixels. A `y` of NaN breaks the line. */
export type Points = { readonly xs: readonly number[]; readonly ys: readonly number[] };

type PlaceSeriesOptions = {
  readonly toX: ScaleLinear<number, number>;
  readonly toY: (value: number) => number;
  /** The end of the last step. */
  readonly throughMs2000: number;
};

export function placePoints(series: GraphSeries, { toX, toY, throughMs2000 }: PlaceSeriesOptions): Points {
  const { times, values, isStepped } = series;
  const xs: number[] = [];
  const ys: number[] = [];
  const add = (ms2000: number, value: number): void => {
    xs.push(toX(ms2000));
    ys.push(Number.isNaN(value) ? Number.NaN : toY(value));
  };
  for (const [index, ms2000] of times.entries()) {
    const value = values[index] ?? Number.NaN;
    // A step lasts until the next sample, even if that sample has no value.
    if (isStepped && index > 0 && Number.isNaN(value)) add(ms2000, values[index - 1] ?? Number.NaN);
    add(ms2000, value);
  }
  if (isStepped) add(throughMs2000, values.at(-1) ?? Number.NaN);
  return { xs, ys };
}

/** Keeps up to four points of each column of pixels and each unbroken stretch. */
export function thinPoints(points: Points): Points {
  const { xs, ys } = points;
  const thin: { xs: number[]; ys: number[] } = { xs: [], ys: [] };
  for (let from = 0; from < xs.length;) {
    const end = findPixelEnd(points, from);
    for (const index of keptPoints(ys, from, end)) {
      thin.xs.push(xs[index] ?? Number.NaN);
      thin.ys.push(ys[index] ?? Number.NaN);
    }
    from = end;
  }
  return thin;
}

/** The end of the points in the same column of pixels without a break between them, or the end of a break. */
function findPixelEnd({ xs, ys }: Points, from: number): number {
  const pixel = Math.floor(xs[from] ?? 0);
  let end = from + 1;
  if (Number.isNaN(ys[from])) while (Number.isNaN(ys[end])) end += 1;
  else while (end < xs.length && !Number.isNaN(ys[end]) && Math.floor(xs[end] ?? 0) === pixel) end += 1;
  return end;
}

/** The first, the lowest, the highest and the last of [from, end), in their order. */
function keptPoints(ys: readonly number[], from: number, end: number): number[] {
  if (end - from === 1 || Number.isNaN(ys[from])) return [from];
  let [lowest, highest] = [from, from];
  for (let index = from + 1; index < end; index += 1) {
    const y = ys[index] ?? 0;
    if (y < (ys[lowest] ?? 0)) lowest = index;
    if (y > (ys[highest] ?? 0)) highest = index;
  }
  const kept = [from, Math.min(lowest, highest), Math.max(lowest, highest), end - 1];
  return kept.filter((point, index) => point !== kept[index - 1]);
}

/** The points without a neighbour, which no line would show; at most one for each pixel. */
export function findSinglePoints({ xs, ys }: Points): { readonly x: number; readonly y: number }[] {
  const isValue = (index: number): boolean => index >= 0 && index < ys.length && !Number.isNaN(ys[index]);
  const seen = new Set<string>();
  return xs.flatMap((x, index) => {
    const y = ys[index] ?? Number.NaN;
    if (!isValue(index) || isValue(index - 1) || isValue(index + 1)) return [];
    const pixel = `${Math.round(x)} ${Math.round(y)}`;
    if (seen.has(pixel)) return [];
    seen.add(pixel);
    return [{ x, y }];
  });
}
