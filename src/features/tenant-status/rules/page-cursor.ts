// Formats and parses cursors. A cursor names a page of a snapshot, and is authenticated (HMAC-SHA-256, RFC 2104) by a
// key that all replicas of the service share: each of them accepts the cursors of the others, and refuses altered or
// made-up ones.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { formatGrants } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { SnapshotRange } from './page-range.ts';

export type PageCursor = SnapshotRange & {
  /** The id of the snapshot. */
  readonly snapshotId: string;
  /** The {@link hashCursorContext} of the request for the first page. */
  readonly contextHash: string;
};

/** The values that must stay the same from page to page. */
export type CursorContext = {
  readonly scope: Pick<Scope, 'environment' | 'grants'>;
  readonly principalId: number;
  readonly pageSize: number;
  readonly language: string;
};

const macBytes = 32;
const payloadPattern = /^([\w-]{22})\.([\w-]{22})\.(\d{1,4})\.(\d{1,3})$/;

export function hashCursorContext({ scope, principalId, pageSize, language }: CursorContext, key: Buffer): string {
  const parts = [scope.environment, principalId, pageSize, language, formatGrants(scope.grants)];
  return computeMac(JSON.stringify(parts), key).subarray(0, 16).toString('base64url');
}

export function formatStatusCursor({ snapshotId, contextHash, offset, count }: PageCursor, key: Buffer): string {
  const payload = `${snapshotId}.${contextHash}.${offset}.${count}`;
  return Buffer.concat([computeMac(payload, key), Buffer.from(payload)]).toString('base64url');
}

/** Undefined for a text that {@link formatStatusCursor} did not create with this key. */
export function parseStatusCursor(cursor: string, key: Buffer): PageCursor | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips characters that are not base64url.
  if (bytes.length <= macBytes || bytes.toString('base64url') !== cursor) return undefined;
  const payload = bytes.subarray(macBytes).toString('latin1');
  if (!timingSafeEqual(bytes.subarray(0, macBytes), computeMac(payload, key))) return undefined;
  const [, snapshotId = '', contextHash = '', offset, count] = payloadPattern.exec(payload) ?? [];
  return { snapshotId, contextHash, offset: Number(offset), count: Number(count) };
}

const computeMac = (text: string, key: Buffer): Buffer => createHmac('sha256', key).update(text, 'latin1').digest();
