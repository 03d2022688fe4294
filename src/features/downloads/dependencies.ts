// What the operations of the app's download need.

import type { Releases } from '../../providers/releases/releases.ts';

export type DownloadsDependencies = {
  readonly releases: Releases;
  /** By which clients reach the service; undefined: as they have connected. */
  readonly publicScheme: 'http' | 'https' | undefined;
};
