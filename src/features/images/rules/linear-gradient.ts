// The linear gradient, laid out as CSS lays out linear-gradient(): the line through the middle is just so long that the
// first and the last colour meet the corners that lie farthest along it.

import { formatCssColor, transparent, type Color } from '../../../lib/color.ts';
import { formatDocument, element, roundTo, type Attributes, type Svg } from '../../../lib/svg.ts';
import { formatColorsKey } from './svg-colors.ts';
import {
  addParameterError,
  parseColorsParameter,
  parseSizeParameters,
  throwIfInvalid,
  type ImageSize,
  type SizeParameters,
  type ParameterErrors,
} from './image-parameters.ts';

export type LinearGradient = ImageSize & {
  /** Two to four, evenly spaced. */
  readonly colors: readonly Color[];
  /** Degrees clockwise, 0 (inclusive) to 360: 0 runs from left to right, 90 from top to bottom. */
  readonly angle: number;
};

export type LinearGradientParameters = SizeParameters & { readonly colors: string; readonly angle: string };

export function parseLinearGradientParameters(texts: LinearGradientParameters): LinearGradient {
  const errors: ParameterErrors = [];
  const colors = parseColorsParameter(errors, texts.colors);
  const angle = parseAngle(errors, texts.angle);
  const { width, height } = parseSizeParameters(errors, texts);
  throwIfInvalid('invalid-gradient-parameters', errors);
  return { colors, angle, width, height };
}

/** One name a picture; it serves as an XML id as well, so that several pictures can stand in one page. */
export function formatLinearGradientKey({ colors, angle, width, height }: LinearGradient): string {
  return `linear-${formatColorsKey(colors)}-${angle}-${width}x${height}`;
}

export function drawLinearGradient(gradient: LinearGradient): string {
  const { colors, width, height } = gradient;
  const id = formatLinearGradientKey(gradient);
  return formatDocument(
    element(
      'svg',
      { width, height, viewBox: `0 0 ${width} ${height}` },
      element('linearGradient', gradientLineAttributes(gradient, id), ...gradientStops(colors)),
      element('rect', { width, height, fill: `url(#${id})` }),
    ),
  );
}

function parseAngle(wrong: ParameterErrors, text: string): number {
  const degrees = /^-?\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(degrees)) return normalizeAngle(degrees);
  addParameterError(wrong, 'angle', 'must be degrees in decimals, with a dot: 90, -22.5');
  return 0;
}

/** Beyond nine decimals nothing shows, but 22.3 - 360 and 22.3 would differ in them. */
function normalizeAngle(degrees: number): number {
  const turned = roundTo(((degrees % 360) + 360) % 360, 9);
  return turned === 360 ? 0 : turned;
}

function gradientLineAttributes({ angle, width, height }: LinearGradient, id: string): Attributes {
  const radians = (angle * Math.PI) / 180;
  const [right, down] = [Math.cos(radians), Math.sin(radians)];
  const halfLength = (Math.abs(right) * width + Math.abs(down) * height) / 2;
  const at = (middle: number, along: number): number => roundTo(middle + along * halfLength, 4);
  return {
    id,
    gradientUnits: 'userSpaceOnUse',
    x1: at(width / 2, -right),
    y1: at(height / 2, -down),
    x2: at(width / 2, right),
    y2: at(height / 2, down),
  };
}

const offsetsByColorCount: Readonly<Record<number, readonly string[]>> = {
  2: ['0%', '100%'],
  3: ['0%', '50%', '100%'],
  4: ['0%', '33.3333%', '66.6667%', '100%'],
};

function gradientStops(colors: readonly Color[]): Svg[] {
  const stops: Svg[] = [];
  const stopOffsets = offsetsByColorCount[colors.length] ?? [];
  for (let at = 0; at < colors.length; at++) {
    const color = colors[at] ?? transparent;
    const offset = stopOffsets[at];
    if (color.alpha === 0) stops.push(...transparentStops(offset, colors[at - 1], colors[at + 1]));
    else stops.push(element('stop', { offset, 'stop-color': formatCssColor(color) }));
  }
  return stops;
}

/**
 * SVG does not weigh colours by their alpha, and would grey each on its way to a clear black. So a clear stop has the
 * colour of its neighbour, and is two stops where the neighbours differ: then it fades as CSS fades it.
 */
function transparentStops(offset: string | undefined, before: Color | undefined, after: Color | undefined): Svg[] {
  const neighbours = [before, after].filter((color) => color !== undefined && color.alpha > 0) as Color[];
  const colors = new Set(neighbours.map(formatCssColor));
  if (colors.size === 0) colors.add('#000000');
  return [...colors].map((color) => element('stop', { offset, 'stop-color': color, 'stop-opacity': 0 }));
}
