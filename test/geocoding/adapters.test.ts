// How each provider's answers are read: only exact and unambiguous matches count, and everything else is a failure of
// its kind.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AddressQuery, Geocoder } from '../../src/providers/geocoding/geocoder.ts';
import {
  html,
  json,
  startFakeProvider,
  status,
  text,
  type Answer,
  type FakeProvider,
} from '../support/fake-provider.ts';
import { openTestGeocoder } from './support/open-test-geocoder.ts';

let provider: FakeProvider;
before(async () => {
  provider = await startFakeProvider();
});
after(() => provider.stop());

const query: AddressQuery = {
  country: 'DK',
  address: 'Alder Lane 2',
  zip: '2100 København Ø',
  isResident: false,
  turnKey: ['sund', '1'],
};

/** A provider of this type for the country, without an effective rate limit. */
function open(type: string, country: string, searches: object, more: object = {}): Geocoder {
  const network = { baseUrl: provider.url, requestsPerSecond: 1000 };
  const settings = { providers: { p: { type, ...network, ...more } }, countries: { [country]: searches } };
  return openTestGeocoder(settings).geocoder;
}

type Outcome = string | { readonly latitude: number; readonly longitude: number };

async function findAddress(geocoder: Geocoder, answers: Answer[], asked: Partial<AddressQuery> = {}): Promise<Outcome> {
  provider.answerWith(...answers);
  const found = await geocoder.findAddress({ ...query, ...asked });
  return found.outcome === 'Success' ? found.coordinates : found.outcome;
}

async function findCity(geocoder: Geocoder, answer: Answer, country: string, postcode: string): Promise<string | null> {
  provider.answerWith(answer);
  const found = await geocoder.findPostalCity({
    tenant: 'sund',
    turnKey: ['sund', '1'],
    country,
    isResident: false,
    postcode,
  });
  assert.equal(provider.requests.length, 1);
  return found.outcome === 'Success' ? found.city : found.outcome;
}

const here = { latitude: 55_707_000, longitude: 12_577_000 };

const place = (address: object = {}, more: object = {}) => ({
  place_id: 1,
  lat: '55.7070000',
  lon: '12.5770000',
  category: 'building',
  name: '',
  boundingbox: ['55.70', '55.71', '12.57', '12.58'],
  address: {
    house_number: '2',
    road: 'Alder Lane',
    city: 'København',
    postcode: '2100',
    country_code: 'dk',
    ...address,
  },
  ...more,
});

