// Computes the hash chains of the audit log.

import { hash } from 'node:crypto';
import type { Tables } from '../../../database/tables.ts';

/**
 * The chain of entries that belong to no bank. Every bank has its own chain, so that banks do not wait for each other.
 */
export const tenantChain = 0;

/** The previous link of a chain's first entry. */
export const initialAuditLink = '';

export type HashedAuditEntry = Omit<Tables['audit_entries'], 'link'>;

// In the order in which they are hashed. A new column needs a new version of the text in addition to this one.
const hashedColumns = [
  'chain',
  'sequence',
  'at',
  'actor_kind',
  'actor_id',
  'address',
  'operation',
  'object',
  'old_values',
  'new_values',
  'request_id',
  'environment',
] as const satisfies readonly (keyof HashedAuditEntry)[];

/** A text that is different for every entry: each value follows its length, and null has no length. */
const formatCanonicalText = (entry: HashedAuditEntry): string =>
  hashedColumns.map((column) => encodeValue(entry[column])).join('|');

/**
 * The link of an entry, as 43 characters of base64url. Each entry has a link: SHA-256 over the previous link and the
 * entry. An entry that is edited, deleted or inserted later breaks its chain.
 */
export const computeAuditLink = (previousLink: string, entry: HashedAuditEntry): string =>
  hash('sha256', `audit.1|${encodeValue(previousLink)}|${formatCanonicalText(entry)}`, 'base64url');

/** The length is in bytes of UTF-8. */
function encodeValue(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  return `${Buffer.byteLength(text)}:${text}`;
}
