// UpdateObjectAddress: what it stores, what it looks up, and what happens to coordinates and to a bare postal code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AddressColumns } from '../../src/database/tables/address-columns.ts';
import { addressMonth, addressSuite, kidTypes, shownState } from './support/address-suite.ts';
import { cityOf, foundCoordinates, foundPlace, type ProviderAnswer } from './support/geocoding-provider.ts';

const placed = { ...foundCoordinates, autoLatitudeLongitude: addressMonth };
const unplaced = { latitude: null, longitude: null, autoLatitudeLongitude: 0 };
/** The old address, looked up in February. */
const automatic = {
  address: 'Old Lane 1',
  zip: '8000 Gammelby',
  latitude: 11,
  longitude: 22,
  coordinate_provenance: 2,
};
const manual = { ...automatic, coordinate_provenance: 30 };
const kept = { latitude: 11, longitude: 22, autoLatitudeLongitude: 30 };
const complete = { address: 'Elm Lane 1', zip: '2100 Byen' };

addressSuite({ tenants: ['sund', 'fjord', 'malar', 'linden', 'thames', 'island'] }, (suite) => {
  const { service, provider, newObject, get, update, stored } = suite;

  /** The location, bank and syncs of a location's write. */
  const readTrace = async (kid: string) => {
    const bankId = Number(/-B(\d+)/.exec(kid)?.[1]);
    return service.read('sund', async (db) => {
      const { places_version: places } = await db
        .selectFrom('banks')
        .select('places_version')
        .where('bank_id', '=', bankId)
        .executeTakeFirstOrThrow();
      const syncs = await db
        .selectFrom('device_sync')
        .select(['subject_kind', 'subject_id', 'location_id', 'unit_id', 'state'])
        .where('bank_id', '=', bankId)
        .orderBy('sync_id')
        .execute();
      return { places, syncs };
    });
  };

  test('[addresses.03, addresses.29, addresses.57] a new address is stored with its coordinates and the UTC month, of every type of object', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type);
      const reply = await update(kid, complete);
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.json.outcome, 'Success');
      assert.deepEqual(shownState(reply), { ...complete, ...placed });
      const read = await get(kid);
      assert.deepEqual({ ...read.json, outcome: 'Success' }, reply.json);
      assert.deepEqual(
        provider.requests.map(({ search, text, country }) => [search, text, country]),
        [['address', 'Elm Lane 1, 2100 Byen', 'DK']],
      );
      assert.deepEqual(provider.residents, type === 'user' ? ['Elm Lane 1'] : []);
      provider.reset();
    }
  });

  test('[addresses.12, addresses.29] the month of a lookup is that of UTC, in each month of the year', async () => {
    const kid = await newObject('location', complete);
    for (let month = 1; month <= 12; month += 1)
      for (const [instant, expected] of [
        [Date.UTC(2027, month - 1, 1), month],
        [Date.UTC(2027, month, 1) - 60_000, month],
      ] as const) {
        suite.clock.now = instant - Date.UTC(2000, 0, 1);
        const { json } = await suite.lookup(kid);
        assert.equal(json.autoLatitudeLongitude, expected);
      }
  });

  test('[addresses.57] each change is queued for the devices, and success does not wait for them', async () => {
    const expected = {
      bank: { subject_kind: 'place-address', location_id: 0, unit_id: 0 },
      location: { subject_kind: 'place-address', location_id: 1, unit_id: 0 },
      unit: { subject_kind: 'place-address', location_id: 1, unit_id: 1 },
      // As commands on residents do.
      user: { subject_kind: 'resident', location_id: 1, unit_id: 0 },
    };
    for (const type of kidTypes) {
      const kid = await newObject(type);
      assert.equal((await update(kid, complete)).json.outcome, 'Success');
      const { syncs } = await readTrace(kid);
      const ids = type === 'user' ? [1001, 1001] : [1, 2];
      assert.deepEqual(
        syncs,
        ids.map((subject_id) => ({ ...expected[type], subject_id, state: 'queued' })),
      );
    }
  });

  test('the change of a resident without a location is queued for no device', async () => {
    const kid = await newObject('user');
    await suite.store(kid, { location_id: null });
    await update(kid, complete);
    const { syncs } = await readTrace(kid);
    assert.deepEqual(
      syncs.map(({ location_id }) => location_id),
      [0, 0],
    );
  });

  test('a new address of a location changes the version of the bank’s places, and GetBankLocations shows it', async () => {
    const kid = await newObject('location');
    const before = await readTrace(kid);
    await update(kid, complete);
    assert.equal((await readTrace(kid)).places, before.places + 1);
    const { json } = await service.call('GET', `/api/v1/banks/${kid.replace('-L1', '')}/locations`, {
      token: suite.manager.token,
    });
    assert.deepEqual([json.items[0].address, json.items[0].zip], [complete.address, complete.zip]);
    const unit = await newObject('unit');
    const beforeUnit = await readTrace(unit);
    await update(unit, complete);
    assert.equal((await readTrace(unit)).places, beforeUnit.places);
  });

  test('[addresses.26] the same address again writes nothing, asks no provider and is Unchanged, also with spaces around it', async () => {
    const kid = await newObject('location', automatic);
    const before = [await stored(kid), await readTrace(kid)];
    const texts = { address: ' Old Lane 1\u00A0', zip: '  8000 Gammelby' };
    const reply = await update(kid, texts);
    assert.deepEqual([reply.status, reply.json.outcome, provider.requests], [200, 'Unchanged', []]);
    assert.equal(reply.json.revision, (await get(kid)).json.revision);
    assert.deepEqual([await stored(kid), await readTrace(kid)], before);
    // A bare postal code that is stored already is not completed either.
    const bare = await newObject('bank', { address: '', zip: '2100' });
    assert.equal((await update(bare, { address: '', zip: '2100' })).json.outcome, 'Unchanged');
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.26] the same address in another Unicode form is Unchanged, and is stored in NFC', async () => {
    const composed = { address: 'Ågade 1', zip: '2100 Åbyhøj' };
    const decomposed = { address: composed.address.normalize('NFD'), zip: composed.zip.normalize('NFD') };
    assert.notDeepEqual(composed, decomposed);
    const kid = await newObject('location');
    assert.deepEqual(shownState(await update(kid, decomposed)), { ...composed, ...placed });
    provider.reset();
    assert.equal((await update(kid, decomposed)).json.outcome, 'Unchanged');
    assert.equal((await update(kid, composed)).json.outcome, 'Unchanged');
    // An address in the form of an older system is the same address too.
    const older = await newObject('location', { ...automatic, ...decomposed });
    for (const text of [composed, decomposed]) assert.equal((await update(older, text)).json.outcome, 'Unchanged');
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.16, addresses.25] address and zip are required texts, and each may be empty', async () => {
    const kid = await newObject('bank', automatic);
    const bodies = [
      { zip: '1' },
      { address: 'a' },
      { address: null, zip: '1' },
      { address: 'a', zip: 1 },
      { ...complete, more: 1 },
    ];
    for (const body of bodies) {
      const { status, json } = await suite.write(kid, 'update', body);
      assert.deepEqual([status, json.code], [400, 'invalid-request'], JSON.stringify(body));
    }
    assert.equal((await stored(kid)).address_revision, 0);
    const empty = await update(kid, { address: '', zip: '' });
    assert.deepEqual([empty.status, empty.json.outcome], [200, 'IncompleteAddress']);
  });

  test('[addresses.17] an address has at most 512 characters and a zip 64, counted in code points', async () => {
    const kid = await newObject('bank');
    const longest = { address: '😀'.repeat(512), zip: '😀'.repeat(64) };
    const reply = await update(kid, longest);
    assert.deepEqual([reply.status, reply.json.address, reply.json.zip], [200, longest.address, longest.zip]);
    for (const body of [
      { ...complete, address: 'x'.repeat(513) },
      { ...complete, zip: 'x'.repeat(65) },
      // One code point that is three in NFC.
      { ...complete, address: '\uFB2C'.repeat(171) },
      { ...complete, zip: '\uFB2C'.repeat(22) },
    ])
      assert.equal((await update(kid, body)).status, 400);
    assert.equal((await stored(kid)).address, longest.address);
  });

  test('[addresses.18] texts are trimmed; control characters and lone surrogates are 400', async () => {
    const kid = await newObject('bank');
    const reply = await update(kid, { address: '  Elm Lane 1 ', zip: '\u20032100 Byen ' });
    assert.deepEqual([reply.json.address, reply.json.zip], ['Elm Lane 1', '2100 Byen']);
    for (const bad of ['\n', 'a\u0000', 'a\tb', 'a\u007F', '\u0085', 'a\r\n', '\uD800'])
      for (const body of [
        { ...complete, address: bad },
        { ...complete, zip: bad },
      ]) {
        const { status, json } = await update(kid, body);
        assert.deepEqual([status, json.code], [400, 'invalid-request'], JSON.stringify(body));
        assert.match(json.errors[0].path, /^body\.(address|zip)$/);
      }
    assert.equal((await stored(kid)).address, 'Elm Lane 1');
  });

  test('[addresses.24] a stale revision is 409 and a missing one 400, and nothing changes or is asked', async () => {
    for (const type of kidTypes) {
      const kid = await newObject(type, automatic);
      const { revision } = (await get(kid)).json;
      const body = { ...complete, expectedRevision: `${revision}x` };
      const stale = await update(kid, body);
      assert.deepEqual([stale.status, stale.json.code], [409, 'address-conflict']);
      // Also where the address is the same.
      const same = await update(kid, { address: automatic.address, zip: automatic.zip, expectedRevision: '' });
      assert.equal(same.status, 409);
      const missing = await suite.write(kid, 'update', { ...complete, expectedRevision: undefined });
      assert.deepEqual([missing.status, missing.json.code], [400, 'invalid-request']);
      assert.deepEqual((await stored(kid)).address_revision, 0);
      assert.equal((await update(kid, { ...complete, expectedRevision: revision })).status, 200);
      assert.equal((await update(kid, { ...complete, expectedRevision: revision })).status, 409);
    }
    assert.equal(provider.requests.length, kidTypes.length);
  });

  test('[addresses.27, addresses.28] an incomplete address is stored without a lookup, and coordinates and provenance stay as they are', async () => {
    for (const text of [
      { address: '', zip: '2100 Byen' },
      { address: 'Elm Lane 1', zip: '' },
      { address: '', zip: '' },
    ])
      for (const coordinate_provenance of [null, 0, 5, 13, 20]) {
        const kid = await newObject('location', { ...automatic, coordinate_provenance });
        const { address: _, zip: __, ...others } = shownState(await get(kid));
        const reply = await update(kid, text);
        assert.equal(reply.json.outcome, 'IncompleteAddress');
        assert.deepEqual(shownState(reply), { ...others, ...text });
        assert.deepEqual(shownState(await get(kid)), { ...others, ...text });
      }
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.28, addresses.42] from every state but 30 the old coordinates are cleared before the lookup, and the state is 0', async () => {
    for (const provenance of [null, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20]) {
      const kid = await newObject('location', { ...automatic, coordinate_provenance: provenance });
      let during: AddressColumns | undefined;
      provider.answer = async () => {
        during = await stored(kid);
        return [foundPlace];
      };
      const reply = await update(kid, complete);
      assert.partialDeepStrictEqual(during, {
        ...complete,
        latitude: null,
        longitude: null,
        coordinate_provenance: 0,
      });
      assert.deepEqual([reply.json.outcome, shownState(reply)], ['Success', { ...complete, ...placed }]);
    }
  });

  const failures: readonly (readonly [ProviderAnswer, string])[] = [
    [[], 'NoResult'],
    [[foundPlace, { ...foundPlace, lat: '1' }], 'NoResult'],
    [503, 'TransientFailure'],
    [400, 'PermanentFailure'],
  ];

  test('[addresses.13, addresses.30, addresses.56] a failed lookup leaves the address stored, without coordinates, in state 0', async () => {
    for (const [answer, outcome] of failures) {
      const kid = await newObject('location', automatic);
      provider.answer = () => answer;
      const reply = await update(kid, complete);
      assert.deepEqual([reply.status, reply.json.outcome], [200, outcome]);
      assert.deepEqual(shownState(reply), { ...complete, ...unplaced });
      assert.deepEqual(shownState(await get(kid)), { ...complete, ...unplaced });
    }
  });

  test('[addresses.59] without a provider the address is stored, and the outcome is NotConfigured', async () => {
    provider.isConfigured = false;
    const kid = await newObject('location', automatic);
    const reply = await update(kid, { address: 'Elm Lane 1', zip: '2100' });
    assert.deepEqual([reply.status, reply.json.outcome], [200, 'NotConfigured']);
    assert.deepEqual(shownState(reply), { address: 'Elm Lane 1', zip: '2100', ...unplaced });
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.31] coordinates set by hand stay, and are not looked up', async () => {
    for (const text of [complete, { ...complete, address: '' }, { ...complete, zip: '' }]) {
      const kid = await newObject('location', manual);
      const reply = await update(kid, text);
      assert.equal(reply.json.outcome, 'ManualCoordinatesPreserved');
      assert.deepEqual(shownState(reply), { ...text, ...kept });
    }
    assert.deepEqual(provider.requests, []);
  });

  test('[addresses.43, addresses.46, addresses.51] a bare postal code gets its city, before the address is looked up with it', async () => {
    const kid = await newObject('location');
    const reply = await update(kid, { address: 'Elm Lane 1', zip: '2100' });
    const zip = `2100 ${cityOf('2100')}`;
    assert.deepEqual(shownState(reply), { address: 'Elm Lane 1', zip, ...placed });
    assert.deepEqual(
      provider.requests.map(({ search, text }) => [search, text]),
      [
        ['postalCity', '2100'],
        ['address', `Elm Lane 1, ${zip}`],
      ],
    );
  });

  test('[addresses.43, addresses.49] also while coordinates were set by hand, which stay, and while the address is incomplete', async () => {
    const byHand = await newObject('location', manual);
    const reply = await update(byHand, { address: 'Elm Lane 1', zip: '2100' });
    assert.equal(reply.json.outcome, 'ManualCoordinatesPreserved');
    assert.deepEqual(shownState(reply), { address: 'Elm Lane 1', zip: `2100 ${cityOf('2100')}`, ...kept });
    const incomplete = await update(await newObject('bank'), { address: '', zip: '8000' });
    assert.deepEqual([incomplete.json.outcome, incomplete.json.zip], ['IncompleteAddress', `8000 ${cityOf('8000')}`]);
    assert.deepEqual(
      provider.requests.map(({ search }) => search),
      ['postalCity', 'postalCity'],
    );
  });

  const countryCases: readonly (readonly [tenant: string, zip: string, asked: string | undefined])[] = [
    ['sund', '2100', '2100'],
    ['sund', '21000', undefined],
    ['sund', '210', undefined],
    ['fjord', '0150', '0150'],
    ['fjord', '015 0', undefined],
    ['malar', '11129', '111 29'],
    ['malar', '111 29', '111 29'],
    ['malar', '1112', undefined],
    ['linden', '01067', '01067'],
    ['linden', '0106', undefined],
    ['thames', 'EC1A 1BB', 'EC1A 1BB'],
    ['thames', 'ec1a1bb', 'EC1A 1BB'],
    ['thames', 'EC1A', undefined],
    ['island', '101', undefined],
    ['island', '2100', undefined],
  ];

  test('[addresses.44, addresses.45, addresses.58] only the tenant’s country decides what a bare postal code is', async () => {
    for (const [tenant, zip, asked] of countryCases) {
      provider.reset();
      const reply = await update(await newObject('bank', {}, tenant), { address: '', zip });
      assert.equal(reply.json.zip, asked === undefined ? zip : `${asked} ${cityOf(asked)}`, `${tenant} ${zip}`);
      assert.deepEqual(
        provider.requests.map(({ text }) => text),
        asked === undefined ? [] : [asked],
      );
    }
    const withCountry = await suite.write(await newObject('bank'), 'update', { ...complete, country: 'SE' });
    assert.equal(withCountry.status, 400);
  });

  test('[addresses.47] a zip with text after the postal code stays as it is', async () => {
    for (const zip of ['2100 Byen', '2100 Ø', 'DK-2100', 'Byen 2100']) {
      provider.reset();
      const reply = await update(await newObject('bank'), { address: 'Elm Lane 1', zip });
      assert.equal(reply.json.zip, zip);
      assert.deepEqual(
        provider.requests.map(({ search }) => search),
        ['address'],
      );
    }
  });

  test('[addresses.48] a postal code that is unknown or of several cities, and a failed search, leave zip as entered', async () => {
    const answers: ProviderAnswer[] = [
      [],
      [{ city: 'A' }, { city: 'B' }],
      503,
      404,
      [{ city: 'x'.repeat(64) }],
      [{ city: 'a\u0007' }],
    ];
    for (const answer of answers) {
      provider.reset();
      provider.answer = ({ search }) =>
        search === 'postalCity' ? answer : [{ ...foundPlace, country_code: 'DK', postcode: '2100', city: 'Byen' }];
      const reply = await update(await newObject('location'), { address: 'Elm Lane 1', zip: '2100' });
      assert.deepEqual([reply.json.outcome, reply.json.zip], ['Success', '2100'], JSON.stringify(answer));
      assert.equal(provider.requests.length, 2);
    }
  });

  test('[addresses.50] if the postal code provider knows no city, the address lookup can supply it, if country and postal code agree', async () => {
    const matches = [
      [{ country_code: 'DK', postcode: '2100', city: 'Byen' }, '2100 Byen'],
      [{ country_code: 'dk', postcode: '2100', city: 'Byen' }, '2100 Byen'],
      [{ country_code: 'SE', postcode: '2100', city: 'Byen' }, '2100'],
      [{ country_code: 'DK', postcode: '2200', city: 'Byen' }, '2100'],
      [{ country_code: 'DK', city: 'Byen' }, '2100'],
      [{ postcode: '2100', city: 'Byen' }, '2100'],
      [{ country_code: 'DK', postcode: '2100' }, '2100'],
    ] as const;
    for (const [match, zip] of matches)
      for (const columns of [automatic, manual]) {
        provider.reset();
        provider.answer = ({ search }) => (search === 'postalCity' ? [{}] : [{ ...foundPlace, ...match }]);
        const reply = await update(await newObject('location', columns), { address: 'Elm Lane 1', zip: '2100' });
        const coordinates = columns === manual ? kept : placed;
        assert.deepEqual(shownState(reply), { address: 'Elm Lane 1', zip, ...coordinates }, JSON.stringify(match));
        assert.equal(provider.requests.length, 2);
      }
    // This also works without a postal code provider, but the address is not searched only for that.
    for (const columns of [automatic, manual]) {
      provider.reset();
      provider.hasPostalProvider = false;
      const reply = await update(await newObject('location', columns), { address: 'Elm Lane 1', zip: '2100' });
      const isManual = columns === manual;
      assert.deepEqual(shownState(reply), {
        address: 'Elm Lane 1',
        zip: isManual ? '2100' : '2100 Elsewhere',
        ...(isManual ? kept : placed),
      });
      assert.deepEqual(
        provider.requests.map(({ search }) => search),
        isManual ? [] : ['address'],
      );
    }
    // An incomplete address supplies no city.
    provider.reset();
    provider.answer = () => [{}];
    assert.equal((await update(await newObject('location'), { address: '', zip: '2100' })).json.zip, '2100');
    assert.equal(provider.requests.length, 1);
  });

  test('[addresses.51] a write never sends a third request', async () => {
    // An embedded table of postal codes needs no request.
    provider.counts = { address: 2, postalCity: 0 };
    await update(await newObject('location'), { address: 'Elm Lane 1', zip: '2100' });
    assert.deepEqual(
      provider.requests.map(({ search }) => search),
      ['postalCity', 'address'],
    );
    for (const columns of [automatic, manual]) {
      provider.reset();
      provider.counts = { address: 2, postalCity: 1 };
      provider.answer = () => [{}];
      const reply = await update(await newObject('location', columns), { address: 'Elm Lane 1', zip: '2100' });
      const outcome = columns === manual ? 'ManualCoordinatesPreserved' : 'NotConfigured';
      assert.deepEqual([reply.json.zip, reply.json.outcome], ['2100', outcome]);
      assert.deepEqual(
        provider.requests.map(({ search }) => search),
        ['postalCity'],
      );
    }
  });

  test('[addresses.51] whatever goes wrong, no request is repeated', async () => {
    for (const [answer] of failures) {
      provider.reset();
      provider.answer = () => answer;
      await update(await newObject('location'), { address: 'Elm Lane 1', zip: '2100' });
      assert.ok(provider.requests.length <= 2);
      assert.equal(new Set(provider.requests.map(({ search }) => search)).size, provider.requests.length);
    }
  });
});
