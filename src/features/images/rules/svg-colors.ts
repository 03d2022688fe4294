// Formats colours as SVG attributes and as parts of image keys.

import { formatCssColor, type Color } from '../../../lib/color.ts';
import { roundTo } from '../../../lib/pages/svg.ts';

/** The `fill` of a colour. Transparent is `none`, because SVG 1.1 does not know `transparent`. */
export const formatFill = (color: Color): string => (color.alpha === 0 ? 'none' : formatCssColor(color));

/** The `fill-opacity` of a colour; undefined if `fill` is enough. */
export const formatFillOpacity = ({ alpha }: Color): number | undefined =>
  alpha === 0 || alpha === 1 ? undefined : roundTo(alpha, 3);

/** One name per colour, however the client wrote it; letters and digits only. */
export const formatColorKey = (color: Color): string =>
  color.alpha === 0 ? 'transparent' : formatCssColor(color).slice(1);

export function formatColorsKey(colors: readonly Color[]): string {
  let names = '';
  for (const color of colors) names += names === '' ? formatColorKey(color) : `-${formatColorKey(color)}`;
  return names;
}
