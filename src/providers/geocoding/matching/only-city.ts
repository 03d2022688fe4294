// Decides which city a provider names for a postal code that it knows: exactly one, or none at all.

import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, type PostalCityLookup } from '../lookup-failures.ts';
import { isSamePostcode } from './choose-candidate.ts';

// Longer than any name of a place; what is more is damaged.
const maxCityLength = 60;

type FoundPlace = { readonly country: string | null; readonly postcode: string | null; readonly city: string | null };

/** The city of the places that a provider has in the country with exactly this postal code. */
export function chooseCityOfPlaces(
  places: readonly FoundPlace[],
  { country, postcode }: Pick<PostalCodeQuery, 'country' | 'postcode'>,
): PostalCityLookup {
  const found = places.filter(
    (each) =>
      each.country?.toUpperCase() === country &&
      each.postcode !== null &&
      isSamePostcode(country, postcode, each.postcode),
  );
  return chooseOnlyCity(found.map(({ city }) => city));
}

/** The names that were found with a postal code. Empty ones are of no city; the code is known even if all are. */
export function chooseOnlyCity(names: readonly (string | null)[]): PostalCityLookup {
  const cities = new Set(names.map((name) => (name ?? '').normalize('NFC').trim()).filter((name) => name !== ''));
  const [city] = cities;
  if (names.length === 0) return noResult('no postal code');
  if (city === undefined) return { outcome: 'Success', city: null };
  if (cities.size > 1) return noResult('more than one city');
  if (city.length > maxCityLength || /\p{Cc}/u.test(city)) return noResult('no name of a city');
  return { outcome: 'Success', city };
}