describe('Nominatim', () => {
  const addresses: [name: string, answer: Answer, asked: Partial<AddressQuery>, expected: Outcome][] = [
    ['one exact match', json([place()]), {}, here],
    ['a number in another spelling', json([place({ house_number: '2b' })]), { address: 'Alder Lane 2 B' }, here],
    ['no postal code of the provider', json([place({ postcode: undefined })]), {}, here],
    ['a street in another spelling', json([place({ road: 'Gammel Ærøvej' })]), { address: 'Gl. Aeroevej 2' }, here],
    ['the same house twice', json([place(), place({}, { lat: '55.7073' })]), {}, here],
    [
      'a place by its name',
      json([place({ house_number: undefined }, { name: 'Alder House' })]),
      { address: 'alder  house' },
      here,
    ],
    ['a number before the street', json([place({}, {})]), { address: 'Flat 3, 2 Alder Lane' }, here],
    ['nothing', json([]), {}, 'NoResult'],
    ['two houses', json([place(), place({}, { lat: '55.7080' })]), {}, 'NoResult'],
    ['another country', json([place({ country_code: 'se' })]), {}, 'NoResult'],
    ['no country', json([place({ country_code: undefined })]), {}, 'NoResult'],
    ['another postal code', json([place({ postcode: '2200' })]), {}, 'NoResult'],
    ['another house', json([place({ house_number: '4' })]), {}, 'NoResult'],
    ['only the street', json([place({ house_number: undefined }, { category: 'highway' })]), {}, 'NoResult'],
    ['only the city', json([place({ house_number: undefined, road: undefined })]), {}, 'NoResult'],
    ['another street', json([place({ road: 'Birchwood' })]), {}, 'NoResult'],
    ['a place of another name', json([place({}, { name: 'Birch House' })]), { address: 'Alder House' }, 'NoResult'],
    ['latitude and longitude swapped', json([place({}, { lat: '12.577', lon: '55.707' })]), {}, 'PermanentFailure'],
    ['coordinates that are none', json([place({}, { lat: 'NaN' })]), {}, 'PermanentFailure'],
    ['coordinates out of range', json([place({}, { lat: '155.7' })]), {}, 'PermanentFailure'],
    ['numbers for coordinates', json([place({}, { lat: 55.7 })]), {}, 'PermanentFailure'],
    ['no address', json([{ lat: '55.7', lon: '12.5' }]), {}, 'PermanentFailure'],
    ['an error with status 200', json({ error: { code: 400 } }), {}, 'PermanentFailure'],
    ['403', status(403), {}, 'PermanentFailure'],
    ['429', status(429), {}, 'TransientFailure'],
    ['503', status(503), {}, 'TransientFailure'],
    ['HTML', html, {}, 'TransientFailure'],
  ];
  for (const [name, answer, asked, expected] of addresses)
    test(`address: ${name}`, async () => {
      assert.deepEqual(await findAddress(open('nominatim', 'DK', { address: 'p' }), [answer], asked), expected);
      assert.equal(provider.requests.length, 1);
    });

  test('a match has the provider’s details', async () => {
    provider.answerWith(json([place(), place({ city: undefined }, { lat: '55.7072' })]));
    assert.deepEqual(await open('nominatim', 'DK', { address: 'p' }).findAddress(query), {
      outcome: 'Success',
      coordinates: here,
      country: 'DK',
      postcode: '2100',
      city: 'København',
    });
  });

  test('the request names the country and asks for addresses', async () => {
    await findAddress(open('nominatim', 'DK', { address: 'p' }), [json([])]);
    const [path = ''] = provider.requests;
    const url = new URL(path, provider.url);
    assert.equal(url.pathname, '/search');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      q: 'Alder Lane 2, 2100 København Ø',
      format: 'jsonv2',
      addressdetails: '1',
      limit: '5',
      countrycodes: 'dk',
      layer: 'address',
    });
    assert.match(provider.headers[0]?.['user-agent'] ?? '', /^portal-management-service\/\d/);
  });

  test('the path of a base URL is kept', async () => {
    const geocoder = open('nominatim', 'DK', { address: 'p' }, { baseUrl: `${provider.url}geo/v1` });
    await findAddress(geocoder, [json([])]);
    assert.match(provider.requests[0] ?? '', /^\/geo\/v1\/search\?/);
  });

  const cities: [name: string, answer: Answer, expected: string | null][] = [
    ['one city', json([place({ city: 'Stockholm', country_code: 'se', postcode: '111 29' })]), 'Stockholm'],
    [
      'the same city twice',
      json([1, 2].map(() => place({ city: 'Lund', country_code: 'se', postcode: '11129' }))),
      'Lund',
    ],
    ['a town', json([place({ city: undefined, town: 'Ystad', country_code: 'se', postcode: '11129' })]), 'Ystad'],
    ['two cities', json(['A', 'B'].map((city) => place({ city, country_code: 'se', postcode: '11129' }))), 'NoResult'],
    ['another country', json([place({ city: 'Lund', country_code: 'dk', postcode: '11129' })]), 'NoResult'],
    ['another postal code', json([place({ city: 'Lund', country_code: 'se', postcode: '11130' })]), 'NoResult'],
    ['no city', json([place({ city: undefined, country_code: 'se', postcode: '11129' })]), null],
    ['markup', json([place({ city: '<b>Lund</b>', country_code: 'se', postcode: '11129' })]), 'NoResult'],
    ['a formula', json([place({ city: '=1+1', country_code: 'se', postcode: '11129' })]), 'NoResult'],
    [
      'forty of one city, and then another one',
      json(
        Array.from({ length: 41 }, (_, at) =>
          place({ city: at < 40 ? 'Lund' : 'Malmö', country_code: 'se', postcode: '11129' }),
        ),
      ),
      'Lund',
    ],
    ['nothing', json([]), 'NoResult'],
    ['500', status(500), 'TransientFailure'],
    ['401', status(401), 'PermanentFailure'],
  ];
  for (const [name, answer, expected] of cities)
    test(`postal city: ${name}`, async () => {
      assert.equal(await findCity(open('nominatim', 'SE', { postalCity: 'p' }), answer, 'SE', '111 29'), expected);
      assert.match(provider.requests[0] ?? '', /postalcode=111(\+|%20)29&.*countrycodes=se/);
    });
});

const feature = (properties: object = {}, coordinates: unknown[] = [12.577, 55.707]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: {
    housenumber: '2',
    street: 'Alder Lane',
    city: 'København',
    postcode: '2100',
    countrycode: 'DK',
    ...properties,
  },
});
const features = (...list: object[]): Answer => json({ type: 'FeatureCollection', features: list });

