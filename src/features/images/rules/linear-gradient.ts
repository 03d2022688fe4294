// Draws the linear gradient with the geometry of CSS linear-gradient() (CSS Images 3, 3.1): the gradient line passes
// through the centre, and the first and the last colour reach the farthest corners.

import { formatCssColor, transparent, type Color } from '../../../lib/color.ts';
import { formatDocument, element, roundTo, type Attributes, type Svg } from '../../../lib/pages/svg.ts';
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

type LinearGradient = ImageSize & {
  /** Two to four, evenly spaced. */
  readonly colors: readonly Color[];
  /** Degrees clockwise, 0 (inclusive) to 360 (exclusive): 0 runs from left to right, 90 from top to bottom. */
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

/** One key per image. It is also the XML id of the gradient, so that one page can contain several images. */
export const formatLinearGradientKey = ({ colors, angle, width, height }: LinearGradient): string =>
  `linear-${formatColorsKey(colors)}-${angle}-${width}x${height}`;

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

function parseAngle(errors: ParameterErrors, text: string): number {
  const degrees = /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(degrees)) return normalizeAngle(degrees);
  addParameterError(
    errors,
    'angle',
    'must be a number of degrees with a dot as decimal separator, such as 90 or -22.5',
  );
  return 0;
}

/** Rounds to nine decimals, so that 22.3 - 360 and 22.3 give the same angle despite floating-point errors. */
function normalizeAngle(degrees: number): number {
  const normalized = roundTo(((degrees % 360) + 360) % 360, 9);
  return normalized === 360 ? 0 : normalized;
}

function gradientLineAttributes({ angle, width, height }: LinearGradient, id: string): Attributes {
  const radians = (angle * Math.PI) / 180;
  const [right, down] = [Math.cos(radians), Math.sin(radians)];
  const halfLength = (Math.abs(right) * width + Math.abs(down) * height) / 2;
  const pointAt = (middle: number, along: number): number => roundTo(middle + along * halfLength, 4);
  return {
    id,
    gradientUnits: 'userSpaceOnUse',
    x1: pointAt(width / 2, -right),
    y1: pointAt(height / 2, -down),
    x2: pointAt(width / 2, right),
    y2: pointAt(height / 2, down),
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
  for (let index = 0; index < colors.length; index++) {
    const color = colors[index] ?? transparent;
    const offset = stopOffsets[index];
    if (color.alpha === 0) stops.push(...transparentStops(offset, colors[index - 1], colors[index + 1]));
    else stops.push(element('stop', { offset, 'stop-color': formatCssColor(color) }));
  }
  return stops;
}

/**
 * CSS interpolates premultiplied colours; SVG does not, and would turn a colour grey on its way to transparent black. So
 * a transparent stop takes the colour of its neighbour, and becomes two stops if its neighbours differ.
 */
function transparentStops(offset: string | undefined, before: Color | undefined, after: Color | undefined): Svg[] {
  const neighbours = [before, after].filter((color) => color !== undefined && color.alpha > 0) as Color[];
  const colors = new Set(neighbours.map(formatCssColor));
  if (colors.size === 0) colors.add('#000000');
  return [...colors].map((color) => element('stop', { offset, 'stop-color': color, 'stop-opacity': 0 }));
}
