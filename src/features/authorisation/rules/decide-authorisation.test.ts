// Whether a resident may use a unit, and why not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  decideAuthorisation,
  refusalReasons,
  type AuthorisationFacts,
  type UnitFacts,
} from './decide-authorisation.ts';

const now = 1000;
const usable: UnitFacts = {
  isEnabled: true,
  isOutOfOrder: false,
  accessMode: null,
  isOpen: null,
  isFreeInOpeningHours: false,
  bookedBy: undefined,
};
const resident = { resident_id: 1001, enabled: 1, deleted_at: null, expired_at: null };

test('a resident may use a unit unless there is a reason against it', () => {
  const changes: readonly [Partial<UnitFacts>, string | null][] = [
    [{}, null],
    [{ isOpen: true }, null],
    [{ bookedBy: 1001 }, null],
    [{ accessMode: 'KeyAndPin' }, null],
    [{ isEnabled: false }, 'unit-disabled'],
    [{ isOutOfOrder: true }, 'out-of-order'],
    [{ accessMode: 'Blocked' }, 'blocked'],
    [{ isOpen: false }, 'closed'],
    [{ isOpen: false, isFreeInOpeningHours: true }, null],
    [{ bookedBy: 1002 }, 'booked-by-other'],
  ];
  for (const [change, reason] of changes)
    assert.deepEqual(
      decideAuthorisation({ unit: { ...usable, ...change }, holder: resident }, now),
      { allowed: reason === null, reason, residentId: 1001 },
      JSON.stringify(change),
    );
});

test('a key that cannot be used has the reason of its holder, and names nobody', () => {
  const holders: readonly [AuthorisationFacts['holder'], string][] = [
    [undefined, 'unknown-key'],
    [{ ...resident, deleted_at: 1 }, 'unknown-key'],
    [{ ...resident, expired_at: now }, 'resident-expired'],
    [{ ...resident, enabled: 0 }, 'resident-disabled'],
  ];
  for (const [holder, reason] of holders)
    assert.deepEqual(decideAuthorisation({ unit: usable, holder }, now), { allowed: false, reason, residentId: null });
});

const anyUnit = fc.record<UnitFacts>({
  isEnabled: fc.boolean(),
  isOutOfOrder: fc.boolean(),
  accessMode: fc.constantFrom(null, 'Key', 'Free', 'Blocked'),
  isOpen: fc.constantFrom(null, true, false),
  isFreeInOpeningHours: fc.boolean(),
  bookedBy: fc.constantFrom(undefined, 1001, 1002),
});
const anyHolder = fc.option(
  fc.record({
    resident_id: fc.constantFrom(1001, 1002),
    enabled: fc.constantFrom(0, 1),
    deleted_at: fc.constantFrom(null, 1),
    expired_at: fc.constantFrom(null, 1, 2000),
  }),
  { nil: undefined },
);

test('of a unit that is not one of the computer, nothing is said of the key', () => {
  fc.assert(
    fc.property(anyHolder, (holder) => {
      const decision = decideAuthorisation({ unit: undefined, holder }, now);
      assert.deepEqual(decision, { allowed: false, reason: 'unknown-unit', residentId: null });
    }),
  );
});

test('every refusal has a reason, no permission has one, and it is the holder of the key who is named', () => {
  fc.assert(
    fc.property(anyUnit, anyHolder, (unit, holder) => {
      const { allowed, reason, residentId } = decideAuthorisation({ unit, holder }, now);
      assert.equal(allowed, reason === null);
      assert.ok(reason === null || refusalReasons.includes(reason));
      assert.ok(residentId === null ? !allowed : residentId === holder?.resident_id);
    }),
  );
});
