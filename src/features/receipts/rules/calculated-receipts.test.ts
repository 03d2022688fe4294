// Checks the receipts that settlements add without a posting: a table for each rule.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiptKind } from './receipt-kinds.ts';
import { calculateReceipts, type ResidentMovements, type SettlementRules } from './calculated-receipts.ts';

const openPeriod = 5;
const settling: SettlementRules = {
  discountRate: 500,
  movesToRent: true,
  openPeriod,
  periodEnds: new Map([1, 2, 3, 4].map((period) => [period, period * 1000])),
  cutoff: 0,
};

type Totals = Partial<Record<ReceiptKind, bigint>>;

function movements(totals: Totals, change: Partial<ResidentMovements> = {}): ResidentMovements {
  return {
    period: 4,
    currency: 'DKK',
    totals: { Purchase: 0n, Payment: 0n, Discount: 0n, TransferToRent: 0n, ...totals },
    kindsWithPostings: new Set(Object.keys(totals) as ReceiptKind[]),
    lastPurchaseAt: 4321,
    hasHiddenPostings: false,
    ...change,
  };
}

const told = (each: ResidentMovements, of: Partial<SettlementRules> = {}): string[] =>
  calculateReceipts([each], { ...settling, ...of }).map(
    ({ kind, period, currency, totalMinor, at, isShown }) =>
      `${kind} ${period} ${currency} ${totalMinor} ${at}${isShown ? '' : ' not shown'}`,
  );

test('[receipts.14, receipts.20] a discount is given off a period’s purchases in kroner, at its last instant', () => {
  const cash = { movesToRent: false };
  assert.deepEqual(told(movements({ Purchase: 1039n }), cash), ['Discount 4 DKK -51 3999']);
  assert.deepEqual(told(movements({ Purchase: 1000n, Payment: -900n }), cash), ['Discount 4 DKK -50 3999']);
  assert.deepEqual(told(movements({ Purchase: 19n }), cash), [], 'less than the smallest coin');
  assert.deepEqual(told(movements({ Purchase: -1000n }), cash), [], 'nothing off a refund');
  for (const currency of ['EUR', '', 'dkk'])
    assert.deepEqual(told(movements({ Purchase: 1000n }, { currency }), cash), []);
  assert.deepEqual(told(movements({ Purchase: 1000n }), { ...cash, discountRate: null }), []);
});

test('a stored discount replaces a calculated one, whatever its amount', () => {
  for (const Discount of [-700n, 0n, 5n])
    assert.deepEqual(told(movements({ Purchase: 1000n, Discount }), { movesToRent: false }), []);
});

test('[receipts.19] the open period’s discount is dated to its latest purchase, and nothing is moved to the rent yet', () => {
  assert.deepEqual(told(movements({ Purchase: 1000n }, { period: openPeriod })), ['Discount 5 DKK -50 4321']);
});

test('[receipts.14] a rent bank moves the amount owed at the end of a closed period to the rent, so that its receipts add up to zero', () => {
  const rent = { discountRate: null };
  assert.deepEqual(told(movements({ Purchase: 1000n, Payment: -300n }), rent), ['TransferToRent 4 DKK -700 3999']);
  assert.deepEqual(told(movements({ Purchase: 1000n, Discount: -100n }), rent), ['TransferToRent 4 DKK -900 3999']);
  assert.deepEqual(told(movements({ Purchase: 1000n })), ['Discount 4 DKK -50 3999', 'TransferToRent 4 DKK -950 3999']);
  assert.deepEqual(told(movements({ Purchase: 1000n }, { currency: 'EUR' })), ['TransferToRent 4 EUR -1000 3999']);
  for (const totals of [{ Purchase: 1000n, Payment: -1000n }, { Payment: -5n }, { Purchase: -5n }])
    assert.deepEqual(told(movements(totals), rent), [], 'nothing is owed');
});

test('nothing is moved in an unknown currency, in addition to a stored transfer, or by a bank that is not a rent bank', () => {
  const rent = { discountRate: null };
  assert.deepEqual(told(movements({ Purchase: 1000n }, { currency: '' }), rent), []);
  assert.deepEqual(told(movements({ Purchase: 1000n, TransferToRent: -1n }), rent), []);
  assert.deepEqual(told(movements({ Purchase: 1000n }), { ...rent, movesToRent: false }), []);
});

test('[receipts.09] receipts that do not show all postings of a period, or its instant, do not show what is calculated from them', () => {
  const notShown = ['Discount 4 DKK -50 3999 not shown', 'TransferToRent 4 DKK -950 3999 not shown'];
  assert.deepEqual(told(movements({ Purchase: 1000n }, { hasHiddenPostings: true })), notShown);
  assert.deepEqual(told(movements({ Purchase: 1000n }), { cutoff: 4000 }), notShown);
  const shown = ['Discount 4 DKK -50 3999', 'TransferToRent 4 DKK -950 3999'];
  assert.deepEqual(told(movements({ Purchase: 1000n }), { cutoff: 3999 }), shown);
});
