// Colours as the attributes of a drawing have them, and as the names of drawings tell them.

import { formatCssColor, type Color } from '../../../lib/color.ts';
import { roundTo } from '../../../lib/svg.ts';

/** What `fill` is for a colour: clear is `none`, which older readers of SVG know as well. */
export function formatFill(color: Color): string {
  return color.alpha === 0 ? 'none' : formatCssColor(color);
}

/** What `fill-opacity` is beside it; undefined where the fill says all. */
export function formatFillOpacity({ alpha }: Color): number | undefined {
  return alpha === 0 || alpha === 1 ? undefined : roundTo(alpha, 3);
}

/** One name a colour, however the client wrote it; made of letters and digits alone. */
export function formatColorKey(color: Color): string {
  return color.alpha === 0 ? 'transparent' : formatCssColor(color).slice(1);
}

export function formatColorsKey(colors: readonly Color[]): string {
  let names = '';
  for (const color of colors) names += names === '' ? formatColorKey(color) : `-${formatColorKey(color)}`;
  return names;
}
