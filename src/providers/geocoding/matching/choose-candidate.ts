// Decides which of a provider's candidates is the one exact match of an address, if any.

import { parsePostcode, splitZip } from '../../../lib/text/postal-code.ts';
import type { AddressQuery } from '../geocoder.ts';
import { noResult, unknownShape, type AddressAnswer } from '../lookup-failures.ts';
import { isCityName } from './city-name.ts';
import { mayBeIn } from './country-bounds.ts';
import { isSamePlaceName, normalizeHouseNumber, readStreetAddress, resemblesStreet } from './house-number.ts';

export type CandidateAddress = {
  /** ISO 3166-1 alpha-2, in any case. */
  readonly country: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
  readonly street: string | null;
  readonly houseNumber: string | null;
  /** The name of a place, if it has one in addition to its street. */
  readonly name: string | null;
};

export type AddressCandidate = CandidateAddress & {
  /** In degrees; not checked yet. */
  readonly latitude: number;
  readonly longitude: number;
};

/** Candidates of one building, such as its outline and its entrance, count as one within this distance. */
const sameBuildingMetres = 50;

/**
 * At most so many candidates of an answer are read, since a provider that sends more must not keep the service busy.
 */
export const maxCandidates = 40;

export function chooseCandidate(query: AddressQuery, candidates: readonly AddressCandidate[]): AddressAnswer {
  const exact = candidates.slice(0, maxCandidates).filter((candidate) => isExactMatch(query, candidate));
  const [first] = exact;
  if (first === undefined) return noResult('no exact match');
  if (exact.some(({ latitude, longitude }) => !mayBeIn(query.country, latitude, longitude)))
    return unknownShape('coordinates outside the country');
  const isOneBuilding = exact.every((a) => exact.every((b) => metresBetween(a, b) <= sameBuildingMetres));
  if (!isOneBuilding) return noResult('more than one exact match');
  return {
    outcome: 'Success',
    coordinates: { latitude: toMillionths(first.latitude), longitude: toMillionths(first.longitude) },
    country: query.country,
    postcode: agreedValue(exact.map(({ postcode }) => postcode)),
    city: toCityName(agreedValue(exact.map(({ city }) => city))),
  };
}

const toMillionths = (degrees: number): number => Math.round(degrees * 1_000_000);

/** Whether the candidate is the requested address, wherever it is. */
export function isExactMatch(
  query: AddressQuery,
  { country, postcode, street, houseNumber, name }: CandidateAddress,
): boolean {
  if (country?.toUpperCase() !== query.country || !agreesWithZip(query, postcode)) return false;
  const asked = readStreetAddress(query.address);
  // A street or a town instead of a house would be a guess; a place without a number is known by its name.
  if (asked.houseNumber === undefined)
    return [name, street].some((each) => each !== null && isSamePlaceName(each, query.address));
  if (houseNumber === null || normalizeHouseNumber(houseNumber) !== asked.houseNumber) return false;
  return street === null || resemblesStreet(asked.street, street);
}

/** Whether the postal codes are the same, if both are known. */
function agreesWithZip({ country, zip }: AddressQuery, found: string | null): boolean {
  const asked = splitZip(country, zip)?.postcode ?? firstNumber(zip);
  return asked === undefined || found === null || isSamePostcode(country, asked, found);
}

/** Finds the postal code for a country without its own rule. */
const firstNumber = (zip: string): string | undefined => zip.split(/\s+/u).find((word) => /\d/.test(word));

export const isSamePostcode = (country: string, a: string, b: string): boolean =>
  canonical(country, a) === canonical(country, b);

const canonical = (country: string, postcode: string): string =>
  parsePostcode(country, postcode) ?? postcode.replaceAll(/\s/gu, '').toUpperCase();

const toCityName = (city: string | null): string | null => (city !== null && isCityName(city) ? city : null);

/** The value that all candidates with a value have; null if they differ. */
function agreedValue(values: readonly (string | null)[]): string | null {
  const known = new Set(values.filter((value) => value !== null && value !== ''));
  const [only = null] = known;
  return known.size === 1 ? only : null;
}

const earthRadiusMetres = 6_371_000;

function metresBetween(a: AddressCandidate, b: AddressCandidate): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const [latitudeA, latitudeB] = [radians(a.latitude), radians(b.latitude)];
  const haversine =
    Math.sin((latitudeB - latitudeA) / 2) ** 2 +
    Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(haversine)));
}
