// Checks the sums of a history: of visible postings, of others, and of both together.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinInt64, splitInt64 } from '../../../lib/values/int64.ts';
import {
  sumBalances,
  splitByVisibility,
  filterVisible,
  formatPostingsVersion,
  type HistorySum,
  type StoredHistorySum,
} from './history-sums.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const posting = fc.record({
  of_period: fc.constantFrom(1, 2, 3),
  currency: fc.constantFrom('', 'DKK', 'EUR'),
  kind: fc.constantFrom(1, 4),
  is_credit: fc.constantFrom(0, 1),
  amount: int64,
  fingerprint: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
  text_bytes: fc.nat(500),
  at: fc.integer({ min: -20, max: 20 }),
});
type Posting = typeof posting extends fc.Arbitrary<infer T> ? T : never;

const groupOf = ({ of_period, currency, kind, is_credit }: Omit<HistorySum | Posting, 'is_visible'>): string =>
  JSON.stringify([of_period, currency, kind, is_credit]);
const sum = (postings: readonly Posting[], of: (each: Posting) => bigint): bigint =>
  postings.reduce((total, each) => total + of(each), 0n);

/** A row as the database returns it, with the halves added up separately. */
function rowOf(group: readonly Posting[], is_not_visible_part: number): StoredHistorySum {
  const [{ of_period, currency, kind, is_credit } = assert.fail()] = group;
  const halves = (of: (each: Posting) => bigint) => {
    const parts = group.map((each) => splitInt64(of(each)));
    const total = (side: 'high' | 'low') => parts.reduce((all, part) => all + BigInt(part[side]), 0n);
    return { high: total('high'), low: total('low') };
  };
  const [amount, fingerprint] = [halves((each) => each.amount), halves((each) => each.fingerprint)];
  const instants = group.map(({ at }) => at);
  return {
    of_period,
    currency,
    kind,
    is_credit,
    is_not_visible_part,
    count: group.length,
    amount_high: amount.high,
    amount_low: amount.low,
    fingerprint_high: fingerprint.high,
    fingerprint_low: fingerprint.low,
    text_bytes: Number(sum(group, (each) => BigInt(each.text_bytes))),
    earliest: Math.min(...instants),
    latest: Math.max(...instants),
  };
}

// The first of the three periods is not shown.
const firstPeriod = 2;

/**
 * The rows that are read: one for each group, and one for the unseen part of a shown group with postings on both sides
 * of the cutoff.
 */
function readOf(postings: readonly Posting[], cutoff: number): StoredHistorySum[] {
  const groups = [...Map.groupBy(postings, groupOf).values()];
  return groups.flatMap((group) => {
    const unseen = group.filter(({ at }) => at < cutoff);
    const isThrough = unseen.length > 0 && unseen.length < group.length && (group[0]?.of_period ?? 0) >= firstPeriod;
    return isThrough ? [rowOf(unseen, 1), rowOf(group, 0)] : [rowOf(group, 0)];
  });
}

const told = (share: HistorySum) => ({
  count: share.count,
  amount: joinInt64(share.amount_high, share.amount_low),
  fingerprint: joinInt64(share.fingerprint_high, share.fingerprint_low),
  bytes: share.text_bytes,
  latest: share.latest,
});

const histories = fc.array(posting, { maxLength: 40 });
const cutoffs = fc.oneof(fc.integer({ min: -25, max: 25 }), fc.constant(Number.MAX_SAFE_INTEGER));

test('each share is the sum of its postings, with separate shares for seen and unseen ones', () => {
  fc.assert(
    fc.property(histories, cutoffs, (postings, cutoff) => {
      const isSeen = ({ of_period, at }: Posting): boolean => of_period >= firstPeriod && at >= cutoff;
      const seenOf = (each: Posting): string => `${groupOf(each)} ${isSeen(each)}`;
      const expected = [...Map.groupBy(postings, seenOf)].map(([key, group]) => [
        key,
        {
          count: group.length,
          amount: sum(group, ({ amount }) => amount),
          fingerprint: sum(group, ({ fingerprint }) => fingerprint),
          bytes: Number(sum(group, ({ text_bytes }) => BigInt(text_bytes))),
          latest: Math.max(...group.map(({ at }) => at)),
        },
      ]);
      const shares = splitByVisibility(readOf(postings, cutoff), { firstPeriod, cutoff });
      const found = shares.map((share) => [`${groupOf(share)} ${share.is_visible}`, told(share)]);
      assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
      assert.equal(found.length, expected.length);
      assert.equal(
        filterVisible(shares).reduce((count, share) => count + share.count, 0),
        postings.filter(isSeen).length,
      );
    }),
  );
});

test('balances include all postings, seen or not', () => {
  fc.assert(
    fc.property(histories, cutoffs, (postings, cutoff) => {
      const balances = sumBalances(splitByVisibility(readOf(postings, cutoff), { firstPeriod, cutoff }));
      const expected = Map.groupBy(postings, ({ currency }): string => currency);
      assert.deepEqual(
        balances,
        new Map([...balances.keys()].map((each) => [each, sum(expected.get(each) ?? [], ({ amount }) => amount)])),
      );
      assert.equal(balances.size, expected.size);
    }),
  );
});

test('a stamp does not depend on the cutoff, and changes with each posting', () => {
  fc.assert(
    fc.property(histories, cutoffs, cutoffs, posting, (postings, cutoff, other, another) => {
      const stamp = (all: readonly Posting[], at: number): string =>
        formatPostingsVersion(splitByVisibility(readOf(all, at), { firstPeriod, cutoff: at }));
      assert.equal(stamp(postings, cutoff), stamp(postings, other));
      assert.notEqual(stamp(postings, cutoff), stamp([...postings, another], cutoff));
    }),
  );
  assert.equal(formatPostingsVersion([]), '0/0/0');
});
