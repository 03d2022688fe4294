// Reads the paths of the brand symbol and of the brand name from assets/brand.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { element, type Svg } from '../../../lib/pages/svg.ts';

/** An archway with a door in it, on 16 by 16. */
export const brandSymbol = loadBrandPath('symbol');

/** The name in letters whose counters are archways too, on 590 by 111. */
export const brandWordmark = loadBrandPath('wordmark');

/** All paths of a file as one path without a colour. */
function loadBrandPath(name: string): Svg {
  const file = readFileSync(join(import.meta.dirname, '../../../../assets/brand', `${name}.svg`), 'utf8');
  const paths = [...file.matchAll(/ d="([^"]+)"/g)].map(([, d = '']) => d);
  return element('path', { d: paths.join('') });
}
