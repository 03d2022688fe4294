// Parses colours as clients write them in a path, formats them for SVG, and mixes them.

import { cssColorNames } from './color/css-color-names.ts';
import { portalColorNames } from './color/portal-color-names.ts';

/** Channels 0..255, rounded to whole numbers only where they are spelled; alpha 0..1. */
export type Color = {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
};

export const transparent: Color = { red: 0, green: 0, blue: 0, alpha: 0 };

/**
 * Reads a colour, in any case: three or six hex digits without `#`, a colour name of the portal or of CSS, or
 * `transparent`. Anything else is undefined.
 */
export function parseColor(text: string): Color | undefined {
  if (text.length === 6 || text.length === 3) {
    const color = parseHexColor(text);
    if (color !== undefined) return color;
  }
  const color = colorsByName.get(text.toLowerCase());
  // Lower case makes an ASCII letter of the Kelvin sign, too.
  return color !== undefined && /^[A-Za-z]+$/.test(text) ? color : undefined;
}

/** `#rrggbb`, or `transparent` for a colour with alpha 0; a partial alpha must be painted separately. */
export function formatCssColor({ red, green, blue, alpha }: Color): string {
  if (alpha === 0) return 'transparent';
  return `#${formatHexByte(red)}${formatHexByte(green)}${formatHexByte(blue)}`;
}

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function formatHexByte(channel: number): string {
  return hexBytes[Math.round(channel)] ?? '';
}

/**
 * The colour at `share` (0..1) of the way between two colours. Colours are weighted by their alpha, as in CSS, so that red
 * fades into `transparent` as red: the black of rgba(0, 0, 0, 0) would make it grey.
 */
function interpolateColors(from: Color, to: Color, share: number): Color {
  const alpha = from.alpha + (to.alpha - from.alpha) * share;
  if (alpha === 0) return transparent;
  const toWeight = (to.alpha * share) / alpha;
  const between = (a: number, b: number): number => a + (b - a) * toWeight;
  return {
    red: between(from.red, to.red),
    green: between(from.green, to.green),
    blue: between(from.blue, to.blue),
    alpha,
  };
}

/** The colour at `position` (0..1) of a scale over which the colours, at least two, are evenly spaced. */
export function colorAt(colors: readonly Color[], position: number): Color {
  const spans = colors.length - 1;
  const span = Math.min(Math.floor(position * spans), spans - 1);
  return interpolateColors(colors[span] ?? transparent, colors[span + 1] ?? transparent, position * spans - span);
}

const colorsByName: ReadonlyMap<string, Color> = new Map([
  ...[...Object.entries(cssColorNames), ...Object.entries(portalColorNames)].map(
    ([name, rgb]) => [name.toLowerCase(), colorFromRgb(rgb)] as const,
  ),
  ['transparent', transparent],
]);

function colorFromRgb(rgb: number): Color {
  return { red: rgb >> 16, green: (rgb >> 8) & 0xff, blue: rgb & 0xff, alpha: 1 };
}

function parseHexColor(text: string): Color | undefined {
  const isShort = text.length === 3;
  let rgb = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = parseHexDigit(text.charCodeAt(index));
    if (digit === undefined) return undefined;
    rgb = isShort ? (rgb << 8) | (digit * 17) : (rgb << 4) | digit;
  }
  return colorFromRgb(rgb);
}

function parseHexDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}
