// Finds the city of a postal code among those that were imported into the tenant's database.

import { StorageError } from '../../../database/errors.ts';
import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, type PostalCityLookup } from '../lookup-failures.ts';
import { chooseOnlyCity } from '../matching/only-city.ts';

/** The city of a postal code: null where it has several, undefined where the code is unknown. */
export type ReadPostalCity = (query: PostalCodeQuery) => Promise<string | null | undefined>;

export async function findPostalTableCity(
  readPostalCity: ReadPostalCity,
  query: PostalCodeQuery,
): Promise<PostalCityLookup> {
  try {
    const city = await readPostalCity(query);
    if (city === undefined) return noResult('nothing found');
    return city === null ? noResult('more than one city') : chooseOnlyCity([city]);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { outcome: 'TransientFailure', reason: `the database is ${error.failure}` };
  }
}
