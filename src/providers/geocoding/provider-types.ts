// The types of providers that an operator can choose: their searches and countries.

export type GeocodingSearch = 'address' | 'postalCity';

type ProviderTypeDefinition = {
  readonly searches: readonly GeocodingSearch[];
  /** The maximum number of requests per search over the network. */
  readonly requests: 0 | 1 | 2;
  /** The only countries that it knows; without this, it knows all. */
  readonly countries?: readonly string[];
  /** Countries that it does not know well enough. */
  readonly otherCountries?: readonly string[];
  /** Members that only its settings have. */
  readonly members: readonly ('token' | 'city')[];
};

const define = <const T extends Readonly<Record<string, ProviderTypeDefinition>>>(
  types: T,
): Readonly<Record<keyof T, ProviderTypeDefinition>> => types;

export const providerTypes = define({
  nominatim: { searches: ['address', 'postalCity'], requests: 1, members: [] },
  photon: { searches: ['address', 'postalCity'], requests: 1, members: [] },
  'postcodes.io': { searches: ['postalCity'], requests: 1, countries: ['GB'], members: ['city'] },
  // It knows only the first half of British postcodes.
  'zippopotam.us': { searches: ['postalCity'], requests: 1, otherCountries: ['GB'], members: [] },
  adressevaelger: { searches: ['address'], requests: 2, countries: ['DK'], members: ['token'] },
  'postal-table': { searches: ['postalCity'], requests: 0, members: [] },
});

export type ProviderType = keyof typeof providerTypes;

/** The names of postcodes.io that can count as the city of a postcode. */
export const postcodesIoCities = ['parish', 'admin_district'] as const;
export type PostcodesIoCity = (typeof postcodesIoCities)[number];
