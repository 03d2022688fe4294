// Requires the release that a download names. Anything that does not exist in the host's tenant and environment is 404.

import { Problem } from '../../lib/problem.ts';
import { architectures, type Architecture } from '../../providers/releases/package/package-identity.ts';
import type { Releases } from '../../providers/releases/releases.ts';

/** Throws a Problem for an architecture without packages. */
export const requireArchitecture = (text: string): Architecture =>
  requireRelease(architectures.find((each) => each === text));

/** Throws a Problem if there is none. */
export function requireRelease<T>(found: T | undefined): T {
  if (found === undefined) throw new Problem('release-not-found');
  return found;
}

export type AppDownloadDependencies = {
  readonly releases: Releases;
  /** The scheme by which clients reach the service; undefined: that of their connection. */
  readonly publicScheme: 'http' | 'https' | undefined;
};
