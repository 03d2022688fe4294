// Creates a geocoder from the providers of each country.

import type {
  AddressQuery,
  AddressResult,
  AddressSubject,
  Geocoder,
  PostalCityResult,
  PostalCodeQuery,
} from './geocoder.ts';

export type AddressProvider = {
  /** The maximum number of requests per search. */
  readonly requests: 0 | 1 | 2;
  findAddress(query: AddressQuery): Promise<AddressResult>;
};

export type PostalCityProvider = {
  /** The maximum number of requests per search; 0 means that the provider is embedded. */
  readonly requests: 0 | 1 | 2;
  findPostalCity(query: PostalCodeQuery): Promise<PostalCityResult>;
};

export type CountryProviders = {
  readonly address?: AddressProvider;
  readonly postalCity?: PostalCityProvider;
  /** The operator allows that addresses and postal codes of residents are sent to the providers. */
  readonly sendsResidents: boolean;
};

const notConfigured = { outcome: 'NotConfigured' } as const;

/** The providers are by country (ISO 3166-1 alpha-2). */
export function createGeocoder(byCountry: ReadonlyMap<string, CountryProviders>): Geocoder {
  const addressProviderFor = ({ country, isResident }: AddressSubject): AddressProvider | undefined => {
    const { address, sendsResidents = false } = byCountry.get(country) ?? {};
    return isResident && !sendsResidents ? undefined : address;
  };
  const postalCityProviderFor = ({ country, isResident }: AddressSubject): PostalCityProvider | undefined => {
    const { postalCity, sendsResidents = false } = byCountry.get(country) ?? {};
    // An embedded provider sends nothing to anybody.
    return isResident && !sendsResidents && postalCity?.requests !== 0 ? undefined : postalCity;
  };
  return {
    canFindAddress: (subject) => addressProviderFor(subject) !== undefined,
    findAddress: async (query) => addressProviderFor(query)?.findAddress(query) ?? notConfigured,
    findPostalCity: async (query) => postalCityProviderFor(query)?.findPostalCity(query) ?? notConfigured,
    countRequests: (country) => {
      const { address, postalCity } = byCountry.get(country) ?? {};
      return { address: address?.requests ?? 0, postalCity: postalCity?.requests ?? 0 };
    },
  };
}
