// The pages of a snapshot of the tenant status: their cursors, the row with which a first page begins, the rows of the pages
// around one, and how long, and how many, snapshots are kept.

import { createHash } from 'node:crypto';
import { isStatusKind, type StatusKind } from './status-kinds.ts';
import { parseKid } from '../../../lib/kid.ts';
import { formatGrants } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';

export type PageCursor = readonly [
  snapshotId: string,
  /** The {@link hashCursorContext} of the request for the first page. */
  contextHash: string,
  offset: number,
  count: number,
];

/** The values that must stay the same from page to page. */
export type CursorContext = {
  readonly scope: Pick<Scope, 'environment' | 'grants'>;
  readonly principalId: number;
  readonly pageSize: number;
  readonly language: string;
};

export function hashCursorContext({ scope, principalId, pageSize, language }: CursorContext): string {
  const parts = [scope.environment, principalId, pageSize, language, formatGrants(scope.grants)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

export type StatusAnchor = { readonly kind: StatusKind; readonly unitKid: string };

/** Undefined for an unknown kind, and for a text that is not the KID of a unit of this tenant. */
export function parseAnchor(text: string, tenant: string): StatusAnchor | undefined {
  const separatorAt = text.indexOf(':');
  const [kind, unitKid] = [text.slice(0, Math.max(0, separatorAt)), text.slice(separatorAt + 1)];
  return isStatusKind(kind) && parseKid(unitKid, tenant, ['unit']) !== undefined ? { kind, unitKid } : undefined;
}

/** Consecutive rows: how many rows are before them, and how many they are. */
export type SnapshotRange = { readonly offset: number; readonly count: number };

type SnapshotSize = { readonly totalCount: number; readonly pageSize: number };

/** The page that begins at a row, or at the last row if there are fewer. */
export function firstRange(wantedOffset: number, { totalCount, pageSize }: SnapshotSize): SnapshotRange {
  const offset = Math.max(0, Math.min(wantedOffset, totalCount - 1));
  return { offset, count: Math.min(pageSize, totalCount - offset) };
}

/** Undefined before the first row. A page shorter than others ends where the next one begins, so that no row is in both. */
export function rangeBefore({ offset }: SnapshotRange, { pageSize }: SnapshotSize): SnapshotRange | undefined {
  if (offset === 0) return undefined;
  const before = Math.max(0, offset - pageSize);
  return { offset: before, count: offset - before };
}

/** Undefined after the last row. */
export function rangeAfter(
  { offset, count }: SnapshotRange,
  { totalCount, pageSize }: SnapshotSize,
): SnapshotRange | undefined {
  const after = offset + count;
  return after < totalCount ? { offset: after, count: Math.min(pageSize, totalCount - after) } : undefined;
}

export const maxAgeMs = 120_000;

/** A page that refreshes itself takes a new snapshot every 30 seconds. */
export const maxPerManager = 8;
