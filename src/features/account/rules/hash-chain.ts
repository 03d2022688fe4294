// Computes the fingerprint of a posting, and the hash chain of a bank's ledger. Fingerprints and links are stored, so
// the formulas must never change.

import { hash } from 'node:crypto';
import type { Tables } from '../../../database/tables.ts';

/** The previous link of a ledger's first link. */
export const initialLedgerLink = '';

// In the order in which they are hashed. A new column needs a new version of the link in addition to this one.
const hashedIntegerColumns = [
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
const hashedTextColumns = ['currency', 'text', 'payment_reference'] as const;

export type HashedPosting = Pick<
  Tables['postings'],
  (typeof hashedIntegerColumns)[number] | (typeof hashedTextColumns)[number]
>;
export type HashedClosing = Omit<Tables['settlement_periods'], 'chain'>;

/**
 * The link of a posting, as 43 characters of base64url. Each posting and each closing of a settlement period has a
 * link: SHA-256 over the previous link and the row. A row that is edited, deleted or inserted later breaks the chain.
 */
export function computePostingLink(previousLink: string, posting: HashedPosting): string {
  let hashInput = `posting.1|${encodeText(previousLink)}`;
  for (const column of hashedIntegerColumns) hashInput += `|${posting[column] ?? ''}`;
  for (const column of hashedTextColumns) hashInput += `|${encodeText(posting[column])}`;
  return hash('sha256', hashInput, 'base64url');
}

/** The link of a closing comes between the last posting of its period and the first posting of the next. */
export function computeClosingLink(previousLink: string, closing: HashedClosing): string {
  const { bank_id, period, from_at, through_at, closed_at } = closing;
  const integers = [bank_id, period, from_at, through_at, closed_at].join('|');
  return hash('sha256', `closing.1|${encodeText(previousLink)}|${integers}`, 'base64url');
}

// The length in bytes of UTF-8 marks where a text ends. Null differs from the empty text.
const encodeText = (value: string | null): string => (value === null ? '' : `${Buffer.byteLength(value)}:${value}`);

type LastLinkRow = {
  readonly bankId: number;
  readonly nextPostingId: number;
  readonly open_period: number;
  /** The period of the last posting. */
  readonly last_period: number | null;
  readonly posting_link: string | null;
  /** The link of the previous period's closing. */
  readonly closing_link: string | null;
};

/** Throws if the row of the last link is missing: appending would start a second chain. */
export function getLastLink({
  bankId,
  nextPostingId,
  open_period,
  last_period,
  posting_link,
  closing_link,
}: LastLinkRow): string {
  if (nextPostingId > 1 && posting_link === null)
    throw new Error(`bank ${bankId}: its last posting ${nextPostingId - 1} is missing`);
  if (posting_link !== null && last_period === open_period) return posting_link;
  if (open_period === 1) return initialLedgerLink;
  if (closing_link === null) throw new Error(`bank ${bankId}: the closing of period ${open_period - 1} is missing`);
  return closing_link;
}

type FingerprintInput = Pick<Tables['postings'], 'bank_id' | 'posting_id' | 'period' | 'amount_minor' | 'currency'>;

/** 63 bits of SHA-256 over bank, id, period, amount and currency: they fit a signed 64-bit column. */
export function computeFingerprint({ bank_id, posting_id, period, amount_minor, currency }: FingerprintInput): bigint {
  const digest = hash('sha256', `${bank_id}/${posting_id}/${period}/${amount_minor}/${currency}`, 'buffer');
  return digest.readBigUInt64BE(0) >> 1n;
}
