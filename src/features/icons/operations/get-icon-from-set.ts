// From what a path asks for to the picture that answers it, and to the key that it is kept under.

import type { Color } from '../../../lib/color.ts';
import { Problem } from '../../../lib/problem.ts';
import { formatColorKey } from '../../images/rules/svg-colors.ts';
import { drawIconComposition } from '../rules/draw-icon.ts';
import type { IconRasterFormat } from '../rules/icon-formats.ts';
import type { IconImageRequest } from '../rules/icon-parameters.ts';
import { formatCompositionKey, composeIcon } from '../rules/icon-composition.ts';

/** What is to be answered: an SVG as it is drawn, or the raster image of one that is drawn in its size. */
export type IconImage =
  | { readonly format: 'svg'; readonly draw: () => string }
  | {
      readonly format: IconRasterFormat;
      /** Pixels, of width and height. */
      readonly size: number;
      readonly draw: () => string;
      /** Painted in the drawing already; formats without transparency may want to know. */
      readonly background: Color | undefined;
    };

/** @param day of the month, which calendars show. Throws Problem icon-not-found where no set has the icon. */
export function describeIconImage(
  { set, icon, format, size, background }: IconImageRequest,
  day: number,
): { key: string; picture: IconImage } {
  const composition = composeIcon(icon, set, day);
  if (composition === undefined) throw new Problem('icon-not-found', { detail: 'No set has a drawing of this icon.' });
  const key = formatCompositionKey(composition);
  if (format === 'svg') return { key: `${key}.svg`, picture: { format, draw: () => drawIconComposition(composition) } };
  const draw = (): string => drawIconComposition(composition, { size, background });
  const backgroundName = background === undefined ? 'transparent' : formatColorKey(background);
  return { key: `${key}.${size}.${backgroundName}.${format}`, picture: { format, size, draw, background } };
}
