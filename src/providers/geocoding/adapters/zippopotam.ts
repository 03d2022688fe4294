// Finds the city of a postal code in zippopotam.us, or in a service with its interface.

import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, toFailedLookup, unknownShape, type PostalCityAnswer } from '../lookup-failures.ts';
import { isSamePostcode } from '../matching/choose-candidate.ts';
import { chooseOnlyCity } from '../matching/choose-city.ts';
import { providerUrl, type GeocodingClient } from './geocoding-client.ts';

const FoundSchema = Type.Object({
  'country abbreviation': Type.String(),
  'post code': Type.String(),
  places: Type.Array(Type.Object({ 'place name': Type.String() })),
});

const EmptySchema = Type.Object({}, { additionalProperties: false });

export async function findZippopotamCity(
  client: GeocodingClient,
  { country, postcode, turnKey }: PostalCodeQuery,
): Promise<PostalCityAnswer> {
  const answer = await client.get(providerUrl(client, [country.toLowerCase(), postcode]), turnKey);
  // An unknown code gives an empty object; any other 404 is not from this service.
  if (!answer.ok) {
    const isUnknown = answer.status === 404 && Check(EmptySchema, answer.body);
    return isUnknown ? noResult('nothing found') : toFailedLookup(answer);
  }
  if (Check(EmptySchema, answer.body)) return noResult('nothing found');
  if (!Check(FoundSchema, answer.body)) return unknownShape('no postal code');
  const { places } = answer.body;
  if (answer.body['country abbreviation'].toUpperCase() !== country) return noResult('another country');
  if (!isSamePostcode(country, postcode, answer.body['post code'])) return noResult('another postal code');
  if (places.length > 1) return noResult('more than one place');
  return chooseOnlyCity(places.map((place) => place['place name']));
}
