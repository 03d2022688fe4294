// Checks that the estimate of a read follows the pages before it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GrantedBank } from '../../../permissions/coverage.ts';
import { createReadSizeEstimate } from './read-size-estimate.ts';

const bank = { tenant: 'sund', bankId: 1001 } as GrantedBank;

test('an unknown bank is estimated high, a known one a little above what its pages needed', () => {
  const estimate = createReadSizeEstimate();
  const atFirst = estimate.estimatePostings(bank, 20);
  assert.ok(atFirst >= 80, String(atFirst));
  estimate.recordPage(bank, { receipts: 20, postings: 46 });
  const learnt = estimate.estimatePostings(bank, 20);
  assert.ok(learnt >= 46 && learnt <= 55, String(learnt));
  assert.ok(estimate.estimatePostings(bank, 40) >= 92, 'twice as many receipts take twice as many');
  assert.equal(estimate.estimatePostings({ ...bank, bankId: 1002 }, 20), atFirst, 'another bank is another');
  assert.equal(estimate.estimatePostings({ ...bank, tenant: 'vest' }, 20), atFirst, 'and so is another tenant’s');
});

test('the largest page is remembered for a while, but not for ever', () => {
  const estimate = createReadSizeEstimate();
  estimate.recordPage(bank, { receipts: 20, postings: 180 });
  for (let pages = 0; pages < 10; pages += 1) estimate.recordPage(bank, { receipts: 20, postings: 40 });
  assert.ok(estimate.estimatePostings(bank, 20) > 140);
  for (let pages = 0; pages < 500; pages += 1) estimate.recordPage(bank, { receipts: 20, postings: 40 });
  assert.ok(estimate.estimatePostings(bank, 20) < 60);
});

test('one page with thousands of lines does not make other reads that large', () => {
  const estimate = createReadSizeEstimate();
  estimate.recordPage(bank, { receipts: 20, postings: 20_000 });
  assert.ok(estimate.estimatePostings(bank, 20) < 250);
});
