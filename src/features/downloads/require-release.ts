// Requires what a download names: whatever there is not, or not in the host's tenant and environment, is 404.

import { Problem } from '../../lib/problem.ts';
import { architectures, type Architecture } from '../../providers/releases/package/identity.ts';

/** Throws a Problem where it is none of those for which there are packages. */
export const requireArchitecture = (text: string): Architecture =>
  requireRelease(architectures.find((each) => each === text));

/** Throws a Problem where there is none. */
export function requireRelease<T>(found: T | undefined): T {
  if (found === undefined) throw new Problem('release-not-found');
  return found;
}
