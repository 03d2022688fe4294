// The geocoder as the operator's file configures it: which providers it asks, how often, and what it logs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { StorageError } from '../../src/database/errors.ts';
import type { AddressQuery } from '../../src/providers/geocoding/geocoder.ts';
import { createDependencies } from '../../src/dependencies.ts';
import { hang, json, startFakeProvider, status, type FakeProvider } from '../support/fake-provider.ts';
import { withNamesAt } from '../support/resolved-names.ts';
import { openTestGeocoder } from './support/open-test-geocoder.ts';

let provider: FakeProvider;
before(async () => {
  provider = await startFakeProvider();
});
after(() => provider.stop());

const query: AddressQuery = {
  country: 'DK',
  address: 'Alder Lane 2',
  zip: '2100 Secretville',
  isResident: false,
  turnKey: ['sund', '1'],
};
const postal = { tenant: 'sund', country: 'DK', isResident: false, postcode: '2100', turnKey: ['sund', '1'] };

const settings = (country: object, network: object = {}, otherCountries: object = {}) => ({
  contact: 'ops@example.org',
  providers: {
    osm: { type: 'nominatim', baseUrl: provider.url, requestsPerSecond: 1000, ...network },
    table: { type: 'postal-table' },
    dk: { type: 'adressevaelger', baseUrl: provider.url, token: 'sesam' },
  },
  countries: { DK: country, ...otherCountries },
});

test('the service asks no provider without PORTAL_GEOCODER, and has a gazetteer under --demo', async () => {
  const config = readConfig({ PORTAL_STORAGE: `sqlite:${import.meta.filename}/nowhere`, PORTAL_LOG_LEVEL: 'silent' });
  const outcomes: string[] = [];
  for (const demo of [false, true]) {
    const { geocoder, databases } = createDependencies(config, { demo });
    outcomes.push((await geocoder.findAddress(query)).outcome, (await geocoder.findPostalCity(postal)).outcome);
    await databases.close();
  }
  assert.deepEqual(outcomes, ['NotConfigured', 'NotConfigured', 'Success', 'Success']);
});

test('a country or search without a provider is NotConfigured, and no request is sent', async () => {
  provider.answerWith(json([]));
  const { geocoder } = openTestGeocoder(settings({ postalCity: 'osm' }));
  assert.deepEqual(await geocoder.findAddress(query), { outcome: 'NotConfigured' });
  assert.deepEqual(await geocoder.findAddress({ ...query, country: 'SE' }), { outcome: 'NotConfigured' });
  assert.deepEqual(await geocoder.findPostalCity({ ...postal, country: 'SE' }), { outcome: 'NotConfigured' });
  assert.deepEqual(provider.requests, []);
});

test('a provider whose name has a private address is asked only if the operator allows it', async () => {
  provider.answerWith(json([]));
  const network = { baseUrl: `http://geocoder.example:${new URL(provider.url).port}/` };
  const find = (privateNetwork: boolean) =>
    openTestGeocoder(settings({ address: 'osm' }, { ...network, privateNetwork })).geocoder.findAddress(query);
  await withNamesAt(['127.0.0.1'], async () => {
    assert.equal((await find(false)).outcome, 'PermanentFailure');
    assert.deepEqual(provider.requests, []);
    assert.equal((await find(true)).outcome, 'NoResult');
  });
});

test('a resident’s address is sent only with the operator’s consent', async () => {
  provider.answerWith(json([]));
  const resident = { ...query, isResident: true };
  for (const residents of [{}, { residents: false }]) {
    const { geocoder } = openTestGeocoder(settings({ address: 'osm', ...residents }));
    assert.deepEqual(await geocoder.findAddress(resident), { outcome: 'NotConfigured' });
  }
  assert.deepEqual(provider.requests, []);
  const { geocoder } = openTestGeocoder(settings({ address: 'osm', residents: true }));
  assert.deepEqual(await geocoder.findAddress(resident), { outcome: 'NoResult' });
  assert.equal(provider.requests.length, 1);
});

