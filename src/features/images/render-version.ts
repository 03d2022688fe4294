// Which edition of the drawings this is: kept images of another must not be taken for it.

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** Everything that has a say in how an image looks. */
const renderSources = [
  'assets/**/*.{json,svg}',
  'src/features/{images,icons}/**/*.ts',
  'src/lib/{svg,color*,color/*}.ts',
];

/** A short hash of all that draws. */
export function computeRenderVersion(): string {
  const hash = createHash('sha256');
  const files = globSync([...renderSources, 'src/providers/raster/*.ts'], { cwd: root, exclude: ['**/*.test.ts'] });
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('base64url').slice(0, 12);
}
