// Renders an icon as an SVG, or as a raster image of it.

import type { Representation } from '../../http/representation.ts';
import { Problem } from '../../lib/problem.ts';
import { mediaTypeOf, createRasteriser } from '../../providers/raster/raster.ts';
import type { ImageRenderer } from '../images/image-renderer.ts';
import type { IconImage } from './operations/get-icon-from-set.ts';

/** The function it returns answers the image of a key. It throws Problem `icon-unavailable` if the image cannot be rendered. */
export function createIconRenderer(
  renderer: ImageRenderer,
): (key: string, image: IconImage) => Representation | Promise<Representation> {
  const { render } = createRasteriser();
  return (key, image) => {
    if (image.format === 'svg') return renderer.renderSvg(key, image.draw);
    const { format, size, background, draw } = image;
    return renderer.renderRaster(key, mediaTypeOf(format), () =>
      render(draw(), format, { size, background }).catch((cause: unknown) => {
        throw new Problem('icon-unavailable', { cause });
      }),
    );
  };
}
