// Checks which values profile fields accept, and which of them change something.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../lib/problem.ts';
import { listChangedProfileFields, parseProfileField, pickFields, profileFields } from './profile-fields.ts';
import { codePoint } from '../../../../test/support/code-point.ts';

const stored = {
  name: 'Ada',
  organisation: '',
  person_icon: 'person',
  theme: 0,
  retention_days: null,
  email: 'ada@example.org',
  email_verified: 0,
};

test('[managers.01, managers.14] a field accepts its values and refuses all others with invalid-profile', () => {
  const values = fc.oneof(
    fc.string({ unit: codePoint, maxLength: 300 }),
    fc.integer(),
    fc.double(),
    fc.constantFrom('person', '0', '1', '30', 0, 1, 2, 30),
  );
  fc.assert(
    fc.property(fc.constantFrom(...profileFields), values, (field, value) => {
      try {
        const [[, parsed] = []] = Object.entries(parseProfileField(field, value, stored));
        if (field === 'Theme') assert.ok(([0, 1, 2] as unknown[]).includes(value));
        if (field === 'RetentionDays') assert.ok(typeof value === 'number' && value >= 0 && value <= 3650);
        assert.deepEqual(parseProfileField(field, parsed!, stored), parseProfileField(field, value, stored));
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'invalid-profile', String(error));
      }
    }),
    { numRuns: 1000 },
  );
});

test('no RetentionDays and 0 days are the same', () => {
  assert.deepEqual(listChangedProfileFields(stored, { retention_days: 0 }), []);
  assert.deepEqual(listChangedProfileFields(stored, { retention_days: 1, theme: 0, name: 'Ada' }), ['retention_days']);
  assert.deepEqual(pickFields(stored, ['retention_days', 'person_icon']), { retentionDays: 0, personIcon: 'person' });
});