test('a resident’s postal code is sent only with the operator’s consent, and an imported table needs none', async () => {
  provider.answerWith(json([]));
  const resident = { ...postal, isResident: true };
  for (const residents of [{}, { residents: false }]) {
    const { geocoder } = openTestGeocoder(settings({ postalCity: 'osm', ...residents }));
    assert.deepEqual(await geocoder.findPostalCity(resident), { outcome: 'NotConfigured' });
  }
  const embedded = openTestGeocoder(settings({ address: 'osm', postalCity: 'table' }), async () => 'Byen');
  assert.deepEqual(await embedded.geocoder.findPostalCity(resident), { outcome: 'Success', city: 'Byen' });
  assert.deepEqual(provider.requests, []);
  const { geocoder } = openTestGeocoder(settings({ postalCity: 'osm', residents: true }));
  assert.deepEqual(await geocoder.findPostalCity(resident), { outcome: 'NoResult' });
  assert.equal(provider.requests.length, 1);
});

test('the geocoder knows without a request whether an address can be looked up', () => {
  provider.answerWith(json([]));
  const table: [country: object, asked: { country: string; isResident: boolean }, can: boolean][] = [
    [{}, { country: 'DK', isResident: false }, false],
    [{ postalCity: 'osm' }, { country: 'DK', isResident: false }, false],
    [{ address: 'osm' }, { country: 'DK', isResident: false }, true],
    [{ address: 'osm' }, { country: 'SE', isResident: false }, false],
    [{ address: 'osm' }, { country: 'DK', isResident: true }, false],
    [{ address: 'osm', residents: true }, { country: 'DK', isResident: true }, true],
  ];
  for (const [country, asked, can] of table)
    assert.equal(
      openTestGeocoder(settings(country)).geocoder.canFindAddress(asked),
      can,
      JSON.stringify([country, asked]),
    );
  assert.deepEqual(provider.requests, []);
});

test('the number of requests depends on the providers', () => {
  const count = (country: object) => openTestGeocoder(settings(country)).geocoder.countRequests('DK');
  assert.deepEqual(count({}), { address: 0, postalCity: 0 });
  assert.deepEqual(count({ address: 'osm', postalCity: 'osm' }), { address: 1, postalCity: 1 });
  assert.deepEqual(count({ address: 'dk', postalCity: 'table' }), { address: 2, postalCity: 0 });
});

test('the provider learns who asks and whom to contact', async () => {
  provider.answerWith(json([]));
  await openTestGeocoder(settings({ address: 'osm' })).geocoder.findAddress(query);
  assert.match(
    provider.headers[0]?.['user-agent'] ?? '',
    /^portal-management-service\/\d+\.\d+\.\d+ \(ops@example\.org\)$/,
  );
});

test('a failure is logged and counted, without the address and without the token', async () => {
  provider.answerWith(status(500));
  const { geocoder, logLines, counted } = openTestGeocoder(
    settings({ address: 'dk' }, {}, { SE: { postalCity: 'osm' } }),
  );
  assert.deepEqual(await geocoder.findAddress(query), { outcome: 'TransientFailure' });
  const swedish = { ...postal, country: 'SE', postcode: '111 29' };
  assert.deepEqual(await geocoder.findPostalCity(swedish), { outcome: 'TransientFailure' });
  assert.equal(logLines.length, 2);
  const [line = ''] = logLines;
  const { provider: name, search, country, outcome, reason } = JSON.parse(line);
  assert.deepEqual([name, search, country, outcome, reason], ['dk', 'address', 'DK', 'TransientFailure', 'status 500']);
  // The time of a line can have any digits.
  const logged = logLines.map((each) => JSON.stringify({ ...(JSON.parse(each) as object), time: '' })).join('');
  for (const secret of ['Alder', 'Secretville', '2100', '111', 'sesam', '127.0.0.1'])
    assert.ok(!logged.includes(secret), `${secret} in ${logged}`);
  assert.deepEqual(counted, [
    { provider: 'dk', search: 'address', outcome: 'TransientFailure' },
    { provider: 'osm', search: 'postalCity', outcome: 'TransientFailure' },
  ]);
});

