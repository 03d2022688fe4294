// Looks up the coordinates of an address and the city of its postal code, with a limited number of requests.

import type { KeyPath } from '../../lib/queues/turn-queue.ts';
import { parsePostcode } from '../../lib/text/postal-code.ts';
import type {
  AddressMatch,
  AddressSubject,
  Coordinates,
  Geocoder,
  LookupFailure,
  PostalCityResult,
} from '../../providers/geocoding/geocoder.ts';
import { completeZip, isComplete, type AddressText } from './rules/address-text.ts';

export type AddressLookupRequest = AddressText &
  AddressSubject & {
    readonly tenant: string;
    /** Whose lookup it is: the tenant and its manager. */
    readonly turnKey: KeyPath;
    readonly wantsCoordinates: boolean;
    /** The number of requests to providers that the call can send. */
    readonly maxRequests: number;
    /** The postal code without a city, in canonical form, whose city is looked up. */
    readonly postcode: string | undefined;
  };

export type LookupResult = {
  /** The postal code with its city; undefined if the zip does not change. */
  readonly zip: string | undefined;
  /** Undefined if they were not looked up. */
  readonly coordinates: { readonly found: Coordinates } | { readonly failure: LookupFailure } | undefined;
};

export async function lookUpAddress(geocoder: Geocoder, lookup: AddressLookupRequest): Promise<LookupResult> {
  const { postcode } = lookup;
  return postcode === undefined
    ? { zip: undefined, coordinates: toCoordinates(await findMatch(geocoder, lookup)) }
    : lookUpWithCity(geocoder, lookup, postcode);
}

/**
 * Looks up the city first, and then the address with that city. If the provider of postal codes knows no city, the
 * match of the address can supply it; without such a provider, only if the address is looked up anyway.
 */
async function lookUpWithCity(
  geocoder: Geocoder,
  lookup: AddressLookupRequest,
  postcode: string,
): Promise<LookupResult> {
  const { tenant, country, isResident, turnKey, wantsCoordinates } = lookup;
  const postal = await geocoder.findPostalCity({ tenant, country, isResident, turnKey, postcode });
  const postalCity = postal.outcome === 'Success' ? postal.city : null;
  const zip = postalCity === null ? undefined : completeZip(postcode, postalCity);
  const searchesForCity = isWithoutCity(postal) && isComplete(lookup);
  if (!wantsCoordinates && !searchesForCity) return { zip, coordinates: undefined };
  const maxRequests = lookup.maxRequests - geocoder.countRequests(country).postalCity;
  const match = await findMatch(geocoder, { ...lookup, zip: zip ?? lookup.zip, maxRequests });
  const mayTellCity = isWithoutCity(postal) || postal.outcome === 'NotConfigured';
  return {
    zip: zip ?? (mayTellCity ? findZipOfMatch(match, country, postcode) : undefined),
    coordinates: wantsCoordinates ? toCoordinates(match) : undefined,
  };
}

const isWithoutCity = (postal: PostalCityResult): boolean => postal.outcome === 'Success' && postal.city === null;

/** Whether anything was found that can be stored. */
export const hasResult = ({ zip, coordinates }: LookupResult): boolean =>
  zip !== undefined || (coordinates !== undefined && 'found' in coordinates);

/** Why there are no coordinates; undefined if they were found or not looked up. */
export const failureOf = ({ coordinates }: LookupResult): LookupFailure | undefined =>
  coordinates !== undefined && 'failure' in coordinates ? coordinates.failure : undefined;

type Match = AddressMatch | { readonly outcome: LookupFailure };

/**
 * Whether the call can use a provider of addresses. A provider that needs more requests than the call can send is not
 * used.
 */
export const canLookUpAddress = (
  geocoder: Geocoder,
  { country, isResident, maxRequests }: AddressSubject & { readonly maxRequests: number },
): boolean =>
  geocoder.canFindAddress({ country, isResident }) && geocoder.countRequests(country).address <= maxRequests;

const findMatch = async (geocoder: Geocoder, lookup: AddressLookupRequest): Promise<Match> => {
  const { country, address, zip, isResident, turnKey } = lookup;
  return canLookUpAddress(geocoder, lookup)
    ? geocoder.findAddress({ country, address, zip, isResident, turnKey })
    : { outcome: 'NotConfigured' };
};

const toCoordinates = (match: Match): LookupResult['coordinates'] =>
  match.outcome === 'Success' ? { found: match.coordinates } : { failure: match.outcome };

/** The zip with the city of a match, if the match is in the country and has the postal code. */
function findZipOfMatch(match: Match, country: string, postcode: string): string | undefined {
  if (match.outcome !== 'Success' || match.city === null || match.country?.toUpperCase() !== country) return undefined;
  const isSamePostcode = match.postcode !== null && parsePostcode(country, match.postcode) === postcode;
  return isSamePostcode ? completeZip(postcode, match.city) : undefined;
}
