// What a cursor of the tenant status holds: a page of a snapshot, and the context that must stay the same.

import { createHash } from 'node:crypto';
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
