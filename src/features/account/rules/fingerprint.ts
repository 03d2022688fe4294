// The fingerprint of a posting and the revision of a set of them.

import { hash } from 'node:crypto';
import type { Int64 } from '../../../lib/int64.ts';
import type { SetSums } from './rollups.ts';

type Fingerprinted = {
  readonly bank_id: number;
  readonly posting_id: number;
  readonly period: number;
  readonly amount_minor: Int64;
  readonly currency: string;
};

/** 63 bits of SHA-256 over identity, period and amount: they fit a signed column and split into two exact halves. */
export function fingerprintOf({ bank_id, posting_id, period, amount_minor, currency }: Fingerprinted): bigint {
  const digest = hash('sha256', `${bank_id}/${posting_id}/${period}/${amount_minor}/${currency}`, 'buffer');
  return digest.readBigUInt64BE(0) >> 1n;
}

/**
 * The revision of a filtered set: over its postings' fingerprints, its totals, and `view`, which tells apart two
 * showings of one set (an identity expired meanwhile, a period closed, a place renamed).
 */
export function revisionOf({ count, totals, fingerprint }: SetSums, view: string): string {
  const sums = totals.map(
    ({ currency, count: each, debitMinor, creditMinor }) => `${currency}:${each}:${debitMinor}:${creditMinor}`,
  );
  return hash('sha256', [count, fingerprint, ...sums, view].join('|'), 'base64url').slice(0, 27);
}
