// Colours as the attributes of a drawing have them, and as the names of drawings tell them.

import { cssColor, type Color } from '../../lib/color.ts';
import { rounded } from '../../lib/svg.ts';

/** What `fill` is for a colour: clear is `none`, which older readers of SVG know as well. */
export function fillOf(color: Color): string {
  return color.alpha === 0 ? 'none' : cssColor(color);
}

/** What `fill-opacity` is beside it; undefined where the fill says all. */
export function opacityOf({ alpha }: Color): number | undefined {
  return alpha === 0 || alpha === 1 ? undefined : rounded(alpha, 3);
}

/** One name a colour, however the client wrote it; made of letters and digits alone. */
export function colorName(color: Color): string {
  return color.alpha === 0 ? 'transparent' : cssColor(color).slice(1);
}

export function colorNames(colors: readonly Color[]): string {
  let names = '';
  for (const color of colors) names += names === '' ? colorName(color) : `-${colorName(color)}`;
  return names;
}
