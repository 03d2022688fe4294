// The linear gradient, laid out as CSS lays out linear-gradient(): the line through the middle is just so long that the
// first and the last colour meet the corners that lie farthest along it.

import { cssColor, transparent, type Color } from '../../lib/color.ts';
import { document, element, rounded, type Attributes, type Svg } from '../../lib/svg.ts';
import { colorNames } from './paint.ts';
import { note, readColors, readSize, refuseWrong, type Size, type SizeTexts, type Wrong } from './parameters.ts';

export type LinearGradient = Size & {
  /** Two to four, evenly spaced. */
  readonly colors: readonly Color[];
  /** Degrees clockwise, 0 (inclusive) to 360: 0 runs from left to right, 90 from top to bottom. */
  readonly angle: number;
};

export type LinearGradientTexts = SizeTexts & { readonly colors: string; readonly angle: string };

export function readLinearGradient(texts: LinearGradientTexts): LinearGradient {
  const wrong: Wrong = [];
  const colors = readColors(wrong, texts.colors);
  const angle = readAngle(wrong, texts.angle);
  const { width, height } = readSize(wrong, texts);
  refuseWrong('invalid-gradient-parameters', wrong);
  return { colors, angle, width, height };
}

/** One name a picture; it serves as an XML id as well, so that several pictures can stand in one page. */
export function linearGradientName({ colors, angle, width, height }: LinearGradient): string {
  return `linear-${colorNames(colors)}-${angle}-${width}x${height}`;
}

export function drawLinearGradient(gradient: LinearGradient): string {
  const { colors, width, height } = gradient;
  const id = linearGradientName(gradient);
  return document(
    element(
      'svg',
      { width, height, viewBox: `0 0 ${width} ${height}` },
      element('linearGradient', lineOf(gradient, id), ...stopsOf(colors)),
      element('rect', { width, height, fill: `url(#${id})` }),
    ),
  );
}

function readAngle(wrong: Wrong, text: string): number {
  const degrees = /^-?\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(degrees)) return normalised(degrees);
  note(wrong, 'angle', 'must be degrees in decimals, with a dot: 90, -22.5');
  return 0;
}

/** Beyond nine decimals nothing shows, but 22.3 - 360 and 22.3 would differ in them. */
function normalised(degrees: number): number {
  const turned = rounded(((degrees % 360) + 360) % 360, 9);
  return turned === 360 ? 0 : turned;
}

function lineOf({ angle, width, height }: LinearGradient, id: string): Attributes {
  const radians = (angle * Math.PI) / 180;
  const [right, down] = [Math.cos(radians), Math.sin(radians)];
  const reach = (Math.abs(right) * width + Math.abs(down) * height) / 2;
  const at = (middle: number, along: number): number => rounded(middle + along * reach, 4);
  return {
    id,
    gradientUnits: 'userSpaceOnUse',
    x1: at(width / 2, -right),
    y1: at(height / 2, -down),
    x2: at(width / 2, right),
    y2: at(height / 2, down),
  };
}

const offsets: Readonly<Record<number, readonly string[]>> = {
  2: ['0%', '100%'],
  3: ['0%', '50%', '100%'],
  4: ['0%', '33.3333%', '66.6667%', '100%'],
};

function stopsOf(colors: readonly Color[]): Svg[] {
  const stops: Svg[] = [];
  const places = offsets[colors.length] ?? [];
  for (let at = 0; at < colors.length; at++) {
    const color = colors[at] ?? transparent;
    const offset = places[at];
    if (color.alpha === 0) stops.push(...clearStops(offset, colors[at - 1], colors[at + 1]));
    else stops.push(element('stop', { offset, 'stop-color': cssColor(color) }));
  }
  return stops;
}

/**
 * SVG does not weigh colours by their alpha, and would grey each on its way to a clear black. So a clear stop has the
 * colour of its neighbour, and is two stops where the neighbours differ: then it fades as CSS fades it.
 */
function clearStops(offset: string | undefined, before: Color | undefined, after: Color | undefined): Svg[] {
  const neighbours = [before, after].filter((color) => color !== undefined && color.alpha > 0) as Color[];
  const colors = new Set(neighbours.map(cssColor));
  if (colors.size === 0) colors.add('#000000');
  return [...colors].map((color) => element('stop', { offset, 'stop-color': color, 'stop-opacity': 0 }));
}
