// The port for coordinates and postal cities: what the service asks of a provider. The adapters are in `adapters/`.

import type { KeyPath } from '../../lib/queues/turn-queue.ts';

/** A point on the earth (WGS 84) in millionths of a degree. */
export type Coordinates = {
  /** -90000000 to 90000000. */
  readonly latitude: number;
  /** -180000000 to 180000000. */
  readonly longitude: number;
};

/** Why a provider has no answer. A `TransientFailure` may resolve itself, a `PermanentFailure` needs the operator. */
export type LookupFailure = 'NoResult' | 'TransientFailure' | 'PermanentFailure' | 'NotConfigured';

/** What decides which providers may be asked for an address. */
export type AddressSubject = {
  /** ISO 3166-1 alpha-2, the tenant's. */
  readonly country: string;
  /** The address is a resident's, which is personal data: it may be sent only with the operator's consent. */
  readonly isResident: boolean;
};

/** Whose lookup it is: where requests have to wait, tenants take turns, and within a tenant its managers. */
type Asker = { readonly turnKey: KeyPath };

export type AddressQuery = AddressSubject &
  Asker & {
    /** Street and number, or the name of a place. Never empty. */
    readonly address: string;
    /** A postal code, with or without its city. Never empty. */
    readonly zip: string;
  };

export type PostalCodeQuery = AddressSubject &
  Asker & {
    /** Imported postal codes are read from this tenant's database. */
    readonly tenant: string;
    /** In the country's canonical spelling. */
    readonly postcode: string;
  };

export type AddressMatch = {
  readonly outcome: 'Success';
  readonly coordinates: Coordinates;
  /** What the provider says about the match; null if it says nothing. */
  readonly country: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
};

export type AddressResult = AddressMatch | { readonly outcome: LookupFailure };

export type PostalCityMatch = {
  readonly outcome: 'Success';
  /** Null: the postal code exists, but the provider knows no city for it. An address match may then name the city. */
  readonly city: string | null;
};

export type PostalCityResult = PostalCityMatch | { readonly outcome: LookupFailure };

/** The maximum number of requests that both searches for one address may send together. */
export const maxRequestsOfAddress = 2;

/**
 * Both searches send as many requests as countRequests says, never repeat one, and never throw: a failure is an
 * outcome.
 */
export type Geocoder = {
  /** Whether findAddress has a provider to ask; if not, its outcome is NotConfigured. */
  canFindAddress(subject: AddressSubject): boolean;
  /** Finds the one exact match of an address. */
  findAddress(query: AddressQuery): Promise<AddressResult>;
  /** Finds the one city of a postal code. A code that is unknown or belongs to several cities is NoResult. */
  findPostalCity(query: PostalCodeQuery): Promise<PostalCityResult>;
  /** How many requests findAddress and findPostalCity send for a country: 0 (embedded or not configured), 1 or 2. */
  countRequests(country: string): { readonly address: 0 | 1 | 2; readonly postalCity: 0 | 1 | 2 };
};
