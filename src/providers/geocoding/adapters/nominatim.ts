// Searches addresses and postal codes in Nominatim, or in a service with its interface.

import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import type { AddressQuery, PostalCodeQuery } from '../geocoder.ts';
import {
  noResult,
  toFailedLookup,
  unknownShape,
  type AddressLookup,
  type PostalCityLookup,
} from '../lookup-failures.ts';
import { chooseCandidate, type Candidate } from '../matching/choose-candidate.ts';
import { readStreetAddress } from '../matching/house-number.ts';
import { chooseCityOfPlaces } from '../matching/only-city.ts';
import { providerUrl, type ProviderAccess } from './provider-access.ts';

const PlaceSchema = Type.Object({
  lat: Type.String({ pattern: String.raw`^-?\d{1,3}(\.\d+)?$` }),
  lon: Type.String({ pattern: String.raw`^-?\d{1,3}(\.\d+)?$` }),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  address: Type.Record(Type.String(), Type.Unknown()),
});

const PlacesSchema = Type.Array(PlaceSchema);

type Place = Static<typeof PlaceSchema>;

// Enough to see that an address is ambiguous; cities of a postal code are counted in as many as Nominatim returns.
const addressLimit = '5';
const postalCodeLimit = '40';

// In the order in which Nominatim says how large a place is.
const cityKeys = ['city', 'town', 'village', 'municipality', 'hamlet'];

export async function findNominatimAddress(access: ProviderAccess, query: AddressQuery): Promise<AddressLookup> {
  const { houseNumber } = readStreetAddress(query.address);
  const url = providerUrl(access, ['search'], {
    q: `${query.address}, ${query.zip}`,
    format: 'jsonv2',
    addressdetails: '1',
    limit: addressLimit,
    countrycodes: query.country.toLowerCase(),
    // A place without a number may be known by its name.
    layer: houseNumber === undefined ? 'address,poi' : 'address',
  });
  const places = await getPlaces(access, url, query.country);
  return Array.isArray(places) ? chooseCandidate(query, places.map(toCandidate)) : places;
}

export async function findNominatimPostalCity(
  access: ProviderAccess,
  { country, postcode }: PostalCodeQuery,
): Promise<PostalCityLookup> {
  const url = providerUrl(access, ['search'], {
    postalcode: postcode,
    format: 'jsonv2',
    addressdetails: '1',
    limit: postalCodeLimit,
    countrycodes: country.toLowerCase(),
    layer: 'address',
  });
  const places = await getPlaces(access, url, country);
  if (!Array.isArray(places)) return places;
  return chooseCityOfPlaces(places.map(toCandidate), { country, postcode });
}

async function getPlaces(access: ProviderAccess, url: URL, country: string) {
  const answer = await access.get(url, country);
  if (!answer.ok) return toFailedLookup(answer);
  if (!Check(PlacesSchema, answer.body)) return unknownShape('no list of places');
  return answer.body.length === 0 ? noResult('nothing found') : answer.body;
}

function toCandidate({ lat, lon, name, address }: Place): Candidate {
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
