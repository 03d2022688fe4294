// The renderer of SVG images, as the operations use it.

import type { Representation } from '../../http/representation.ts';

export type RenderedImage = Representation | Promise<Representation>;

export type SvgRenderer = {
  /** Returns the image with that key (one key per image), from the cache or newly drawn. */
  renderSvg(key: string, draw: () => string): RenderedImage;
};
