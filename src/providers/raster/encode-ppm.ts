// PPM: a line of text and the pixels. It has no alpha. https://netpbm.sourceforge.net/doc/ppm.html

import type { Uncompressed } from './uncompressed.ts';

export const ppm: Uncompressed = {
  pixel: 'rgb',
  rows: 'downward',
  head: (size) => Buffer.from(`P6\n${size} ${size}\n255\n`, 'latin1'),
};
