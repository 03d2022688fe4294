// The types of providers that an operator can choose: what they can find, and where.

export type Search = 'address' | 'postalCity';

type ProviderTypeDefinition = {
  readonly searches: readonly Search[];
  /** How many requests a search sends over the network at most. */
  readonly requests: 0 | 1 | 2;
  /** The only countries that it knows; any where there are none. */
  readonly countries?: readonly string[];
  /** Countries that it does not know well enough. */
  readonly otherCountries?: readonly string[];
  /** Members of its settings that others have not. */
  readonly members: readonly ('token' | 'city')[];
};

const define = <const T extends Readonly<Record<string, ProviderTypeDefinition>>>(
  types: T,
): Readonly<Record<keyof T, ProviderTypeDefinition>> => types;

export const providerTypes = define({
  nominatim: { searches: ['address', 'postalCity'], requests: 1, members: [] },
  photon: { searches: ['address', 'postalCity'], requests: 1, members: [] },
  'postcodes.io': { searches: ['postalCity'], requests: 1, countries: ['GB'], members: ['city'] },
  // Of a British postcode it knows the first half alone.
  'zippopotam.us': { searches: ['postalCity'], requests: 1, otherCountries: ['GB'], members: [] },
  adressevaelger: { searches: ['address'], requests: 2, countries: ['DK'], members: ['token'] },
  'postal-table': { searches: ['postalCity'], requests: 0, members: [] },
});

export type ProviderType = keyof typeof providerTypes;

/** The names of postcodes.io that can count as the city of a postcode. */
export const postcodesIoCities = ['parish', 'admin_district'] as const;
export type PostcodesIoCity = (typeof postcodesIoCities)[number];
