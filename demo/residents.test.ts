// Checks that the phone numbers of demo residents are numbers of their country.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePhone } from '../src/features/residents/rules/phone.ts';
import { builtInTenants } from '../src/tenants.ts';
import { createDemoBanks } from './places/places.ts';
import { createDemoResidents } from './residents.ts';

test('the phone of every demo resident can be saved as it is shown', () => {
  for (const tenant of builtInTenants)
    for (const bank of createDemoBanks(0))
      for (const { phone } of createDemoResidents(bank, tenant, 0)) {
        const number = phone.replaceAll(' ', '');
        assert.deepEqual(parsePhone(phone, tenant.country), { value: { typed: phone, number } }, phone);
      }
});
