// The keys of tenants' data: different for different tenants and parts.

import * as fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTenantCacheKey, isKeyOfTenant } from './tenant-cache.ts';

const tenant = fc.constantFrom('sund', 'sun', 'fjord', 'd');
const part = fc.oneof(fc.stringMatching(/^[a-z0-9,-]{0,3}$/), fc.nat(20));
const lastPart = fc.oneof(part, fc.string({ maxLength: 6 }));
const parts = fc.tuple(fc.array(part, { maxLength: 2 }), lastPart).map(([first, last]) => [...first, last]);

test('two keys with as many parts are the same only if tenant and parts are', () => {
  const input = fc.record({ tenant, parts });
  fc.assert(
    fc.property(input, input, (one, other) => {
      fc.pre(one.parts.length === other.parts.length);
      const isSame =
        one.tenant === other.tenant && one.parts.map(String).join('\0') === other.parts.map(String).join('\0');
      assert.equal(createTenantCacheKey(one, ...one.parts) === createTenantCacheKey(other, ...other.parts), isSame);
    }),
    { numRuns: 2000 },
  );
});

test('a key belongs to its tenant, and to no tenant of a similar name', () => {
  fc.assert(
    fc.property(tenant, tenant, parts, (own, other, of) => {
      assert.equal(isKeyOfTenant(createTenantCacheKey({ tenant: own }, ...of), other), own === other);
    }),
  );
});
