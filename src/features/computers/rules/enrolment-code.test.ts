// Checks the form of enrolment codes, what of a typed code counts, and when a code can be used.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enrolmentCodeBytes,
  enrolmentCodePattern,
  formatEnrolmentCode,
  hashEnrolmentCode,
  isCodeOpen,
} from './enrolment-code.ts';

const anyCode = fc
  .uint8Array({ minLength: enrolmentCodeBytes, maxLength: enrolmentCodeBytes })
  .map(formatEnrolmentCode);

test('a code has four groups of letters and digits that do not look alike', () => {
  fc.assert(fc.property(anyCode, (code) => assert.match(code, new RegExp(`^${enrolmentCodePattern}$`))));
});

test('case, hyphens and spaces of a typed code do not count, and every letter does', () => {
  fc.assert(
    fc.property(anyCode, fc.nat(), (code, at) => {
      const stored = hashEnrolmentCode(code);
      for (const typed of [code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`])
        assert.equal(hashEnrolmentCode(typed), stored, typed);
      const letters = code.replaceAll('-', '');
      const place = at % letters.length;
      const other = letters[place] === 'A' ? 'B' : 'A';
      assert.notEqual(hashEnrolmentCode(letters.slice(0, place) + other + letters.slice(place + 1)), stored);
    }),
  );
});

test('a code is open before it expires, in its own environment, for a computer that is not revoked', () => {
  const open = { code_expires_at: 1000, code_environment: 'production', revoked_at: null };
  const asked = { environment: 'production', now: 999 };
  assert.equal(isCodeOpen(open, asked), true);
  assert.equal(isCodeOpen(open, { ...asked, now: 1000 }), false);
  assert.equal(isCodeOpen(open, { ...asked, environment: 'beta' }), false);
  assert.equal(isCodeOpen({ ...open, revoked_at: 5 }, asked), false);
  assert.equal(isCodeOpen({ ...open, code_expires_at: null, code_environment: null }, asked), false);
});