test('a search that cannot be sent soon is a TransientFailure, and is not sent', async () => {
  provider.answerWith(json([]));
  const { geocoder } = openTestGeocoder(settings({ address: 'osm' }, { requestsPerSecond: 0.1 }));
  const outcomes = await Promise.all([geocoder.findAddress(query), geocoder.findAddress(query)]);
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['NoResult', 'TransientFailure'],
  );
  assert.equal(provider.requests.length, 1);
});

test('a manager who looks up much keeps no other manager waiting, of the same tenant or another one', async () => {
  provider.answerWith(json([]));
  const { geocoder } = openTestGeocoder(settings({ address: 'osm' }, { requestsPerSecond: 5, maxConcurrent: 1 }));
  const ask = async (...turnKey: string[]) => (await geocoder.findAddress({ ...query, turnKey })).outcome;
  // They take four seconds, and nobody waits for longer than two.
  const many = Array.from({ length: 20 }, () => ask('sund', '1'));
  assert.deepEqual(await Promise.all([ask('sund', '2'), ask('fjord', '1')]), ['NoResult', 'NoResult']);
  assert.ok((await Promise.all(many)).includes('TransientFailure'));
});

test('an answer with thousands of candidates is decided by the first of them, without keeping the service busy', async () => {
  const address = { country_code: 'dk', road: 'Alder Lane', house_number: '2' };
  const place = { lat: '55.7', lon: '12.5', address };
  const far = { ...place, lat: '56.7' };
  const { geocoder } = openTestGeocoder(settings({ address: 'osm' }, { requestsPerSecond: 1000 }));
  const outcomeOf = async (places: object[]) => {
    provider.answerWith(json(places));
    return (await geocoder.findAddress(query)).outcome;
  };
  const same = (count: number) => Array.from({ length: count }, () => place);
  assert.equal(await outcomeOf([...same(39), far]), 'NoResult', 'the fortieth is read');
  // The first forty are one building, whatever comes then.
  assert.equal(await outcomeOf([...same(40), ...Array.from({ length: 2000 }, () => far)]), 'Success');
});

test('a request to a provider that hangs is aborted after 3.5 seconds', async () => {
  provider.answerWith(hang);
  const startedMs = performance.now();
  const { geocoder } = openTestGeocoder(settings({ address: 'osm' }));
  assert.deepEqual(await geocoder.findAddress(query), { outcome: 'TransientFailure' });
  const tookMs = performance.now() - startedMs;
  assert.ok(tookMs > 3400 && tookMs < 6000, `${tookMs} ms`);
});

test('an imported table answers without a request', async () => {
  provider.answerWith(json([]));
  const answers: [city: string | null | undefined, expected: object][] = [
    ['København Ø', { outcome: 'Success', city: 'København Ø' }],
    [null, { outcome: 'NoResult' }],
    [undefined, { outcome: 'NoResult' }],
  ];
  for (const [city, expected] of answers) {
    const { geocoder } = openTestGeocoder(settings({ postalCity: 'table' }), async () => city);
    assert.deepEqual(await geocoder.findPostalCity(postal), expected);
  }
  const failing = openTestGeocoder(settings({ postalCity: 'table' }), () =>
    Promise.reject(new StorageError('unavailable')),
  );
  assert.deepEqual(await failing.geocoder.findPostalCity(postal), { outcome: 'TransientFailure' });
  assert.deepEqual(provider.requests, []);
});

test('a defect is an outcome too, and is logged', async () => {
  const { geocoder, logLines } = openTestGeocoder(settings({ postalCity: 'table' }), () =>
    Promise.reject(new Error('a defect')),
  );
  assert.deepEqual(await geocoder.findPostalCity(postal), { outcome: 'TransientFailure' });
  assert.match(logLines[0] ?? '', /"level":50.*a defect/);
});
