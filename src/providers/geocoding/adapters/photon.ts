// Searches addresses and postal codes in Photon.

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
import { chooseCityOfPlaces } from '../matching/only-city.ts';
import { providerUrl, type ProviderAccess } from './provider-access.ts';

const FeatureSchema = Type.Object({
  geometry: Type.Object({
    type: Type.Literal('Point'),
    /** Longitude, latitude. */
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 3 }),
  }),
  properties: Type.Record(Type.String(), Type.Unknown()),
});

const FeaturesSchema = Type.Object({ features: Type.Array(FeatureSchema) });

type Feature = Static<typeof FeatureSchema>;

const addressLimit = '5';
const postalCodeLimit = '40';

export async function findPhotonAddress(access: ProviderAccess, query: AddressQuery): Promise<AddressLookup> {
  const url = providerUrl(access, ['api'], {
    q: `${query.address}, ${query.zip}`,
    limit: addressLimit,
    countrycode: query.country,
  });
  const features = await getFeatures(access, url, query.country);
  return Array.isArray(features) ? chooseCandidate(query, features.map(toCandidate)) : features;
}

export async function findPhotonPostalCity(
  access: ProviderAccess,
  { country, postcode }: PostalCodeQuery,
): Promise<PostalCityLookup> {
  const url = providerUrl(access, ['structured'], { countrycode: country, postcode, limit: postalCodeLimit });
  const features = await getFeatures(access, url, country);
  if (!Array.isArray(features)) return features;
  return chooseCityOfPlaces(features.map(toCandidate), { country, postcode });
}

async function getFeatures(access: ProviderAccess, url: URL, country: string) {
  const answer = await access.get(url, country);
  if (!answer.ok) {
    const failed = toFailedLookup(answer);
    // Photon answers every failure of its own with 400, and our request is well-formed.
    return answer.status === 400 ? { ...failed, outcome: 'TransientFailure' as const } : failed;
  }
  if (!Check(FeaturesSchema, answer.body)) return unknownShape('no list of features');
  return answer.body.features.length === 0 ? noResult('nothing found') : answer.body.features;
}

function toCandidate({ geometry, properties }: Feature): Candidate {
  const text = (key: string): string | null => (typeof properties[key] === 'string' ? properties[key] : null);
  const [longitude = Number.NaN, latitude = Number.NaN] = geometry.coordinates;
  return {
    latitude,
    longitude,
    country: text('countrycode'),
    postcode: text('postcode'),
    // A city has its name as its own.
    city: text('city') ?? (text('type') === 'city' ? text('name') : null),
    street: text('street'),
    houseNumber: text('housenumber'),
    name: text('name'),
  };
}
