// Searches addresses and postal codes in Nominatim, or in a service with its interface.

import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import type { KeyPath } from '../../../lib/queues/turn-queue.ts';
import type { AddressQuery, PostalCodeQuery } from '../geocoder.ts';
import {
  noResult,
  toFailedLookup,
  unknownShape,
  type AddressAnswer,
  type PostalCityAnswer,
} from '../lookup-failures.ts';
import { chooseCandidate, type AddressCandidate } from '../matching/choose-candidate.ts';
import { readStreetAddress } from '../matching/house-number.ts';
import { chooseCityOfPlaces } from '../matching/choose-city.ts';
import { providerUrl, type GeocodingClient } from './geocoding-client.ts';

const PlaceSchema = Type.Object({
  lat: Type.String({ pattern: String.raw`^-?\d{1,3}(\.\d+)?$` }),
  lon: Type.String({ pattern: String.raw`^-?\d{1,3}(\.\d+)?$` }),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  address: Type.Record(Type.String(), Type.Unknown()),
});

const PlacesSchema = Type.Array(PlaceSchema);

type Place = Static<typeof PlaceSchema>;

// Enough to show that an address is ambiguous. For a postal code, the cities of all results that Nominatim returns
// count.
const addressLimit = '5';
const postalCodeLimit = '40';

// The keys under which Nominatim names a place, depending on its size.
const cityKeys = ['city', 'town', 'village', 'municipality', 'hamlet'];

export async function findNominatimAddress(client: GeocodingClient, query: AddressQuery): Promise<AddressAnswer> {
  const { houseNumber } = readStreetAddress(query.address);
  const url = providerUrl(client, ['search'], {
    q: `${query.address}, ${query.zip}`,
    format: 'jsonv2',
    addressdetails: '1',
    limit: addressLimit,
    countrycodes: query.country.toLowerCase(),
    // A place without a number may be known by its name.
    layer: houseNumber === undefined ? 'address,poi' : 'address',
  });
  const places = await getPlaces(client, url, query.turnKey);
  return Array.isArray(places) ? chooseCandidate(query, places.map(toCandidate)) : places;
}

export async function findNominatimPostalCity(
  client: GeocodingClient,
  { country, postcode, turnKey }: PostalCodeQuery,
): Promise<PostalCityAnswer> {
  const url = providerUrl(client, ['search'], {
    postalcode: postcode,
    format: 'jsonv2',
    addressdetails: '1',
    limit: postalCodeLimit,
    countrycodes: country.toLowerCase(),
    layer: 'address',
  });
  const places = await getPlaces(client, url, turnKey);
  if (!Array.isArray(places)) return places;
  return chooseCityOfPlaces(places.map(toCandidate), { country, postcode });
}

async function getPlaces(client: GeocodingClient, url: URL, turnKey: KeyPath) {
  const answer = await client.get(url, turnKey);
  if (!answer.ok) return toFailedLookup(answer);
  if (!Check(PlacesSchema, answer.body)) return unknownShape('no list of places');
  return answer.body.length === 0 ? noResult('nothing found') : answer.body;
}

function toCandidate({ lat, lon, name, address }: Place): AddressCandidate {
  const text = (key: string): string | null => (typeof address[key] === 'string' ? address[key] : null);
  return {
    latitude: Number(lat),
    longitude: Number(lon),
    country: text('country_code'),
    postcode: text('postcode'),
    city: cityKeys.map(text).find((city) => city !== null) ?? null,
    street: text('road'),
    houseNumber: text('house_number'),
    name: name ?? null,
  };
}
