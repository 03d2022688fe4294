// What pages took tells how much the next one is read at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../permissions/scope.ts';
import { createReadSizeEstimate } from './read-size-estimate.ts';

const scope = { tenant: 'sund' } as Scope;

test('a bank that was never read is asked for plenty, one that was for what its pages took and a little more', () => {
  const known = createReadSizeEstimate();
  const atFirst = known.estimatePostings(scope, 1001, 20);
  assert.ok(atFirst >= 80, String(atFirst));
  known.recordPage(scope, 1001, { receipts: 20, postings: 46 });
  const learnt = known.estimatePostings(scope, 1001, 20);
  assert.ok(learnt >= 46 && learnt <= 55, String(learnt));
  assert.ok(known.estimatePostings(scope, 1001, 40) >= 92, 'twice as many receipts take twice as many');
  assert.equal(known.estimatePostings(scope, 1002, 20), atFirst, 'another bank is another');
  assert.equal(known.estimatePostings({ ...scope, tenant: 'vest' }, 1001, 20), atFirst, 'and so is another tenant’s');
});

test('the page that took most is remembered for a while, and not for ever', () => {
  const known = createReadSizeEstimate();
  known.recordPage(scope, 1001, { receipts: 20, postings: 180 });
  for (let pages = 0; pages < 10; pages += 1) known.recordPage(scope, 1001, { receipts: 20, postings: 40 });
  assert.ok(known.estimatePostings(scope, 1001, 20) > 140);
  for (let pages = 0; pages < 500; pages += 1) known.recordPage(scope, 1001, { receipts: 20, postings: 40 });
  assert.ok(known.estimatePostings(scope, 1001, 20) < 60);
});

test('one page of thousands of lines makes no other read as many', () => {
  const known = createReadSizeEstimate();
  known.recordPage(scope, 1001, { receipts: 20, postings: 20_000 });
  assert.ok(known.estimatePostings(scope, 1001, 20) < 250);
});
