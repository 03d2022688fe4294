// The file of PORTAL_GEOCODER: how it is read, and which members are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGeocoderSettings } from './geocoder-settings.ts';

const osm = { type: 'nominatim', baseUrl: 'https://nominatim.example/search-here' };
const publicOsm = { type: 'nominatim', baseUrl: 'https://nominatim.openstreetmap.org' };

const parse = (settings: unknown) => parseGeocoderSettings(JSON.stringify(settings));

test('providers and countries are read, with defaults', () => {
  const { contact, providers, countries } = parse({
    providers: { osm, table: { type: 'postal-table' } },
    countries: { DK: { address: 'osm', postalCity: 'table', residents: true }, IS: { address: 'osm' } },
  });
  assert.equal(contact, '');
  assert.deepEqual(providers.get('osm'), {
    type: 'nominatim',
    network: {
      baseUrl: new URL('https://nominatim.example/search-here/'),
      requestsPerSecond: 1,
      maxConcurrent: 2,
      privateNetwork: false,
    },
    token: '',
    city: 'parish',
  });
  assert.equal(providers.get('table')?.network, undefined);
  assert.deepEqual(Object.fromEntries(countries), {
    DK: { address: 'osm', postalCity: 'table', residents: true },
    IS: { address: 'osm', postalCity: undefined, residents: false },
  });
});

const withProvider = (provider: unknown) => ({ providers: { p: provider }, countries: {} });
const withCountry = (settings: unknown, country = 'DK', provider: object = osm) => ({
  providers: { p: provider },
  countries: { [country]: settings },
});

