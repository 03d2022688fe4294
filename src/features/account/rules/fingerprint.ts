// The fingerprint of a posting and the revision of a set of them.

import { hash } from 'node:crypto';
import type { Int64 } from '../../../lib/int64.ts';
import type { PostingSums } from './rollups.ts';

type FingerprintInput = {
  readonly bank_id: number;
  readonly posting_id: number;
  readonly period: number;
  readonly amount_minor: Int64;
  readonly currency: string;
};

/** 63 bits of SHA-256 over identity, period and amount: they fit a signed column and split into two exact halves. */
export function computeFingerprint({ bank_id, posting_id, period, amount_minor, currency }: FingerprintInput): bigint {
  const digest = hash('sha256', `${bank_id}/${posting_id}/${period}/${amount_minor}/${currency}`, 'buffer');
  return digest.readBigUInt64BE(0) >> 1n;
}

/**
 * The revision of a filtered set: over its postings' fingerprints, its totals, and `view`, which tells apart two
 * showings of one set (an identity expired meanwhile, a period closed, a place renamed).
 */
export function computeRevision({ count, totals, fingerprint }: PostingSums, displayState: string): string {
  const sums = totals.map(
    ({ currency, count: each, debitMinor, creditMinor }) => `${currency}:${each}:${debitMinor}:${creditMinor}`,
  );
  return hash('sha256', [count, fingerprint, ...sums, displayState].join('|'), 'base64url').slice(0, 27);
}
