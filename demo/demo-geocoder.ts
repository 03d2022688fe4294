// Replaces the provider of coordinates and postal cities under --demo by invented streets in real towns, without
// sending requests. docs/geocoding.md lists what the replacement knows.

import { hasPostalRule, splitZip } from '../src/lib/text/postal-code.ts';
import { createGeocoder, type CountryProviders } from '../src/providers/geocoding/create-geocoder.ts';
import type { AddressQuery, AddressResult, Geocoder, PostalCityResult } from '../src/providers/geocoding/geocoder.ts';
import { chooseCandidate, type AddressCandidate } from '../src/providers/geocoding/matching/choose-candidate.ts';
import { isSamePlaceName, readStreetAddress } from '../src/providers/geocoding/matching/house-number.ts';
import { chooseOnlyCity } from '../src/providers/geocoding/matching/choose-city.ts';
import { bankDefinitions } from './places/bank-definitions.ts';

type Town = { readonly postcode: string; readonly city: string; readonly latitude: number; readonly longitude: number };

const town = (postcode: string, city: string, latitude: number, longitude: number): Town => ({
  postcode,
  city,
  latitude,
  longitude,
});

/** The towns of the demo's locations. */
const townsByCountry: Readonly<Record<string, readonly Town[]>> = {
  DK: [
    town('2100', 'København Ø', 55.707, 12.577),
    town('8000', 'Aarhus C', 56.156, 10.21),
    town('5000', 'Odense C', 55.396, 10.388),
    town('9000', 'Aalborg', 57.048, 9.919),
    town('6700', 'Esbjerg', 55.467, 8.452),
  ],
  NO: [
    town('0150', 'Oslo', 59.911, 10.745),
    town('5003', 'Bergen', 60.394, 5.328),
    town('7010', 'Trondheim', 63.433, 10.403),
    town('4006', 'Stavanger', 58.972, 5.735),
    town('9008', 'Tromsø', 69.651, 18.956),
  ],
  SE: [
    town('111 29', 'Stockholm', 59.325, 18.068),
    town('411 03', 'Göteborg', 57.711, 11.978),
    town('211 20', 'Malmö', 55.608, 12.998),
    town('753 10', 'Uppsala', 59.86, 17.64),
    town('582 22', 'Linköping', 58.41, 15.62),
  ],
  DE: [
    town('10115', 'Berlin', 52.532, 13.385),
    town('20095', 'Hamburg', 53.551, 10.001),
    town('80331', 'München', 48.135, 11.573),
    town('50667', 'Köln', 50.938, 6.956),
    town('01067', 'Dresden', 51.053, 13.732),
  ],
  GB: [
    town('M1 1AE', 'Manchester', 53.481, -2.235),
    town('B33 8TH', 'Birmingham', 52.485, -1.786),
    town('CR2 6XH', 'South Croydon', 51.346, -0.085),
    town('DN55 1PT', 'Doncaster', 53.523, -1.134),
    town('EC1A 1BB', 'London', 51.52, -0.098),
  ],
  IS: [
    town('101', 'Reykjavík', 64.147, -21.94),
    town('105', 'Reykjavík', 64.14, -21.905),
    town('200', 'Kópavogur', 64.111, -21.909),
    town('600', 'Akureyri', 65.683, -18.09),
    town('700', 'Egilsstaðir', 65.264, -14.394),
  ],
};

// Examples of what goes wrong with real providers.
const ambiguousStreet = 'Twin Lane';
const failingStreets = [
  ['Storm Lane', 'TransientFailure'],
  ['Closed Lane', 'PermanentFailure'],
] as const;
const ambiguousPostcodes = new Set(['9998', '999 98', '99998', 'ZZ9 8ZZ']);
const failingPostcodes = new Set(['9997', '999 97', '99997', 'ZZ9 7ZZ']);

const streets = bankDefinitions.map(({ treeName }) => `${treeName} Lane`);
/** Locations without a street are found by their names. */
const places = bankDefinitions.flatMap(({ treeName }) =>
  ['A', 'B', 'C', 'Ø', 'Æ'].map((letter) => `${treeName} house ${letter}`),
);

/** The town of a postal code, or of a zip that begins with one. */
export function findDemoTown(country: string, zip: string): Town | undefined {
  const postcode = splitZip(country, zip)?.postcode ?? zip.split(/\s+/u)[0];
  return townsByCountry[country]?.find((each) => each.postcode === postcode);
}

const highestHouseNumber = 199;
// About 220 m between streets and 22 m between houses.
const streetDistanceDegrees = 0.002;
const houseDistanceDegrees = 0.0002;

export function createDemoGeocoder(): Geocoder {
  const countries = Object.keys(townsByCountry).map((country): [string, CountryProviders] => [
    country,
    {
      // The data stay in this process.
      sendsResidents: true,
      address: { requests: 0, findAddress: async (query) => findAddress(query) },
      ...(hasPostalRule(country)
        ? {
            postalCity: {
              requests: 0,
              findPostalCity: async ({ postcode }) => findPostalCity(country, postcode),
            },
          }
        : {}),
    },
  ]);
  return createGeocoder(new Map(countries));
}

function findPostalCity(country: string, postcode: string): PostalCityResult {
  if (failingPostcodes.has(postcode)) return { outcome: 'TransientFailure' };
  const cities = ambiguousPostcodes.has(postcode)
    ? ['Twin Town', 'Other Town']
    : (townsByCountry[country] ?? []).filter((each) => each.postcode === postcode).map(({ city }) => city);
  const found = chooseOnlyCity(cities);
  return found.outcome === 'Success' ? found : { outcome: found.outcome };
}

function findAddress(query: AddressQuery): AddressResult {
  const { street } = readStreetAddress(query.address);
  const failing = failingStreets.find(([name]) => isSamePlaceName(name, street));
  if (failing !== undefined) return { outcome: failing[1] };
  const found = chooseCandidate(query, candidatesOf(query));
  return found.outcome === 'Success' ? found : { outcome: found.outcome };
}

/** All candidates in the town of the query with the name of its street or location. */
function candidatesOf({ country, address, zip }: AddressQuery): AddressCandidate[] {
  const there = findDemoTown(country, zip);
  if (there === undefined) return [];
  const { street, houseNumber } = readStreetAddress(address);
  if (houseNumber === undefined) {
    const index = places.findIndex((place) => isSamePlaceName(place, address));
    return index === -1 ? [] : [candidateIn(there, country, { name: places[index] ?? null, north: index, east: 0 })];
  }
  const number = Number.parseInt(houseNumber, 10);
  if (number < 1 || number > highestHouseNumber) return [];
  const index = streets.findIndex((name) => isSamePlaceName(name, street));
  const found = { street, houseNumber, east: number };
  if (index !== -1) return [candidateIn(there, country, { ...found, street: streets[index] ?? null, north: index })];
  if (!isSamePlaceName(street, ambiguousStreet)) return [];
  return [-5, 5].map((north) => candidateIn(there, country, { ...found, north }));
}

type CandidatePosition = Partial<Pick<AddressCandidate, 'street' | 'houseNumber' | 'name'>> & {
  /** The distance from the town centre, in streets and houses. */
  readonly north: number;
  readonly east: number;
};

const candidateIn = (
  { postcode, city, latitude, longitude }: Town,
  country: string,
  { street = null, houseNumber = null, name = null, north, east }: CandidatePosition,
): AddressCandidate => ({
  country,
  postcode,
  city,
  street,
  houseNumber,
  name,
  latitude: latitude + north * streetDistanceDegrees,
  longitude: longitude + east * houseDistanceDegrees,
});
