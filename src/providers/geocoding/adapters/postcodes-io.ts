// Finds the place of a British postcode in postcodes.io. It knows no post towns, only administrative names: the
// operator chooses which of them counts as the city.

import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, toFailedLookup, unknownShape, type PostalCityAnswer } from '../lookup-failures.ts';
import { isSamePostcode } from '../matching/choose-candidate.ts';
import { chooseOnlyCity } from '../matching/choose-city.ts';
import type { PostcodesIoCity } from '../provider-types.ts';
import { providerUrl, type GeocodingClient } from './geocoding-client.ts';

const OptionalName = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const FoundSchema = Type.Object({
  result: Type.Object({ postcode: Type.String(), parish: OptionalName, admin_district: OptionalName }),
});

const MissingSchema = Type.Object({
  error: Type.Union([Type.Literal('Postcode not found'), Type.Literal('Invalid postcode')]),
});

export async function findPostcodesIoCity(
  client: GeocodingClient,
  city: PostcodesIoCity,
  { country, postcode, turnKey }: PostalCodeQuery,
): Promise<PostalCityAnswer> {
  const answer = await client.get(providerUrl(client, ['postcodes', postcode]), turnKey);
  if (!answer.ok) {
    const isUnknown = answer.status === 404 && Check(MissingSchema, answer.body);
    return isUnknown ? noResult('nothing found') : toFailedLookup(answer);
  }
  if (!Check(FoundSchema, answer.body)) return unknownShape('no postcode');
  const { result } = answer.body;
  if (!isSamePostcode(country, postcode, result.postcode)) return noResult('another postcode');
  const name = result[city] ?? null;
  // The name for the part of a district without a parish is not the name of a place.
  return chooseOnlyCity([name !== null && name.includes('unparished area') ? null : name]);
}
