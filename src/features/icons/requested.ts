// From what a path asks for to the picture that answers it, and to the key that it is kept under.

import type { Color } from '../../lib/color.ts';
import { Problem } from '../../lib/problem.ts';
import { colorName } from '../images/paint.ts';
import { drawPicture } from './draw.ts';
import type { IconRaster } from './formats.ts';
import type { IconRequest } from './parameters.ts';
import { pictureKey, pictureOf } from './picture.ts';

/** What is to be answered: an SVG as it is drawn, or the raster image of one that is drawn in its size. */
export type IconPicture =
  | { readonly format: 'svg'; readonly draw: () => string }
  | {
      readonly format: IconRaster;
      /** Pixels, of width and height. */
      readonly size: number;
      readonly draw: () => string;
      /** Painted in the drawing already; formats without transparency may want to know. */
      readonly background: Color | undefined;
    };

/** @param day of the month, which calendars show. Throws Problem icon-not-found where no set has the icon. */
export function described(
  { set, icon, format, size, background }: IconRequest,
  day: number,
): { key: string; picture: IconPicture } {
  const shown = pictureOf(icon, set, day);
  if (shown === undefined) throw new Problem('icon-not-found', { detail: 'No set has a drawing of this icon.' });
  const key = pictureKey(shown);
  if (format === 'svg') return { key: `${key}.svg`, picture: { format, draw: () => drawPicture(shown) } };
  const draw = (): string => drawPicture(shown, { size, background });
  const behind = background === undefined ? 'transparent' : colorName(background);
  return { key: `${key}.${size}.${behind}.${format}`, picture: { format, size, draw, background } };
}
