// Computes the version of the code and assets that draw images or other files. Cached files of another version are not
// used.

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../../..');

const drawing = ['assets/**/*.{json,svg}', 'src/features/{images,icons}/**/*.ts', 'src/lib/{pages/svg,color*,color/*}.ts'];
const sources = [...drawing, 'src/providers/raster/*.ts'];

/** A short hash of the sources; by default those of images. */
export function computeRenderVersion(patterns: readonly string[] = sources): string {
  const hash = createHash('sha256');
  const files = globSync(patterns, { cwd: root, exclude: ['**/*.test.ts'] });
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('base64url').slice(0, 12);
}
