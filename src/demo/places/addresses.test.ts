// Postcodes of demo locations, by the rule of each country.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTenants } from '../../tenants.ts';
import { zipOf } from './addresses.ts';

const spellings: Readonly<Record<string, RegExp>> = {
  DK: /^\d{4}$/,
  NO: /^\d{4}$/,
  SE: /^\d{3} ?\d{2}$/,
  DE: /^\d{5}$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/,
  IS: /^\d{3}$/,
};

test('locations of a bank have postcodes of the tenant’s country, each another one', () => {
  for (const tenant of builtInTenants) {
    const zips = [1, 2, 3, 4, 5].map((number) => zipOf(tenant, 1001 + number));
    for (const zip of zips) assert.match(zip, spellings[tenant.country] ?? /^$/, tenant.name);
    assert.equal(new Set(zips).size, 5, tenant.name);
  }
});

test('a country whose postcodes are not known here has none', () => {
  const [tenant] = builtInTenants;
  assert.ok(tenant);
  assert.equal(zipOf({ ...tenant, country: 'XX' }, 1), '');
});
