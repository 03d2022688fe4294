// Finds the place of a British postcode in postcodes.io. It knows no post towns, only administrative names: which of them
// counts as the city is the operator's choice.

import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, toFailedLookup, unknownShape, type PostalCityLookup } from '../lookup-failures.ts';
import { isSamePostcode } from '../matching/choose-candidate.ts';
import { chooseOnlyCity } from '../matching/only-city.ts';
import type { PostcodesIoCity } from '../provider-types.ts';
import { providerUrl, type ProviderAccess } from './provider-access.ts';

const OptionalName = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const FoundSchema = Type.Object({
  result: Type.Object({ postcode: Type.String(), parish: OptionalName, admin_district: OptionalName }),
});

const MissingSchema = Type.Object({
  error: Type.Union([Type.Literal('Postcode not found'), Type.Literal('Invalid postcode')]),
});

export async function findPostcodesIoCity(
  access: ProviderAccess,
  city: PostcodesIoCity,
  { country, postcode }: PostalCodeQuery,
): Promise<PostalCityLookup> {
  const answer = await access.get(providerUrl(access, ['postcodes', postcode]), country);
  if (!answer.ok) {
    const isUnknown = answer.status === 404 && Check(MissingSchema, answer.body);
    return isUnknown ? noResult('nothing found') : toFailedLookup(answer);
  }
  if (!Check(FoundSchema, answer.body)) return unknownShape('no postcode');
  const { result } = answer.body;
  if (!isSamePostcode(country, postcode, result.postcode)) return noResult('another postcode');
  const name = result[city] ?? null;
  // What stands for the part of a district that has no parish is no name of a place.
  return chooseOnlyCity([name !== null && name.includes('unparished area') ? null : name]);
}
