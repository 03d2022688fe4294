// Draws the circle gradient: a conic gradient, clockwise from the bottom, that fills the rectangle. SVG has no conic
// gradient, so it is drawn as sectors, as many as it takes for neighbours to differ by one or two levels of 255.

import { colorAt, type Color } from '../../../lib/color.ts';
import { formatDocument, element, formatNumber, type Svg } from '../../../lib/pages/svg.ts';
import { formatColorsKey, formatFill, formatFillOpacity } from './svg-colors.ts';
import type { ImageSize } from './image-parameters.ts';

export type CircleGradient = ImageSize & { readonly colors: readonly Color[] };

export const formatCircleGradientKey = ({ colors, width, height }: CircleGradient): string =>
  `gradient-${formatColorsKey(colors)}-${width}x${height}`;

export function drawCircleGradient({ colors, width, height }: CircleGradient): string {
  const { apart, overlapping } = chooseSectorWheel(colors);
  // Without antialiasing each pixel belongs to one sector. Antialiased edges would mix many sectors near the centre.
  const group = { transform: formatTransform(width, height), 'shape-rendering': 'crispEdges' };
  // Some renderers antialias nevertheless. Then opaque sectors have no gaps, as each extends beneath the next and the
  // first fills the rectangle. Transparent sectors must not overlap, as the overlap would show.
  const drawing = colors.every(({ alpha }) => alpha === 1)
    ? [
        element('rect', { width, height, fill: formatFill(colorAt(colors, 0)) }),
        element('g', group, ...drawSectors(overlapping, colors).slice(1)),
      ]
    : [element('g', group, ...drawSectors(apart, colors))];
  return formatDocument(element('svg', { width, height, viewBox: `0 0 ${width} ${height}` }, ...drawing));
}

const drawSectors = (paths: readonly string[], colors: readonly Color[]): Svg[] =>
  paths.map((d, index) => {
    const color = colorAt(colors, index / (paths.length - 1));
    return element('path', { d, fill: formatFill(color), 'fill-opacity': formatFillOpacity(color) });
  });

/** The coordinates of sectors are whole numbers on a circle of this radius. */
const radius = 1000;

/** Scales the circle to a rectangle. A sector ends in a straight line inside its arc, hence 1 % more than the corners need. */
function formatTransform(width: number, height: number): string {
  const scale = (Math.hypot(width, height) / 2 / radius) * 1.01;
  return `translate(${width / 2} ${height / 2})scale(${formatNumber(scale, 5)})`;
}

/** A circle cut into sectors. */
type SectorWheel = {
  readonly sides: number;
  readonly apart: readonly string[];
  /** Each extends to the end of the next one; the last ends where the first begins. */
  readonly overlapping: readonly string[];
};

const sectorWheels = [64, 128, 256, 384].map(createSectorWheel);

/** The smallest wheel with a sector for each level that the colours run through, or the largest wheel. */
function chooseSectorWheel(colors: readonly Color[]): SectorWheel {
  let levels = 0;
  for (let index = 1; index < colors.length; index++) levels += countLevelsBetween(colors[index - 1], colors[index]);
  return (sectorWheels.find(({ sides }) => sides >= levels) ?? sectorWheels.at(-1)) as SectorWheel;
}

function countLevelsBetween(from: Color | undefined, to: Color | undefined): number {
  if (from === undefined || to === undefined || (from.alpha === 0 && to.alpha === 0)) return 0;
  if (from.alpha === 0 || to.alpha === 0) return 255;
  return Math.max(Math.abs(from.red - to.red), Math.abs(from.green - to.green), Math.abs(from.blue - to.blue));
}

function createSectorWheel(sides: number): SectorWheel {
  const all = Array.from({ length: sides }, (_, index) => index);
  const sector = (from: number, to: number): string => `M0 0${formatPoint(from / sides)}${formatPoint(to / sides)}z`;
  return {
    sides,
    apart: all.map((index) => sector(index, index + 1)),
    overlapping: all.map((index) => sector(index, Math.min(index + 2, sides))),
  };
}

/** A point on the circle, in turns clockwise from the bottom. A minus sign separates numbers as a space does. */
function formatPoint(turns: number): string {
  const angle = turns * 2 * Math.PI;
  return [-Math.sin(angle), Math.cos(angle)]
    .map((share) => Math.round(share * radius) + 0)
    .map((number) => (number < 0 ? `${number}` : ` ${number}`))
    .join('');
}
