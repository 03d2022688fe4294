// Tells whether a file is still the one that was validated. The time of its last change of state (ctime) cannot be set
// back.

import type { BigIntStats } from 'node:fs';

export type FileFingerprint = { readonly size: number; readonly key: string };

export function fingerprintOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileFingerprint {
  return { size: Number(size), key: [dev, ino, size, mtimeNs, ctimeNs].join('.') };
}

export const isSameFile = (stats: BigIntStats, other: BigIntStats): boolean =>
  fingerprintOf(stats).key === fingerprintOf(other).key;

/** Compares the states of an open file. Renaming or deleting it changes its state, but not its contents. */
export const hasSameContent = (stats: BigIntStats, other: BigIntStats): boolean =>
  stats.size === other.size && stats.mtimeNs === other.mtimeNs;
