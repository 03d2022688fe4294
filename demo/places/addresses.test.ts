// Checks the postcodes of demo locations by the rule of each country.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../src/tenants.ts';
import { zipOf } from './addresses.ts';

const spellings: Readonly<Record<string, RegExp>> = {
  DK: /^\d{4}$/,
  NO: /^\d{4}$/,
  SE: /^\d{3} ?\d{2}$/,
  DE: /^\d{5}$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/,
  IS: /^\d{3}$/,
};

test('every location of a bank has its own postcode of the tenant’s country', () => {
  for (const tenant of builtInTenants) {
    const zips = [1, 2, 3, 4, 5].map((number) => zipOf(tenant, 1001 + number));
    for (const zip of zips) assert.match(zip, spellings[tenant.country] ?? /^$/, tenant.name);
    assert.equal(new Set(zips).size, 5, tenant.name);
  }
});

test('a country without a known postcode rule has no postcodes', () => {
  const [tenant] = builtInTenants;
  assert.ok(tenant);
  assert.equal(zipOf({ ...tenant, country: 'XX' }, 1), '');
});
