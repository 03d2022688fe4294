// Checks what the demo geocoder finds: every address of the demo, other spellings of them, and examples of failures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPostalRule, parsePostcode } from '../src/lib/text/postal-code.ts';
import { mayBeIn } from '../src/providers/geocoding/matching/country-bounds.ts';
import { builtInTenants } from '../src/tenants.ts';
import { createDemoGeocoder } from './demo-geocoder.ts';
import { zipOf } from './places/addresses.ts';
import { createDemoBanks } from './places/places.ts';

const geocoder = createDemoGeocoder();

test('every location of the demo is found, each at its own coordinates', async () => {
  for (const tenant of builtInTenants) {
    const found = new Set<string>();
    const located = createDemoBanks(0).flatMap(({ bankId, locations }) =>
      locations.map(({ locationId, street, name }) => ({
        address: street ?? name,
        zip: zipOf(tenant, bankId + locationId),
      })),
    );
    for (const { address, zip } of located) {
      const match = await geocoder.findAddress({
        country: tenant.country,
        address,
        zip,
        isResident: true,
        turnKey: ['sund', '1'],
      });
      assert.ok(match.outcome === 'Success', `${tenant.name}: ${address}, ${zip}`);
      const { latitude, longitude } = match.coordinates;
      assert.ok(mayBeIn(tenant.country, latitude / 1e6, longitude / 1e6));
      found.add(`${latitude} ${longitude}`);
    }
    assert.equal(found.size, located.length, tenant.name);
    assert.deepEqual(geocoder.countRequests(tenant.country), { address: 0, postalCity: 0 });
  }
});

test('postal codes of the demo have cities in countries with a postal code rule', async () => {
  for (const { country, name } of builtInTenants) {
    const zips = [1, 2, 3, 4, 5].map((number) => zipOf({ ...builtInTenants[0], country } as never, number));
    for (const zip of zips) {
      const postcode = parsePostcode(country, zip) ?? zip;
      const { outcome } = await geocoder.findPostalCity({
        tenant: name,
        country,
        isResident: true,
        turnKey: ['sund', '1'],
        postcode,
      });
      assert.equal(outcome, hasPostalRule(country) ? 'Success' : 'NotConfigured', `${name}: ${zip}`);
    }
  }
});

test('other spellings are found, and there is an example of each outcome', async () => {
  const table: [address: string, zip: string, outcome: string][] = [
    ['alder  lane 2', '2100', 'Success'],
    ['Alder Lane 2 B', '2100 København Ø', 'Success'],
    ['2 Alder Lane', '8000', 'Success'],
    ['Alder Lane 200', '2100', 'NoResult'],
    ['Alder Lane', '2100', 'NoResult'],
    ['Elm Lane 2', '2100', 'NoResult'],
    ['Alder Lane 2', '1234', 'NoResult'],
    ['Twin Lane 2', '2100', 'NoResult'],
    ['Storm Lane 2', '2100', 'TransientFailure'],
    ['Closed Lane 2', '2100', 'PermanentFailure'],
  ];
  for (const [address, zip, outcome] of table)
    assert.equal(
      (await geocoder.findAddress({ country: 'DK', address, zip, isResident: false, turnKey: ['sund', '1'] })).outcome,
      outcome,
      address,
    );
  const codes: [country: string, postcode: string, outcome: string][] = [
    ['DK', '9998', 'NoResult'],
    ['SE', '999 98', 'NoResult'],
    ['NO', '9997', 'TransientFailure'],
    ['GB', 'ZZ9 7ZZ', 'TransientFailure'],
    ['DE', '99997', 'TransientFailure'],
    ['DK', '1234', 'NoResult'],
    ['FI', '00100', 'NotConfigured'],
  ];
  for (const [country, postcode, outcome] of codes)
    assert.equal(
      (await geocoder.findPostalCity({ tenant: 'x', country, isResident: false, turnKey: ['sund', '1'], postcode }))
        .outcome,
      outcome,
      postcode,
    );
});
