// From an icon's picture to what is answered: an SVG as it is drawn, or its raster image.

import type { Representation } from '../../http/representation.ts';
import { Problem } from '../../lib/problem.ts';
import { mediaTypeOf, createRasteriser } from '../../providers/raster/raster.ts';
import type { ImageRenderer } from '../images/image-renderer.ts';
import type { IconImage } from './operations/get-icon-from-set.ts';

/** Answers the picture of that key, drawing it where it is not kept. Throws Problem icon-unavailable where it cannot. */
export function createIconRenderer(
  imageRenderer: ImageRenderer,
): (key: string, picture: IconImage) => Representation | Promise<Representation> {
  const { render } = createRasteriser();
  return (key, picture) => {
    if (picture.format === 'svg') return imageRenderer.renderSvg(key, picture.draw);
    const { format, size, background, draw } = picture;
    return imageRenderer.renderRaster(key, mediaTypeOf(format), () =>
      render(draw(), format, { size, background }).catch((cause: unknown) => {
        throw new Problem('icon-unavailable', { cause });
      }),
    );
  };
}
