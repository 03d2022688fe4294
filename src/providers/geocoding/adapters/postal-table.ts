// Finds the city of a postal code in the codes that were imported into the tenant's database.

import { StorageError } from '../../../database/errors.ts';
import type { PostalCodeQuery } from '../geocoder.ts';
import { noResult, type PostalCityAnswer } from '../lookup-failures.ts';
import { chooseOnlyCity } from '../matching/choose-city.ts';

/** The city of a postal code: null if it has several, undefined if the code is unknown. */
export type ReadPostalCity = (query: PostalCodeQuery) => Promise<string | null | undefined>;

export async function findPostalTableCity(
  readPostalCity: ReadPostalCity,
  query: PostalCodeQuery,
): Promise<PostalCityAnswer> {
  try {
    const city = await readPostalCity(query);
    if (city === undefined) return noResult('nothing found');
    return city === null ? noResult('more than one city') : chooseOnlyCity([city]);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { outcome: 'TransientFailure', reason: `the database is ${error.failure}` };
  }
}
