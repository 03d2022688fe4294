// From an icon's picture to what is answered: an SVG as it is drawn, or its raster image.

import type { Representation } from '../../http/representation.ts';
import { Problem } from '../../lib/problem.ts';
import { mediaTypeOf, rasteriser } from '../../providers/raster/raster.ts';
import type { ImageRenderer } from '../images/image-renderer.ts';
import type { IconPicture } from './requested.ts';

/** Answers the picture of that key, drawing it where it is not kept. Throws Problem icon-unavailable where it cannot. */
export function iconRendering(
  renderer: ImageRenderer,
): (key: string, picture: IconPicture) => Representation | Promise<Representation> {
  const { render } = rasteriser();
  return (key, picture) => {
    if (picture.format === 'svg') return renderer.svg(key, picture.draw);
    const { format, size, background, draw } = picture;
    return renderer.raster(key, mediaTypeOf(format), () =>
      render(draw(), format, { size, background }).catch((cause: unknown) => {
        throw new Problem('icon-unavailable', { cause });
      }),
    );
  };
}