describe('Photon', () => {
  const addresses: [name: string, answer: Answer, expected: Outcome][] = [
    ['one exact match', features(feature()), here],
    ['nothing', features(), 'NoResult'],
    ['two houses', features(feature(), feature({}, [12.577, 55.71])), 'NoResult'],
    ['another country', features(feature({ countrycode: 'SE' })), 'NoResult'],
    ['another postal code', features(feature({ postcode: '2200' })), 'NoResult'],
    ['only the street', features(feature({ housenumber: undefined, type: 'street' })), 'NoResult'],
    ['latitude and longitude swapped', features(feature({}, [55.707, 12.577])), 'PermanentFailure'],
    ['coordinates that are none', features(feature({}, [null, 55.7])), 'PermanentFailure'],
    ['one coordinate', features(feature({}, [12.577])), 'PermanentFailure'],
    [
      'infinite coordinates',
      text('{"features":[{"geometry":{"type":"Point","coordinates":[1e999,1]},"properties":{}}]}'),
      'PermanentFailure',
    ],
    ['another shape', json([]), 'PermanentFailure'],
    ['400, as for any failure of its own', status(400), 'TransientFailure'],
    ['403', status(403), 'PermanentFailure'],
    ['429', status(429), 'TransientFailure'],
  ];
  for (const [name, answer, expected] of addresses)
    test(`address: ${name}`, async () => {
      assert.deepEqual(await findAddress(open('photon', 'DK', { address: 'p' }), [answer]), expected);
      assert.match(provider.requests[0] ?? '', /^\/api\?q=Alder.*countrycode=DK$/);
    });

  const cities: [name: string, answer: Answer, expected: string | null][] = [
    ['one city', features(feature(), feature()), 'København'],
    ['the city itself', features(feature({ city: undefined, type: 'city', name: 'Aarhus' })), 'Aarhus'],
    ['two cities', features(feature(), feature({ city: 'Lyngby' })), 'NoResult'],
    ['another postal code', features(feature({ postcode: '2200' })), 'NoResult'],
    ['another country', features(feature({ countrycode: 'NO' })), 'NoResult'],
    ['400', status(400), 'TransientFailure'],
  ];
  for (const [name, answer, expected] of cities)
    test(`postal city: ${name}`, async () => {
      assert.equal(await findCity(open('photon', 'DK', { postalCity: 'p' }), answer, 'DK', '2100'), expected);
      assert.match(provider.requests[0] ?? '', /^\/structured\?countrycode=DK&postcode=2100/);
    });
});

describe('postcodes.io', () => {
  const found = (result: object): Answer =>
    json({ status: 200, result: { postcode: 'BR8 7RE', quality: 1, latitude: 51.41, longitude: 0.178, ...result } });
  const cities: [name: string, city: string, answer: Answer, expected: string | null][] = [
    ['the parish', 'parish', found({ parish: 'Hextable', admin_district: 'Sevenoaks' }), 'Hextable'],
    ['the district', 'admin_district', found({ parish: 'Hextable', admin_district: 'Sevenoaks' }), 'Sevenoaks'],
    ['no parish', 'parish', found({ parish: 'Sevenoaks, unparished area' }), null],
    ['null', 'parish', found({ parish: null }), null],
    ['another postcode', 'parish', found({ parish: 'Hextable', postcode: 'BR8 7RF' }), 'NoResult'],
    ['not found', 'parish', json({ status: 404, error: 'Postcode not found' }, 404), 'NoResult'],
    ['not valid', 'parish', json({ status: 404, error: 'Invalid postcode' }, 404), 'NoResult'],
    ['another 404', 'parish', json({ status: 404, error: 'Resource not found' }, 404), 'PermanentFailure'],
    ['another shape', 'parish', json({ status: 200, result: null }), 'PermanentFailure'],
    ['500', 'parish', json({ status: 500, error: 'x' }, 500), 'TransientFailure'],
  ];
  for (const [name, city, answer, expected] of cities)
    test(name, async () => {
      const geocoder = open('postcodes.io', 'GB', { postalCity: 'p' }, { city });
      assert.equal(await findCity(geocoder, answer, 'GB', 'BR8 7RE'), expected);
      assert.deepEqual(provider.requests, ['/postcodes/BR8%207RE']);
    });
});

