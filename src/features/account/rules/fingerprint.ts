// Computes the fingerprint of a posting. Fingerprints are stored, so the formula must never change.

import type { Tables } from '../../../database/tables.ts';
import { hash } from 'node:crypto';

type FingerprintInput = Pick<Tables['postings'], 'bank_id' | 'posting_id' | 'period' | 'amount_minor' | 'currency'>;

/** 63 bits of SHA-256 over bank, id, period, amount and currency: they fit a signed 64-bit column. */
export function computeFingerprint({ bank_id, posting_id, period, amount_minor, currency }: FingerprintInput): bigint {
  const digest = hash('sha256', `${bank_id}/${posting_id}/${period}/${amount_minor}/${currency}`, 'buffer');
  return digest.readBigUInt64BE(0) >> 1n;
}
