// Checks which rows share a document key, and which do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeAccountDocumentKey } from './account-documents.ts';

const seldom = fc.constantFrom(false, false, false, true);
const row = fc.record({
  posting_id: fc.integer({ min: 1, max: 9 }),
  document_id: fc.option(fc.constantFrom(-1, 0, 1, 2, 11, 12, 13, Number.MAX_SAFE_INTEGER), { nil: null }),
  user_id: fc.constantFrom(0, 1, 11, 1000, 1001),
  location_id: fc.constantFrom(0, 1, 11),
  period: fc.constantFrom(1, 2, 11),
  currency: fc.constantFrom('', 'DKK', 'EUR'),
  isPaymentManaged: seldom,
  isAnonymized: seldom,
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

/** Two rows that differ in one or two fields. */
const pair = fc
  .tuple(row, row, fc.subarray(['posting_id', ...keyParts(), 'isAnonymized'] as const, { maxLength: 2 }))
  .map(([one, other, changed]): [Row, Row] => [
    one,
    { ...one, ...Object.fromEntries(changed.map((part) => [part, other[part]])) },
  ]);

function keyParts() {
  return ['document_id', 'user_id', 'location_id', 'period', 'currency'] as const;
}

test('[account.24, account.25, account.52] two rows share a key only as parts of one document, and the key of a standalone row is unique', () => {
  const alone = ({ document_id, isPaymentManaged, isAnonymized }: Row): boolean =>
    document_id === null || document_id < 1 || isPaymentManaged || isAnonymized;
  let joined = 0;
  fc.assert(
    fc.property(pair, ([one, other]) => {
      const together = !alone(one) && !alone(other) && keyParts().every((part) => one[part] === other[part]);
      const itself = alone(one) && alone(other) && one.posting_id === other.posting_id;
      assert.equal(computeAccountDocumentKey(one) === computeAccountDocumentKey(other), together || itself);
      if (together && one.posting_id !== other.posting_id) joined += 1;
    }),
    { numRuns: 5000 },
  );
  assert.ok(joined > 50, 'groups were among them');
});

test('the key of an anonymized row identifies nobody', () => {
  fc.assert(
    fc.property(row, (each) => {
      const key = computeAccountDocumentKey({ ...each, isAnonymized: true });
      assert.equal(
        key,
        computeAccountDocumentKey({ ...each, isAnonymized: true, user_id: 4242, document_id: 7, location_id: 3 }),
      );
    }),
  );
});