describe('zippopotam.us', () => {
  const found = (places: string[], more: object = {}): Answer =>
    json({
      'post code': '113 32',
      country: 'Sweden',
      'country abbreviation': 'SE',
      places: places.map((name) => ({ 'place name': name, longitude: '18.0', latitude: '59.3' })),
      ...more,
    });
  const cities: [name: string, answer: Answer, expected: string | null][] = [
    ['one place', found(['Stockholm']), 'Stockholm'],
    ['two places', found(['Stockholm', 'Solna']), 'NoResult'],
    ['two places of one name', found(['Solna', 'Solna']), 'NoResult'],
    ['no place', found([]), 'NoResult'],
    ['another country', found(['Stockholm'], { 'country abbreviation': 'DE' }), 'NoResult'],
    ['another code', found(['Stockholm'], { 'post code': '113 33' }), 'NoResult'],
    ['unknown', json({}, 404), 'NoResult'],
    ['404 of another service', html404(), 'PermanentFailure'],
    ['another shape', json({ places: 'x' }), 'PermanentFailure'],
    ['502', status(502), 'TransientFailure'],
  ];
  for (const [name, answer, expected] of cities)
    test(name, async () => {
      assert.equal(await findCity(open('zippopotam.us', 'SE', { postalCity: 'p' }), answer, 'SE', '113 32'), expected);
      assert.deepEqual(provider.requests, ['/se/113%2032']);
    });
});

function html404(): Answer {
  return text('<!doctype html>', 404, 'text/html');
}

describe('Adressevælgeren', () => {
  const id = '0a3f50a0-73bf-32b8-e044-0003ba298018';
  const washed = (kode: number, more: object = {}): Answer =>
    json({
      status: 'ok',
      vaskestatus: { kode },
      vaskeresultat: {
        adressebetegnelse: 'Alder Lane 2, 1. tv, 2100 København Ø',
        adresse_id_lokalid: id,
        status: '3',
        ...more,
      },
    });
  const detail = (adgangspunkt: object): Answer =>
    json({ status: 'ok', adresse: { husnummer: { status: '3', adgangspunkt } } });
  const crs = { properties: { name: 'EPSG:25832' } };
  const point = detail({ geometri: { type: 'Point', crs, coordinates: [522_611.35, 6_168_110.08] } });
  const there = { latitude: 55_658_310, longitude: 9_359_385 };
  const addresses: [name: string, answers: Answer[], expected: Outcome][] = [
    ['an exact match', [washed(1000), point], there],
    ['a match as good as exact', [washed(900), point], there],
    ['the other shape of a point', [washed(1000), detail({ koordinater: { x: 522_611.35, y: 6_168_110.08 } })], there],
    ['an interval of numbers', [washed(800)], 'NoResult'],
    ['no match', [json({ status: 'ok', vaskestatus: { kode: -1 } })], 'NoResult'],
    ['an address that is not in force', [washed(1000, { status: '2' })], 'NoResult'],
    ['another house', [washed(900, { adressebetegnelse: 'Alder Lane 4, 2100 København Ø' })], 'NoResult'],
    ['another postal code', [washed(900, { adressebetegnelse: 'Alder Lane 2, 2200 København N' })], 'NoResult'],
    [
      'easting and northing swapped',
      [washed(1000), detail({ koordinater: { y: 522_611, x: 6_168_110 } })],
      'PermanentFailure',
    ],
    [
      'another coordinate system',
      [washed(1000), detail({ geometri: { crs: { properties: { name: 'EPSG:4326' } }, coordinates: [9.3, 55.6] } })],
      'PermanentFailure',
    ],
    ['a status that is not ok', [json({ status: 'fejl', beskrivelse: 'token' })], 'PermanentFailure'],
    ['an id that is a path', [washed(1000, { adresse_id_lokalid: '../../x' })], 'PermanentFailure'],
    ['no details', [washed(1000), status(404)], 'PermanentFailure'],
    ['details that fail', [washed(1000), status(500)], 'TransientFailure'],
    ['410', [status(410)], 'PermanentFailure'],
    ['429', [status(429)], 'TransientFailure'],
  ];
  for (const [name, answers, expected] of addresses)
    test(name, async () => {
      const geocoder = open('adressevaelger', 'DK', { address: 'p' }, { token: 'sesam' });
      assert.deepEqual(await findAddress(geocoder, answers), expected);
      assert.equal(provider.requests.length, answers.length);
      assert.match(provider.requests[0] ?? '', /^\/vask\/\?token=sesam&adresse=Alder/);
      if (answers.length > 1) assert.equal(provider.requests[1], `/adresser/${id}?token=sesam`);
    });

  test('the city comes from the washed address', async () => {
    provider.answerWith(washed(1000), point);
    const geocoder = open('adressevaelger', 'DK', { address: 'p' }, { token: 'sesam' });
    assert.deepEqual(await geocoder.findAddress({ ...query, zip: '2100' }), {
      outcome: 'Success',
      coordinates: there,
      country: 'DK',
      postcode: '2100',
      city: 'København Ø',
    });
    assert.deepEqual(geocoder.countRequests('DK'), { address: 2, postalCity: 0 });
  });
});
