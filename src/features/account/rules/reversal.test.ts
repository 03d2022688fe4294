// Checks which postings can be reversed and what compensates them, against tables and an independent reading of the
// specification.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { kindCode, kinds, paymentKindCode, paymentKinds } from './posting-kinds.ts';
import { createCompensatingPosting, irreversibleReasons, isReversible, findIrreversibleReason } from './reversal.ts';

const least = -(2n ** 63n);
const wash = {
  posting_id: 7,
  location_id: 1,
  unit_id: 2,
  user_id: 1042,
  kind: kindCode('Consumption'),
  payment_kind: paymentKindCode(''),
  currency: 'DKK',
  amount_minor: -3050,
  vat_minor: -610 as number | bigint | null,
  document_id: 501,
  text: 'Wash',
  internal_tag: 77 as number | null,
  reversal_of: null as number | null,
  reversed_by: null as number | null,
  is_refunded: 0,
};

const candidates = fc.record({
  kind: fc.constantFrom(...kinds.map((_, code) => code), 99),
  payment_kind: fc.constantFrom(...paymentKinds.map((_, code) => code), 0, 0, 0),
  amount_minor: fc.oneof(
    fc.bigInt({ min: least, max: -1n }),
    fc.constantFrom(0n, 1n, least, least + 1n, 2n ** 63n - 1n, -1),
  ),
  vat_minor: fc.constantFrom(null, 0n, -610, least, 2n ** 63n - 1n),
  user_id: fc.constantFrom(0, 1, 999, 1000, 1001, 1042, 99_999),
  internal_tag: fc.constantFrom(null, 0, 1, 77),
  reversal_of: fc.constantFrom(null, null, null, 3),
  is_refunded: fc.constantFrom(0, 0, 1),
});

test('[reversal.05, reversal.12] a reason is given exactly when the specification excludes a reversal', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(candidates, fc.boolean(), (candidate, isAnonymized) => {
      const posting = { ...wash, ...candidate };
      const originalConsumption =
        kinds[posting.kind] === 'Consumption' && BigInt(posting.amount_minor) < 0n && posting.reversal_of === null;
      const ofNamedResident = posting.user_id >= 1001 && !isAnonymized;
      const eligible =
        originalConsumption &&
        paymentKinds[posting.payment_kind] === '' &&
        ofNamedResident &&
        posting.internal_tag !== null &&
        posting.is_refunded === 0 &&
        posting.amount_minor !== least &&
        posting.vat_minor !== least;
      const reason = findIrreversibleReason(posting, isAnonymized);
      assert.equal(reason === undefined, eligible, String(reason));
      if (reason !== undefined) assert.ok(reason in irreversibleReasons);
      seen.add(reason ?? 'none');
    }),
    { numRuns: 5000 },
  );
  assert.deepEqual([...seen].toSorted(), [...Object.keys(irreversibleReasons), 'none'].toSorted());
});

test('the first of several reasons is that of the posting’s type, then of the resident, then of the device', () => {
  const table: [change: object, isAnonymized: boolean, reason: string | undefined][] = [
    [{}, false, undefined],
    [{}, true, 'expired-identity'],
    [{ reversal_of: 3, kind: kindCode('Payment') }, true, 'compensating-entry'],
    [{ kind: kindCode('Payment'), payment_kind: paymentKindCode('Managed') }, true, 'payment-managed'],
    [{ kind: kindCode('Month'), user_id: 1000 }, false, 'monthly-transfer'],
    [{ user_id: 0 }, true, 'no-resident'],
    [{ user_id: 1000 }, false, 'guest-entry'],
    [{ user_id: 1000 }, true, 'expired-identity'],
    [{ internal_tag: null }, true, 'expired-identity'],
    [{ internal_tag: null, amount_minor: least }, false, 'no-internal-tag'],
    [{ internal_tag: null, is_refunded: 1 }, false, 'no-internal-tag'],
    [{ amount_minor: least, is_refunded: 1 }, false, 'refunded'],
    [{ internal_tag: 0 }, false, undefined],
  ];
  for (const [change, isAnonymized, reason] of table)
    assert.equal(
      findIrreversibleReason({ ...wash, ...change }, isAnonymized),
      reason,
      JSON.stringify(Object.keys(change)),
    );
});

test('an entry is reversible if it can be reversed and is not reversed yet', () => {
  fc.assert(
    fc.property(candidates, fc.constantFrom(null, 9), (candidate, reversed_by) => {
      const posting = { ...wash, ...candidate, reversed_by };
      assert.equal(isReversible(posting), reversed_by === null && findIrreversibleReason(posting, false) === undefined);
    }),
  );
});

test('[reversal.07, reversal.16] a compensating posting and its original add up to zero, with the same place, user and document', () => {
  const amount = fc.bigInt({ min: least + 1n, max: -1n });
  fc.assert(
    fc.property(amount, fc.option(amount, { nil: null }), fc.maxSafeInteger(), (amount_minor, vat_minor, at) => {
      const original = { ...wash, amount_minor, vat_minor };
      const { amountMinor, vatMinor, ...draft } = createCompensatingPosting(original, at);
      assert.equal(amountMinor + amount_minor, 0n);
      if (vat_minor === null) assert.equal(vatMinor, null);
      else assert.equal((vatMinor ?? 0n) + vat_minor, 0n);
      assert.deepEqual(draft, {
        recordedAt: at,
        locationId: 1,
        unitId: 2,
        residentId: 1042,
        kind: 'Consumption',
        currency: 'DKK',
        documentId: 501,
        text: 'Wash',
        reversalOf: 7,
      });
    }),
  );
});
