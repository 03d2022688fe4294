// Computes the fingerprint of a posting. Fingerprints are stored, so the formula must never change.

import { hash } from 'node:crypto';
import type { Int64 } from '../../../lib/values/int64.ts';

type FingerprintInput = {
  readonly bank_id: number;
  readonly posting_id: number;
  readonly period: number;
  readonly amount_minor: Int64;
  readonly currency: string;
};

/** 63 bits of SHA-256 over bank, id, period, amount and currency: they fit a signed 64-bit column. */
export function computeFingerprint({ bank_id, posting_id, period, amount_minor, currency }: FingerprintInput): bigint {
  const digest = hash('sha256', `${bank_id}/${posting_id}/${period}/${amount_minor}/${currency}`, 'buffer');
  return digest.readBigUInt64BE(0) >> 1n;
}
