// Renders an icon as an SVG, or as a raster image of it.

import type { DeflatedBytes } from '../../../lib/bytes/deflated-bytes.ts';
import { Problem } from '../../../lib/problem.ts';
import { mediaTypeOf, createRasteriser, maxLightSize } from '../../../providers/raster/raster.ts';
import type { ImageRenderer } from '../../images/process/image-renderer.ts';
import type { RenderIcon } from '../operations/get-icon-from-set.ts';

/**
 * The function that it returns answers the image of a key. It throws Problem `icon-unavailable` if the image cannot be
 * rendered.
 */
export function createIconRenderer(renderer: ImageRenderer): RenderIcon {
  const { render } = createRasteriser();
  return (key, image, clientAddress) => {
    if (image.format === 'svg') return renderer.renderSvg(key, image.draw);
    const { format, size, background, draw } = image;
    const renderImage = (): Promise<Buffer | DeflatedBytes> =>
      render(draw(), format, { size, background }).catch((cause: unknown) => {
        throw new Problem('icon-unavailable', { cause });
      });
    return renderer.renderRaster(
      { key, mediaType: mediaTypeOf(format), render: renderImage },
      { clientAddress, isHeavy: size > maxLightSize },
    );
  };
}
