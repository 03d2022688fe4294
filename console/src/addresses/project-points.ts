// Calculates where points of the earth are on a drawing of them: a flat projection, true to scale at their middle. What
// would lie on each other is one spot.

export type PlacedPoint = {
  readonly key: string;
  /** Millionths of a degree (WGS 84). */
  readonly latitude: number;
  /** Millionths of a degree (WGS 84). */
  readonly longitude: number;
};

export type Spot = {
  /** The part of the width, 0 at the left. */
  readonly x: number;
  /** The part of the height, 0 at the top: north is up. */
  readonly y: number;
  /** The points that it stands for, in their order. */
  readonly keys: readonly string[];
};

export type Drawing = {
  readonly spots: readonly Spot[];
  /** A round length. */
  readonly scaleMetres: number;
  /** That length on the drawing, of its width. */
  readonly scaleWidth: number;
};

/** Width by height. */
export const drawingRatio = 1.5;

const metresPerDegree = 111_320;
const millionth = 1_000_000;
/** A drawing of a single point shows so much around it. */
const leastMetres = 400;
/** The part of the drawing, on each side, that keeps marks off its edge. */
const margin = 0.09;
/** Marks that are nearer, in widths of the drawing, would cover each other. */
const nearest = 0.055;
const longestScale = 0.3;

export function drawPoints(points: readonly PlacedPoint[]): Drawing {
  const placed = toMetres(points);
  const across = extentOf(placed.map(({ east }) => east));
  const up = extentOf(placed.map(({ north }) => north));
  // The side that needs more room decides.
  const width = Math.max(across.length, up.length * drawingRatio, leastMetres) / (1 - 2 * margin);
  const spots = mergeNear(
    placed.map(({ key, east, north }) => ({
      x: 0.5 + (east - across.middle) / width,
      y: 0.5 - ((north - up.middle) / width) * drawingRatio,
      keys: [key],
    })),
  );
  const scaleMetres = roundLength(width * longestScale);
  return { spots, scaleMetres, scaleWidth: scaleMetres / width };
}

type Metres = { readonly key: string; readonly east: number; readonly north: number };

function toMetres(points: readonly PlacedPoint[]): Metres[] {
  const longitudes = points.map(({ longitude }) => longitude / millionth);
  // Points on both sides of the 180th meridian are near each other.
  const isSplit = Math.max(...longitudes) - Math.min(...longitudes) > 180;
  const middle = extentOf(points.map(({ latitude }) => latitude / millionth)).middle;
  const shrink = Math.cos((middle * Math.PI) / 180);
  return points.map(({ key, latitude }, index) => {
    const longitude = longitudes[index] ?? 0;
    const turned = isSplit && longitude < 0 ? longitude + 360 : longitude;
    return { key, east: turned * metresPerDegree * shrink, north: (latitude / millionth) * metresPerDegree };
  });
}

function extentOf(values: readonly number[]): { readonly middle: number; readonly length: number } {
  if (values.length === 0) return { middle: 0, length: 0 };
  const least = Math.min(...values);
  const most = Math.max(...values);
  return { middle: (least + most) / 2, length: most - least };
}

/** Each spot stays where its first point is. */
function mergeNear(spots: readonly Spot[]): Spot[] {
  const merged: Spot[] = [];
  for (const spot of spots) {
    const index = merged.findIndex(({ x, y }) => Math.hypot(x - spot.x, (y - spot.y) / drawingRatio) < nearest);
    const near = merged[index];
    if (near === undefined) merged.push(spot);
    else merged[index] = { ...near, keys: [...near.keys, ...spot.keys] };
  }
  return merged;
}

/** The largest of 1, 2, 5, 10, 20, … that is no longer. */
function roundLength(mostMetres: number): number {
  const power = 10 ** Math.floor(Math.log10(mostMetres));
  const step = [5, 2].find((each) => each * power <= mostMetres) ?? 1;
  return step * power;
}
