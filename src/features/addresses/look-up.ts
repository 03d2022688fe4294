// Looks up the coordinates of an address and the city of its postal code, within the requests that one call may send.

import { parsePostcode } from '../../lib/postal-code.ts';
import type {
  AddressMatch,
  AddressSubject,
  Coordinates,
  Geocoder,
  LookupFailure,
  PostalCityResult,
} from '../../providers/geocoding/geocoder.ts';
import { completeZip, isComplete, type AddressText } from './rules/address-text.ts';

export type AddressLookup = AddressText &
  AddressSubject & {
    readonly tenant: string;
    readonly wantsCoordinates: boolean;
    /** Requests to providers that the call may send. */
    readonly maxRequests: number;
    /** The bare postal code, in its canonical spelling, whose city is wanted. */
    readonly postcode: string | undefined;
  };

export type LookupResult = {
  /** The postal code with its city; undefined where it stays as it is. */
  readonly zip: string | undefined;
  /** Undefined where they were not looked up. */
  readonly coordinates: { readonly found: Coordinates } | { readonly failure: LookupFailure } | undefined;
};

export async function lookUpAddress(geocoder: Geocoder, lookup: AddressLookup): Promise<LookupResult> {
  const { postcode } = lookup;
  return postcode === undefined
    ? { zip: undefined, coordinates: toCoordinates(await findMatch(geocoder, lookup)) }
    : lookUpWithCity(geocoder, lookup, postcode);
}

/**
 * The city comes first, so that the address is looked up with it. Where the provider of postal codes knows none, the
 * address may tell it; where there is no such provider, only if the address is looked up anyway.
 */
async function lookUpWithCity(geocoder: Geocoder, lookup: AddressLookup, postcode: string): Promise<LookupResult> {
  const { tenant, country, isResident, wantsCoordinates } = lookup;
  const postal = await geocoder.findPostalCity({ tenant, country, isResident, postcode });
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

/** Why there are no coordinates; undefined where they were found, or not looked up. */
export const failureOf = ({ coordinates }: LookupResult): LookupFailure | undefined =>
  coordinates !== undefined && 'failure' in coordinates ? coordinates.failure : undefined;

type Match = AddressMatch | { readonly outcome: LookupFailure };

/** Whether there is a provider of addresses for the call: one that needs more requests than it may send is none. */
export const canLookUpAddress = (
  geocoder: Geocoder,
  { country, isResident, maxRequests }: AddressSubject & { readonly maxRequests: number },
): boolean =>
  geocoder.canFindAddress({ country, isResident }) && geocoder.countRequests(country).address <= maxRequests;

const findMatch = async (geocoder: Geocoder, lookup: AddressLookup): Promise<Match> => {
  const { country, address, zip, isResident } = lookup;
  return canLookUpAddress(geocoder, lookup)
    ? geocoder.findAddress({ country, address, zip, isResident })
    : { outcome: 'NotConfigured' };
};

const toCoordinates = (match: Match): LookupResult['coordinates'] =>
  match.outcome === 'Success' ? { found: match.coordinates } : { failure: match.outcome };

/** The zip with the city of a match, if that is in the country and has the postal code. */
function findZipOfMatch(match: Match, country: string, postcode: string): string | undefined {
  if (match.outcome !== 'Success' || match.city === null || match.country?.toUpperCase() !== country) return undefined;
  const isSamePostcode = match.postcode !== null && parsePostcode(country, match.postcode) === postcode;
  return isSamePostcode ? completeZip(postcode, match.city) : undefined;
}
