// Adds postings to the roll-ups of residents: sums by settlement period, currency, kind and sign. Receipts and balances
// read these, so their cost does not depend on the number of postings.

import type { Tables } from '../../../database/tables.ts';
import { splitInt64 } from '../../../lib/values/int64.ts';
import { guestId } from '../../../lib/kid.ts';

type ResidentRollup = Tables['resident_rollups'];
type ResidentRollupPosting = Pick<
  Tables['postings'],
  'bank_id' | 'user_id' | 'period' | 'currency' | 'kind' | 'amount_minor' | 'fingerprint' | 'text' | 'recorded_at'
>;

/** How these rows are added to stored ones. */
export const residentRollupUpsertColumns = {
  key: ['bank_id', 'user_id', 'period', 'currency', 'kind', 'is_credit'],
  sum: ['count', 'amount_high', 'amount_low', 'fingerprint_high', 'fingerprint_low', 'text_bytes'],
  min: ['earliest'],
  max: ['latest'],
} as const satisfies Record<string, readonly (keyof ResidentRollup)[]>;

/** The roll-up rows of postings, summed by key. The halves are exact for a million postings at once. */
export function computeResidentRollups(postings: Iterable<ResidentRollupPosting>): ResidentRollup[] {
  const sums = new Map<string, ResidentRollup & Record<(typeof residentRollupUpsertColumns.sum)[number], number>>();
  for (const posting of postings) {
    const { bank_id, user_id, period, currency, kind, recorded_at } = posting;
    if (user_id <= guestId) continue;
    const is_credit = posting.amount_minor > 0 ? 1 : 0;
    const [amount, fingerprint] = [splitInt64(posting.amount_minor), splitInt64(posting.fingerprint)];
    const key = `${bank_id}/${user_id}/${period}/${currency}/${kind}/${is_credit}`;
    let sum = sums.get(key);
    if (sum === undefined) {
      const none = { count: 0, amount_high: 0, amount_low: 0, fingerprint_high: 0, fingerprint_low: 0, text_bytes: 0 };
      sum = {
        bank_id,
        user_id,
        period,
        currency,
        kind,
        is_credit,
        ...none,
        earliest: recorded_at,
        latest: recorded_at,
      };
      sums.set(key, sum);
    }
    sum.count += 1;
    sum.amount_high += amount.high;
    sum.amount_low += amount.low;
    sum.fingerprint_high += fingerprint.high;
    sum.fingerprint_low += fingerprint.low;
    sum.text_bytes += Buffer.byteLength(posting.text);
    sum.earliest = Math.min(sum.earliest, recorded_at);
    sum.latest = Math.max(sum.latest, recorded_at);
  }
  return [...sums.values()];
}
