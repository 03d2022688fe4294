// Checks the kinds of postings, and the nine classes that express every filter by kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  postingClassCount,
  listPostingClasses,
  computePostingClass,
  kindCode,
  kindFromCode,
  kinds,
  paymentKindCode,
  paymentKindFromCode,
  paymentKinds,
  type Kind,
  type KindFilter,
} from './posting-kinds.ts';

const bothWays = [true, false];
const filters: KindFilter[] = (['all', 'debit', 'credit'] as const).flatMap((kind) =>
  bothWays.flatMap((includeZero) =>
    bothWays.flatMap((includeBookings) =>
      bothWays.map((includeMonthly) => ({ kind, includeZero, includeBookings, includeMonthly })),
    ),
  ),
);

/** The filter by the words of the query, without classes. */
function passes(
  { kind, includeZero, includeBookings, includeMonthly }: KindFilter,
  posting: Kind,
  amount: bigint,
): boolean {
  if (posting === 'Booking' && !includeBookings) return false;
  if (posting === 'Month' && !includeMonthly) return false;
  if (kind === 'debit') return amount < 0n;
  if (kind === 'credit') return amount > 0n;
  return amount !== 0n || includeZero;
}

test('the classes of a filter contain exactly the postings that the filter includes', () => {
  for (const filter of filters) {
    const classes = listPostingClasses(filter);
    assert.equal(new Set(classes).size, classes.length, 'no class twice');
    for (const kind of kinds) {
      for (const amount of [-(2n ** 63n), -1n, 0n, 1n, 2n ** 63n - 1n]) {
        const held = classes.includes(computePostingClass(kindCode(kind), amount));
        assert.equal(held, passes(filter, kind, amount), JSON.stringify({ filter, kind, amount: String(amount) }));
      }
    }
  }
});

test('a filter that leaves nothing out has every class', () => {
  const all = listPostingClasses({ kind: 'all', includeZero: true, includeBookings: true, includeMonthly: true });
  assert.deepEqual(
    all.toSorted((a, b) => a - b),
    Array.from({ length: postingClassCount }, (_, each) => each),
  );
});

test('kinds keep the codes they are stored under', () => {
  const stored = [
    'Unknown',
    'Consumption',
    'Booking',
    'Month',
    'Payment',
    'Credit',
    'Discount',
    'TransferToRent',
  ] as const;
  assert.deepEqual(stored.map(kindCode), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(
    stored.map((_, code) => kindFromCode(code)),
    stored,
  );
  assert.deepEqual((['', 'Credit', 'ReserveRefund', 'Managed'] as const).map(paymentKindCode), [0, 1, 2, 3]);
  assert.deepEqual([0, 1, 2, 3].map(paymentKindFromCode), [...paymentKinds]);
});

test('a stored code without a name is Unknown, or not a payment', () => {
  for (const code of [-1, 8, 255]) assert.equal(kindFromCode(code), 'Unknown');
  for (const code of [-1, 4, 255]) assert.equal(paymentKindFromCode(code), '');
});
