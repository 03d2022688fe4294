// GetIconFromSet, GetIconImageFromSet and GetIconImageWithBackgroundFromSet: draws an icon as an SVG or a raster image.

import type { OperationContext } from '../../../http/context/operation-context.ts';
import type { Representation } from '../../../http/representations/representation.ts';
import type { Color } from '../../../lib/color.ts';
import { Problem } from '../../../lib/problem.ts';
import { formatColorKey } from '../../images/rules/svg-colors.ts';
import { drawIconComposition } from '../rules/draw-icon.ts';
import { composeIcon, formatCompositionKey } from '../rules/icon-composition.ts';
import type { IconRasterFormat } from '../rules/icon-formats.ts';
import { parseIconImageRequest, type IconImageRequest, type IconPathParameters } from '../rules/icon-parameters.ts';

/** The image to render. A raster image is rendered from an SVG of its size. */
export type IconImage =
  | { readonly format: 'svg'; readonly draw: () => string }
  | {
      readonly format: IconRasterFormat;
      /** Width and height in pixels. */
      readonly size: number;
      readonly draw: () => string;
      /** The drawing already contains it; encoders of formats without transparency need it too. */
      readonly background: Color | undefined;
    };

/** Returns the image with that key (one key per image), from the cache or newly rendered. */
export type RenderIcon = (
  key: string,
  image: IconImage,
  clientAddress: string,
) => Representation | Promise<Representation>;

export type GetIconFromSetDependencies = {
  /** The day that calendars show. */
  readonly getDayOfMonth: () => number;
  readonly renderIcon: RenderIcon;
};

export function getIconFromSet(
  { tenant, clientAddress }: Pick<OperationContext, 'tenant' | 'clientAddress'>,
  parameters: IconPathParameters,
  { getDayOfMonth, renderIcon }: GetIconFromSetDependencies,
): Representation | Promise<Representation> {
  const { key, image } = describeImage(parseIconImageRequest(parameters, tenant.name), getDayOfMonth());
  return renderIcon(key, image, clientAddress);
}

/** Throws Problem icon-not-found if no set has the icon. */
function describeImage(
  { set, icon, format, size, background }: IconImageRequest,
  dayOfMonth: number,
): { key: string; image: IconImage } {
  const composition = composeIcon(icon, set, dayOfMonth);
  if (composition === undefined) throw new Problem('icon-not-found', { detail: 'No set has a drawing of this icon.' });
  const key = formatCompositionKey(composition);
  if (format === 'svg') return { key: `${key}.svg`, image: { format, draw: () => drawIconComposition(composition) } };
  const draw = (): string => drawIconComposition(composition, { size, background });
  const backgroundName = background === undefined ? 'transparent' : formatColorKey(background);
  return { key: `${key}.${size}.${backgroundName}.${format}`, image: { format, size, draw, background } };
}
