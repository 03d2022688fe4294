// Searches addresses and postal codes in Photon.

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
import { chooseCityOfPlaces } from '../matching/choose-city.ts';
import { providerUrl, type GeocodingClient } from './geocoding-client.ts';

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

export async function findPhotonAddress(client: GeocodingClient, query: AddressQuery): Promise<AddressAnswer> {
  const url = providerUrl(client, ['api'], {
    q: `${query.address}, ${query.zip}`,
    limit: addressLimit,
    countrycode: query.country,
  });
  const features = await getFeatures(client, url, query.turnKey);
  return Array.isArray(features) ? chooseCandidate(query, features.map(toCandidate)) : features;
}

export async function findPhotonPostalCity(
  client: GeocodingClient,
  { country, postcode, turnKey }: PostalCodeQuery,
): Promise<PostalCityAnswer> {
  const url = providerUrl(client, ['structured'], { countrycode: country, postcode, limit: postalCodeLimit });
  const features = await getFeatures(client, url, turnKey);
  if (!Array.isArray(features)) return features;
  return chooseCityOfPlaces(features.map(toCandidate), { country, postcode });
}

async function getFeatures(client: GeocodingClient, url: URL, turnKey: KeyPath) {
  const answer = await client.get(url, turnKey);
  if (!answer.ok) {
    const failed = toFailedLookup(answer);
    // Photon answers all its own failures with 400, and our request is well-formed.
    return answer.status === 400 ? { ...failed, outcome: 'TransientFailure' as const } : failed;
  }
  if (!Check(FeaturesSchema, answer.body)) return unknownShape('no list of features');
  return answer.body.features.length === 0 ? noResult('nothing found') : answer.body.features;
}

function toCandidate({ geometry, properties }: Feature): AddressCandidate {
  const text = (key: string): string | null => (typeof properties[key] === 'string' ? properties[key] : null);
  const [longitude = Number.NaN, latitude = Number.NaN] = geometry.coordinates;
  return {
    latitude,
    longitude,
    country: text('countrycode'),
    postcode: text('postcode'),
    // A result that is itself a city has its name in `name`.
    city: text('city') ?? (text('type') === 'city' ? text('name') : null),
    street: text('street'),
    houseNumber: text('housenumber'),
    name: text('name'),
  };
}
