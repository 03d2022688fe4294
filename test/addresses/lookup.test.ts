// LookupObjectCoordinates, SetObjectCoordinates and SetObjectCoordinateProvenance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AddressColumns } from '../../src/database/tables/address-columns.ts';
import { addressRevisionOf } from '../../src/features/addresses/rules/revision.ts';
import { addressMonth, addressSuite, kidTypes, shownState } from './support/address-suite.ts';
import { foundCoordinates, foundPlace, type ProviderAnswer } from './support/geocoding-provider.ts';

const text = { address: 'Elm Lane 1', zip: '2100' };
const columns = { ...text, latitude: 11, longitude: 22 };
const states = [null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 30];
const placed = { ...text, ...foundCoordinates, autoLatitudeLongitude: addressMonth };
const failures: readonly (readonly [ProviderAnswer, string])[] = [
  [[], 'NoResult'],
  [503, 'TransientFailure'],
  [400, 'PermanentFailure'],
];

addressSuite({ tenants: ['sund', 'island'] }, (suite) => {
  const { provider, newObject, get, lookup, setCoordinates, setProvenance, stored, store } = suite;

  test('[addresses.04, addresses.32, addresses.52] a lookup of the stored address replaces the coordinates in every state, with one request', async () => {
    for (const provenance of states) {
      provider.reset();
      const kid = await newObject('location', { ...columns, coordinate_provenance: provenance });
      const reply = await lookup(kid);
      assert.deepEqual([reply.status, reply.json.outcome], [200, 'Success'], reply.text);
      assert.deepEqual(shownState(reply), placed, String(provenance));
      assert.deepEqual(
        provider.requests.map(({ search, text: asked }) => [search, asked]),
        [['address', 'Elm Lane 1, 2100']],
      );
    }
  });

  test('[addresses.33, addresses.34] coordinates that were looked up are cleared before the request, and those set by hand survive a failure', async () => {
    for (const provenance of states)
      for (const [answer, outcome] of failures) {
        const kid = await newObject('unit', { ...columns, coordinate_provenance: provenance });
        let during: AddressColumns | undefined;
        provider.answer = async () => {
          during = await stored(kid);
          return answer;
        };
        const reply = await lookup(kid);
        assert.equal(reply.json.outcome, outcome);
        const left =
          provenance === 30
            ? { latitude: 11, longitude: 22, autoLatitudeLongitude: 30 }
            : { latitude: null, longitude: null, autoLatitudeLongitude: 0 };
        assert.deepEqual(shownState(reply), { ...text, ...left }, `${provenance} ${outcome}`);
        assert.deepEqual(shownState(await get(kid)), { ...text, ...left });
        assert.equal(during?.latitude, left.latitude);
      }
  });

  const nobodyToAsk: Readonly<Record<string, () => void>> = {
    'without a provider': () => (provider.isConfigured = false),
    'of a resident without consent': () => (provider.sendsResidents = false),
    'by a provider that needs two requests': () => (provider.counts = { address: 2, postalCity: 1 }),
  };

  for (const [name, prepare] of Object.entries(nobodyToAsk))
    test(`[addresses.34, addresses.52, addresses.59] a lookup ${name} is NotConfigured, and nothing changes`, async () => {
      for (const provenance of states) {
        prepare();
        const kid = await newObject('user', { ...columns, coordinate_provenance: provenance });
        const before = [await stored(kid), (await get(kid)).json.revision];
        const reply = await lookup(kid);
        assert.deepEqual([reply.status, reply.json.outcome], [200, 'NotConfigured'], reply.text);
        assert.deepEqual(shownState(reply), { ...columns, autoLatitudeLongitude: provenance });
        assert.deepEqual([await stored(kid), reply.json.revision], before);
        const stale = await suite.write(kid, 'lookup', { expectedRevision: 'x' });
        assert.equal(stale.json.code, 'address-conflict');
      }
      assert.deepEqual(provider.requests, []);
    });

  test('an incomplete address is not looked up, and does not change', async () => {
    for (const type of kidTypes)
      for (const incomplete of [{ address: '' }, { zip: '' }]) {
        const kid = await newObject(type, {
          ...columns,
          coordinate_provenance: 4,
          ...incomplete,
          ...(type === 'location' ? { zip: '' } : {}),
        });
        const before = await stored(kid);
        assert.equal((await lookup(kid)).json.outcome, 'IncompleteAddress');
        assert.deepEqual(await stored(kid), before);
      }
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.53] a location without an address is looked up by name and zip, and the name becomes its address only if that succeeds', async () => {
    const kid = await newObject('location', { address: '', zip: '2100 Byen' });
    provider.answer = () => [];
    const failed = await lookup(kid);
    assert.deepEqual([failed.json.outcome, failed.json.address], ['NoResult', '']);
    provider.answer = () => [foundPlace];
    const found = await lookup(kid);
    assert.equal(found.json.outcome, 'Success');
    assert.deepEqual(shownState(found), { ...placed, address: 'Location 1', zip: '2100 Byen' });
    assert.deepEqual(
      provider.requests.map(({ text: asked }) => asked),
      ['Location 1, 2100 Byen', 'Location 1, 2100 Byen'],
    );
  });

  test('[addresses.54] a location with a missing or invalid name or zip is not looked up', async () => {
    const cases = [
      { zip: '' },
      { zip: '  ' },
      { zip: 'somewhere' },
      { zip: '2100\u0007' },
      { zip: '2100', name: '' },
      { zip: '2100', name: ' ' },
      { zip: '2100', name: 'a\tb' },
    ];
    for (const each of cases) {
      const kid = await newObject('location');
      await store(kid, { ...each, latitude: 11, longitude: 22, coordinate_provenance: 4 });
      const before = await stored(kid);
      const reply = await lookup(kid);
      assert.deepEqual([reply.status, reply.json.outcome], [200, 'IncompleteAddress'], JSON.stringify(each));
      assert.deepEqual(await stored(kid), before);
    }
    assert.deepEqual(provider.requests, []);
    // Where postal codes have no format rule, any zip is valid.
    const kid = await newObject('location', { zip: '101' }, 'island');
    assert.equal((await lookup(kid)).json.outcome, 'Success');
  });

  test('[addresses.05, addresses.35] coordinates set by hand are stored with provenance 30, from every state', async () => {
    for (const provenance of states) {
      const kid = await newObject('user', { ...columns, coordinate_provenance: provenance });
      const reply = await setCoordinates(kid, -33_000_000, 151_000_000);
      assert.deepEqual([reply.status, reply.json.outcome], [200, 'ManualCoordinatesSaved']);
      assert.deepEqual(shownState(reply), {
        ...text,
        latitude: -33_000_000,
        longitude: 151_000_000,
        autoLatitudeLongitude: 30,
      });
      assert.deepEqual(shownState(await get(kid)), shownState(reply));
    }
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.10, addresses.11, addresses.35] every coordinate in range can be set, including zero and the bounds', async () => {
    const kid = await newObject('bank');
    for (const [latitude, longitude] of [
      [0, 0],
      [90_000_000, 180_000_000],
      [-90_000_000, -180_000_000],
    ] as const) {
      const reply = await setCoordinates(kid, latitude, longitude);
      assert.deepEqual([reply.json.latitude, reply.json.longitude], [latitude, longitude]);
    }
  });

  test('[addresses.55] a coordinate that is missing, not an integer or out of range is 400, and nothing changes', async () => {
    const kid = await newObject('bank', columns);
    const pairs: [unknown, unknown][] = [
      [undefined, 1],
      [1, undefined],
      [null, 1],
      [1, null],
      [55.5, 1],
      [1, 12.5],
      ['1', 1],
      [90_000_001, 1],
      [-90_000_001, 1],
      [1, 180_000_001],
      [1, -180_000_001],
      [1e300, 1],
    ];
    for (const [latitude, longitude] of pairs) {
      const { status, json } = await setCoordinates(kid, latitude, longitude);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], `${String(latitude)} ${String(longitude)}`);
    }
    assert.equal((await stored(kid)).address_revision, 0);
  });

  test('the same coordinates again are answered as saved, and write nothing', async () => {
    const kid = await newObject('bank');
    const [first, again] = [await setCoordinates(kid, 5, 6), await setCoordinates(kid, 5, 6)];
    assert.deepEqual(again.json, first.json);
    assert.equal((await stored(kid)).address_revision, 1);
  });

  test('[addresses.06, addresses.36, addresses.40] provenance 0, 13, 20 and 30 can be set from every state; coordinates stay, and no provider is asked', async () => {
    for (const provenance of states)
      for (const value of [0, 13, 20, 30]) {
        const kid = await newObject('location', { ...columns, coordinate_provenance: provenance });
        const reply = await setProvenance(kid, value);
        assert.deepEqual([reply.status, reply.json.outcome], [200, 'ProvenanceSaved']);
        assert.deepEqual(shownState(reply), { ...columns, autoLatitudeLongitude: value });
      }
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.37, addresses.40] provenance 1 to 12 needs a stored pair in range, and is 400 without', async () => {
    for (let month = 1; month <= 12; month += 1) {
      const kid = await newObject('location', columns);
      assert.equal((await setProvenance(kid, month)).json.autoLatitudeLongitude, month);
    }
    const pairs = [
      { latitude: null, longitude: null },
      { latitude: 1, longitude: null },
      { latitude: null, longitude: 1 },
      { latitude: 90_000_001, longitude: 1 },
    ];
    for (const pair of pairs) {
      const kid = await newObject('location', { ...pair, coordinate_provenance: 13 });
      const before = await stored(kid);
      const body = { value: 5, expectedRevision: addressRevisionOf(before) };
      const reply = await suite.write(kid, 'provenance', body);
      assert.deepEqual([reply.status, reply.json.code], [400, 'invalid-request'], JSON.stringify(pair));
      assert.equal(reply.json.errors[0].path, 'body.value');
      assert.deepEqual(await stored(kid), before);
    }
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.38] provenance 30 can be set before there are coordinates, and protects later ones', async () => {
    const kid = await newObject('location');
    assert.equal((await setProvenance(kid, 30)).json.autoLatitudeLongitude, 30);
    const reply = await suite.update(kid, { address: 'Elm Lane 1', zip: '2100 Byen' });
    assert.deepEqual(
      [reply.json.outcome, reply.json.latitude, reply.json.autoLatitudeLongitude],
      ['ManualCoordinatesPreserved', null, 30],
    );
  });

  test('[addresses.39] any other provenance is 400', async () => {
    const kid = await newObject('location', columns);
    for (const value of [-1, 14, 19, 21, 29, 31, 0.5, '0', null, undefined, true]) {
      const { status, json } = await setProvenance(kid, value);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], String(value));
    }
    assert.equal((await stored(kid)).address_revision, 0);
  });

  test('[addresses.14] every write has an outcome of its own, and a read never has ProvenanceSaved', async () => {
    const kid = await newObject('location', columns);
    assert.equal((await setProvenance(kid, 20)).json.outcome, 'ProvenanceSaved');
    assert.equal((await get(kid)).json.outcome, 'Unchanged');
  });
});
