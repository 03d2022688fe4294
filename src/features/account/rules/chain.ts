// The hash chain of a bank's ledger: every posting, and every closing of a settlement period, is sealed with SHA-256
// over the link before it and all that is stored of it. Whatever is edited, deleted or put in between breaks a link.

import { hash } from 'node:crypto';
import type { Tables } from '../../../database/tables.ts';

/** What the first link of a ledger is laid upon. */
export const beginning = '';

// In the order in which they are spelled: a column that is added goes to the end of a new version, beside the old one.
export const sealedIntegers = [
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
export const sealedTexts = ['currency', 'text', 'payment_reference'] as const;

export type SealedPosting = Pick<Tables['postings'], (typeof sealedIntegers)[number] | (typeof sealedTexts)[number]>;
export type SealedClosing = Omit<Tables['settlement_periods'], 'chain'>;

/** The link of a posting: 43 characters of base64url. */
export function postingLink(previous: string, posting: SealedPosting): string {
  let spelled = `posting.1|${textPart(previous)}`;
  for (const column of sealedIntegers) spelled += `|${posting[column] ?? ''}`;
  for (const column of sealedTexts) spelled += `|${textPart(posting[column])}`;
  return hash('sha256', spelled, 'base64url');
}

/** The link of a period's closing, which lies between the last posting of that period and the first of the next. */
export function closingLink(previous: string, closing: SealedClosing): string {
  const { bank_id, period, from_at, through_at, closed_at } = closing;
  const integers = [bank_id, period, from_at, through_at, closed_at].join('|');
  return hash('sha256', `closing.1|${textPart(previous)}|${integers}`, 'base64url');
}

// With its length in bytes of UTF-8 a text says itself where it ends, whatever is in it; none is no empty one.
const textPart = (value: string | null): string => (value === null ? '' : `${Buffer.byteLength(value)}:${value}`);
