// Checks postings one after another: their ids, their fingerprints, and the hash chain. Each link is computed from the
// stored link below it and the row's own fields, so that one wrong link is reported once and not for every row above it.

import { computeFingerprint, initialLedgerLink, computeClosingLink, computePostingLink } from '../rules/hash-chain.ts';
import type { LedgerCheck, StoredPosting, LedgerDifference } from './ledger-check.ts';

type LastPosting = Pick<StoredPosting, 'period' | 'chain'>;

export const chainCheck: LedgerCheck = ({ head: { open_period: openPeriod }, closings }) => {
  let last: LastPosting | undefined;
  // The link of the last posting of each period, which precedes the link of the period's closing.
  const lastLinks = new Map<number, string>();
  const previousClosingLink = (period: number): string =>
    closings.get(period - 1)?.chain ?? last?.chain ?? initialLedgerLink;
  return {
    *checkPostings(rows) {
      for (const row of rows) {
        const previousLink =
          last !== undefined && last.period >= row.period ? last.chain : previousClosingLink(row.period);
        const computed = computePostingLink(previousLink, row);
        if (computed !== row.chain)
          yield { kind: 'chain', key: `posting ${row.posting_id}`, stored: row.chain, computed };
        lastLinks.set(row.period, row.chain);
        last = row;
      }
    },
    *finish() {
      for (const closing of closings.values()) {
        const { period, chain: stored } = closing;
        if (period < 1 || period >= openPeriod) continue;
        const previousLink = lastLinks.get(period) ?? closings.get(period - 1)?.chain ?? initialLedgerLink;
        const computed = computeClosingLink(previousLink, closing);
        if (computed !== stored) yield { kind: 'closing', key: `period ${period}`, stored, computed };
      }
    },
  };
};

export const sequenceCheck: LedgerCheck = ({ head: { next_posting_id: nextPostingId } }) => {
  const lastPostingId = nextPostingId - 1;
  let expected = 1;
  /** The gap between the expected id and a later one. */
  function* listMissing(until: number): Generator<LedgerDifference> {
    if (expected >= until) return;
    const last = until - 1;
    const key = last === expected ? `posting ${expected}` : `postings ${expected} to ${last}`;
    yield { kind: 'missing posting', key, stored: undefined, computed: `ids up to ${lastPostingId}` };
  }
  return {
    *checkPostings(rows) {
      for (const { posting_id } of rows) {
        if (posting_id < 1 || posting_id > lastPostingId) {
          yield {
            kind: 'posting beyond the head',
            key: `posting ${posting_id}`,
            stored: 'a posting',
            computed: `ids from 1 to ${lastPostingId}`,
          };
          continue;
        }
        yield* listMissing(posting_id);
        expected = posting_id + 1;
      }
    },
    finish: () => listMissing(nextPostingId),
  };
};

export const fingerprintCheck: LedgerCheck = () => ({
  *checkPostings(rows) {
    for (const row of rows) {
      const computed = computeFingerprint(row);
      if (computed === BigInt(row.fingerprint)) continue;
      yield {
        kind: 'fingerprint',
        key: `posting ${row.posting_id}`,
        stored: String(row.fingerprint),
        computed: String(computed),
      };
    }
  },
});
