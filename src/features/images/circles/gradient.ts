// The circle gradient: colours around the middle, from the bottom clockwise, out to the edges of the rectangle. SVG has
// no such gradient, so it is drawn by sectors, so many that two neighbours differ by a level or two of 255.

import { colorAt, type Color } from '../../../lib/color.ts';
import { document, element, spelled, type Svg } from '../../../lib/svg.ts';
import { colorNames, fillOf, opacityOf } from '../paint.ts';
import type { Size } from '../parameters.ts';

export type CircleGradient = Size & { readonly colors: readonly Color[] };

export function circleGradientName({ colors, width, height }: CircleGradient): string {
  return `gradient-${colorNames(colors)}-${width}x${height}`;
}

export function drawCircleGradient({ colors, width, height }: CircleGradient): string {
  const { apart, overlapping } = wheelFor(colors);
  // Each pixel belongs to one sector: smoothed edges would mix many of them around the middle.
  const group = { transform: transformOf(width, height), 'shape-rendering': 'crispEdges' };
  // Where a renderer smooths them nevertheless, opaque sectors let nothing through: each reaches beneath the next, and
  // the first is the ground of all. Clear ones would show twice there.
  const drawing = colors.every(({ alpha }) => alpha === 1)
    ? [
        element('rect', { width, height, fill: fillOf(colorAt(colors, 0)) }),
        element('g', group, ...sectorsOf(overlapping, colors).slice(1)),
      ]
    : [element('g', group, ...sectorsOf(apart, colors))];
  return document(element('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, ...drawing));
}

function sectorsOf(paths: readonly string[], colors: readonly Color[]): Svg[] {
  return paths.map((d, at) => {
    const color = colorAt(colors, at / (paths.length - 1));
    return element('path', { d, fill: fillOf(color), 'fill-opacity': opacityOf(color) });
  });
}

/** Coordinates of the sectors are whole numbers on this radius. */
const radius = 1000;

/** From those coordinates to a rectangle's: the sectors' sides, which cut their arcs short, still pass its corners. */
function transformOf(width: number, height: number): string {
  const scale = (Math.hypot(width, height) / 2 / radius) * 1.01;
  return `translate(${width / 2} ${height / 2})scale(${spelled(scale, 5)})`;
}

/** A circle cut into sectors. */
type Wheel = {
  readonly sides: number;
  readonly apart: readonly string[];
  /** Each reaches to the end of the next, but the last, which ends where the first begins. */
  readonly overlapping: readonly string[];
};

const wheels = [64, 128, 256, 384].map(cut);

/** The wheel that has a sector for each level its colours run through, or the finest. */
function wheelFor(colors: readonly Color[]): Wheel {
  let levels = 0;
  for (let at = 1; at < colors.length; at++) levels += levelsBetween(colors[at - 1], colors[at]);
  return (wheels.find(({ sides }) => sides >= levels) ?? wheels.at(-1)) as Wheel;
}

function levelsBetween(from: Color | undefined, to: Color | undefined): number {
  if (from === undefined || to === undefined || (from.alpha === 0 && to.alpha === 0)) return 0;
  if (from.alpha === 0 || to.alpha === 0) return 255;
  return Math.max(Math.abs(from.red - to.red), Math.abs(from.green - to.green), Math.abs(from.blue - to.blue));
}

function cut(sides: number): Wheel {
  const all = Array.from({ length: sides }, (_, at) => at);
  const sector = (from: number, to: number): string => `M0 0${point(from / sides)}${point(to / sides)}z`;
  return {
    sides,
    apart: all.map((at) => sector(at, at + 1)),
    overlapping: all.map((at) => sector(at, Math.min(at + 2, sides))),
  };
}

/** A point on the circle, that many turns clockwise from the bottom; a minus sign parts numbers as a space does. */
function point(turns: number): string {
  const angle = turns * 2 * Math.PI;
  return [-Math.sin(angle), Math.cos(angle)]
    .map((share) => Math.round(share * radius) + 0)
    .map((number) => (number < 0 ? `${number}` : ` ${number}`))
    .join('');
}
