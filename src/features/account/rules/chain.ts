// The hash chain of a bank's ledger: every posting, and every closing of a settlement period, is sealed with SHA-256
// over the link before it and all that is stored of it. Whatever is edited, deleted or put in between breaks a link.

import { hash } from 'node:crypto';
import type { Tables } from '../../../database/tables.ts';

/** What the first link of a ledger is laid upon. */
export const initialLink = '';

// In the order in which they are spelled: a column that is added goes to the end of a new version, beside the old one.
export const hashedIntegerColumns = [
  'bank_id',
  'posting_id',
  'recorded_at',
  'location_id',
  'unit_id',
  'user_id',
  'kind',
  'payment_kind',
  'amount_minor',
  'vat_minor',
  'period',
  'document_id',
  'internal_tag',
  'reversal_of',
  'fingerprint',
] as const;
export const hashedTextColumns = ['currency', 'text', 'payment_reference'] as const;

export type HashedPosting = Pick<
  Tables['postings'],
  (typeof hashedIntegerColumns)[number] | (typeof hashedTextColumns)[number]
>;
export type HashedClosing = Omit<Tables['settlement_periods'], 'chain'>;

/** The link of a posting: 43 characters of base64url. */
export function computePostingLink(previousLink: string, posting: HashedPosting): string {
  let hashInput = `posting.1|${encodeText(previousLink)}`;
  for (const column of hashedIntegerColumns) hashInput += `|${posting[column] ?? ''}`;
  for (const column of hashedTextColumns) hashInput += `|${encodeText(posting[column])}`;
  return hash('sha256', hashInput, 'base64url');
}

/** The link of a period's closing, which lies between the last posting of that period and the first of the next. */
export function computeClosingLink(previousLink: string, closing: HashedClosing): string {
  const { bank_id, period, from_at, through_at, closed_at } = closing;
  const integers = [bank_id, period, from_at, through_at, closed_at].join('|');
  return hash('sha256', `closing.1|${encodeText(previousLink)}|${integers}`, 'base64url');
}

// With its length in bytes of UTF-8 a text says itself where it ends, whatever is in it; none is no empty one.
const encodeText = (value: string | null): string => (value === null ? '' : `${Buffer.byteLength(value)}:${value}`);
