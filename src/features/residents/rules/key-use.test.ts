// Who may use a key, by what is stored of its holder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { findKeyRefusal, mayUseKeys, type KeyHolderColumns } from './key-use.ts';

const now = 1000;
const usable: KeyHolderColumns = { enabled: 1, deleted_at: null, expired_at: null };

test('a key is refused for the first reason that applies to its holder', () => {
  const refusals: readonly [KeyHolderColumns | undefined, string | undefined][] = [
    [undefined, 'unknown-key'],
    [usable, undefined],
    [{ ...usable, deleted_at: 1 }, 'unknown-key'],
    [{ ...usable, enabled: 0 }, 'resident-disabled'],
    [{ ...usable, expired_at: now + 1 }, undefined],
    [{ ...usable, expired_at: now }, 'resident-expired'],
    [{ enabled: 0, deleted_at: 1, expired_at: 1 }, 'unknown-key'],
    [{ enabled: 0, deleted_at: null, expired_at: 1 }, 'resident-expired'],
  ];
  for (const [holder, refusal] of refusals) assert.equal(findKeyRefusal(holder, now), refusal, JSON.stringify(holder));
});

test('a holder may use keys if enabled, not deleted and not expired, and only then', () => {
  const time = fc.option(fc.integer({ min: 0, max: 2000 }), { nil: null });
  fc.assert(
    fc.property(fc.constantFrom(0, 1), time, time, (enabled, deleted_at, expired_at) => {
      const expected = enabled === 1 && deleted_at === null && (expired_at ?? Infinity) > now;
      assert.equal(mayUseKeys({ enabled, deleted_at, expired_at }, now), expected);
    }),
  );
});
