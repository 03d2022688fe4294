// PPM: a line of text and the pixels. It has no alpha channel. https://netpbm.sourceforge.net/doc/ppm.html

import type { UncompressedFormat } from './encode-uncompressed.ts';

export const ppmFormat: UncompressedFormat = {
  pixel: 'rgb',
  rows: 'downward',
  header: (size) => Buffer.from(`P6\n${size} ${size}\n255\n`, 'latin1'),
};
