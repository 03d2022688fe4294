// Chooses the city that a provider names for a known postal code: exactly one, or none.

import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, type PostalCityAnswer } from '../lookup-failures.ts';
import { isSamePostcode, maxCandidates } from './choose-candidate.ts';
import { isCityName } from './city-name.ts';

type FoundPlace = { readonly country: string | null; readonly postcode: string | null; readonly city: string | null };

/** The city of the provider's places in the country with exactly this postal code. */
export function chooseCityOfPlaces(
  places: readonly FoundPlace[],
  { country, postcode }: Pick<PostalCodeQuery, 'country' | 'postcode'>,
): PostalCityAnswer {
  const found = places
    .slice(0, maxCandidates)
    .filter(
      (each) =>
        each.country?.toUpperCase() === country &&
        each.postcode !== null &&
        isSamePostcode(country, postcode, each.postcode),
    );
  return chooseOnlyCity(found.map(({ city }) => city));
}

/**
 * Chooses among the names found with a postal code. Empty names count for no city; the code is known even if all are
 * empty.
 */
export function chooseOnlyCity(names: readonly (string | null)[]): PostalCityAnswer {
  const cities = new Set(names.map((name) => (name ?? '').normalize('NFC').trim()).filter((name) => name !== ''));
  const [city] = cities;
  if (names.length === 0) return noResult('no postal code');
  if (city === undefined) return { outcome: 'Success', city: null };
  if (cities.size > 1) return noResult('more than one city');
  if (!isCityName(city)) return noResult('no name of a city');
  return { outcome: 'Success', city };
}