const refused: [settings: unknown, message: RegExp][] = [
  [[], /^the file: expected an object/],
  [{}, /^providers: expected an object/],
  [{ providers: {} }, /^countries: expected an object/],
  [{ providers: {}, countries: {}, country: {} }, /^the file\.country: expected one of the members contact, providers/],
  [{ providers: {}, countries: {}, contact: 5 }, /^contact: expected a text/],
  [{ providers: {}, countries: {}, contact: 'a\r\nb: c' }, /^contact: expected/],
  [withProvider('x'), /^providers\.p: expected an object/],
  [withProvider({ type: 'google' }), /^providers\.p\.type: expected one of nominatim, /],
  [withProvider({ type: 'toString' }), /^providers\.p\.type: expected/],
  [withProvider({ ...osm, baseURL: 'x' }), /^providers\.p\.baseURL: expected one of the members/],
  [withProvider({ ...osm, token: 'x' }), /^providers\.p\.token: expected one of the members/],
  [
    withProvider({ type: 'postal-table', baseUrl: 'https://x.example' }),
    /^providers\.p\.baseUrl: expected one of the members/,
  ],
  [withProvider({ type: 'nominatim' }), /^providers\.p\.baseUrl: expected a URL/],
  [withProvider({ ...osm, baseUrl: 'nominatim.example' }), /^providers\.p\.baseUrl: expected a URL/],
  [withProvider({ ...osm, baseUrl: 'file:///etc/passwd' }), /^providers\.p\.baseUrl: expected a URL/],
  [
    withProvider({ ...osm, baseUrl: 'https://me:secret@x.example' }),
    /^providers\.p\.baseUrl: expected .*without a user/,
  ],
  [withProvider({ ...osm, baseUrl: 'https://x.example/?key=1' }), /^providers\.p\.baseUrl: expected .*query/],
  [withProvider({ ...osm, requestsPerSecond: 0 }), /^providers\.p\.requestsPerSecond: expected a number from 0\.01/],
  [withProvider({ ...osm, requestsPerSecond: '1' }), /^providers\.p\.requestsPerSecond: expected/],
  [withProvider({ ...osm, maxConcurrent: 1.5 }), /^providers\.p\.maxConcurrent: expected a whole number/],
  [withProvider({ ...osm, privateNetwork: 1 }), /^providers\.p\.privateNetwork: expected true or false/],
  [withProvider({ type: 'postcodes.io', baseUrl: 'https://x.example' }), /^providers\.p\.city: expected one of parish/],
  [withProvider({ type: 'adressevaelger', baseUrl: 'https://x.example' }), /^providers\.p\.token: expected a text/],
  [
    withProvider({ type: 'adressevaelger', baseUrl: 'https://x.example', token: '' }),
    /^providers\.p\.token: expected a token/,
  ],
  [withCountry({ address: 'p' }, 'dk'), /^countries\.dk: expected a country/],
  [withCountry({ address: 'q' }), /^countries\.DK\.address: expected one of the providers: p/],
  [withCountry({ address: 7 }), /^countries\.DK\.address: expected one of the providers/],
  [withCountry({ adress: 'p' }), /^countries\.DK\.adress: expected one of the members/],
  [withCountry({ address: 'p', residents: 'yes' }), /^countries\.DK\.residents: expected true or false/],
  [withCountry({ residents: true }), /^countries\.DK\.residents: expected nothing/],
  [withCountry({ postalCity: 'p' }, 'IS'), /^countries\.IS\.postalCity: expected nothing/],
  [
    withCountry({ address: 'p' }, 'DK', { type: 'postal-table' }),
    /^countries\.DK\.address: expected a provider that finds it/,
  ],
  [
    withCountry({ address: 'p' }, 'NO', { type: 'adressevaelger', baseUrl: 'https://x.example', token: 't' }),
    /^countries\.NO\.address: expected a provider for NO/,
  ],
  [
    withCountry({ postalCity: 'p' }, 'DK', { type: 'postcodes.io', baseUrl: 'https://x.example', city: 'parish' }),
    /^countries\.DK\.postalCity: expected a provider for DK/,
  ],
  [
    withCountry({ postalCity: 'p' }, 'GB', { type: 'zippopotam.us', baseUrl: 'https://x.example' }),
    /^countries\.GB\.postalCity: expected a provider for GB/,
  ],
  [withProvider(publicOsm), /^contact: expected a mail address/],
  [
    { contact: 'a@b.example', ...withProvider({ ...publicOsm, requestsPerSecond: 2 }) },
    /^providers\.p\.requestsPerSecond: expected 1 at most/,
  ],
  [
    { contact: 'a@b.example', providers: { p: publicOsm, q: publicOsm }, countries: {} },
    /^providers\.p: expected one provider at most/,
  ],
  [
    { contact: 'a@b.example', ...withCountry({ address: 'p', residents: true }, 'DK', publicOsm) },
    /^countries\.DK\.residents: expected false/,
  ],
  [
    { contact: 'a@b.example', ...withCountry({ postalCity: 'p', residents: true }, 'DK', publicOsm) },
    /^countries\.DK\.residents: expected false for nominatim/,
  ],
  [
    withCountry({ postalCity: 'p', residents: true }, 'DK', { type: 'postal-table' }),
    /^countries\.DK\.residents: expected nothing, since/,
  ],
  [
    {
      providers: { d: { type: 'adressevaelger', baseUrl: 'https://x.example', token: 't' }, p: osm },
      countries: { DK: { address: 'd', postalCity: 'p' } },
    },
    /^countries\.DK\.postalCity: expected a provider of type postal-table: adressevaelger needs 2 requests/,
  ],
];

for (const [settings, message] of refused)
  test(`refused: ${message.source}`, () => {
    assert.throws(() => parse(settings), { message });
  });

test('the public Nominatim is allowed with a low rate and a contact, and not for residents', () => {
  const country = withCountry({ address: 'p', postalCity: 'p' }, 'DK', publicOsm);
  assert.equal(parse({ contact: 'https://portal.example/contact', ...country }).countries.size, 1);
});

test('two requests for an address can be combined with an imported table of postal codes', () => {
  const { countries } = parse({
    providers: {
      d: { type: 'adressevaelger', baseUrl: 'https://x.example', token: 't' },
      table: { type: 'postal-table' },
    },
    countries: { DK: { address: 'd', postalCity: 'table' } },
  });
  assert.equal(countries.get('DK')?.postalCity, 'table');
});

test('residents may be allowed for postal codes only', () => {
  const { countries } = parse(withCountry({ postalCity: 'p', residents: true }));
  assert.equal(countries.get('DK')?.residents, true);
});

test('text that is not JSON is refused, and the error does not repeat it', () => {
  assert.throws(() => parseGeocoderSettings('{"token":"secret",}'), { message: 'the file is not JSON' });
});
