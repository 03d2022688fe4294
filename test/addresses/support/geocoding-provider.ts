// A provider of coordinates and postal cities on loopback, in the shape of Nominatim's search, and a geocoder that asks it.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AddressResult, Geocoder, PostalCityResult } from '../../../src/providers/geocoding/geocoder.ts';

export type ProviderRequest = {
  readonly search: 'address' | 'postalCity';
  /** The address with its zip, or the postal code. */
  readonly text: string;
  readonly country: string;
};

export type Place = {
  readonly lat?: string;
  readonly lon?: string;
  readonly country_code?: string;
  readonly postcode?: string;
  readonly city?: string;
};

/** An HTTP status, or the places that are found. */
export type ProviderAnswer = number | readonly Place[];

export type GeocodingProvider = {
  /** The requests so far. */
  requests: ProviderRequest[];
  answer: (request: ProviderRequest) => ProviderAnswer | Promise<ProviderAnswer>;
  /** How many requests the geocoder declares for each search. */
  counts: ReturnType<Geocoder['countRequests']>;
  isConfigured: boolean;
  /** Addresses and postal codes of residents may be sent. */
  sendsResidents: boolean;
  hasPostalProvider: boolean;
  /** The residents' addresses that the geocoder was asked for. */
  residents: string[];
  readonly geocoder: Geocoder;
  start(): Promise<void>;
  stop(): Promise<void>;
  reset(): void;
};

export const cityOf = (postcode: string): string => `City of ${postcode}`;
export const foundPlace: Place = { lat: '55.1234567', lon: '12.7654321' };
/** The same in millionths of a degree. */
export const foundCoordinates = { latitude: 55_123_457, longitude: 12_765_432 };

/** One place for each address; one city for each postal code. */
const findEverything = ({ search, text, country }: ProviderRequest): ProviderAnswer => {
  const postcode = search === 'postalCity' ? text : (text.split(', ').at(-1) ?? '');
  return [
    { ...foundPlace, postcode, country_code: country, city: search === 'postalCity' ? cityOf(text) : 'Elsewhere' },
  ];
};

export function createGeocodingProvider(): GeocodingProvider {
  let port = 0;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [q, postalcode] = [searchParams.get('q'), searchParams.get('postalcode')];
    const country = searchParams.get('countrycodes') ?? '';
    const asked: ProviderRequest = {
      search: q === null ? 'postalCity' : 'address',
      text: q ?? postalcode ?? '',
      country,
    };
    provider.requests.push(asked);
    void Promise.resolve(provider.answer(asked)).then((answer) => sendAnswer(response, answer));
  });
  const search = async (query: Record<string, string>): Promise<readonly Place[] | number> => {
    const response = await fetch(`http://127.0.0.1:${port}/search?${new URLSearchParams(query).toString()}`);
    return response.ok ? ((await response.json()) as readonly Place[]) : response.status;
  };
  const provider: GeocodingProvider = {
    requests: [],
    residents: [],
    answer: findEverything,
    counts: { address: 1, postalCity: 1 },
    isConfigured: true,
    sendsResidents: true,
    hasPostalProvider: true,
    geocoder: {
      canFindAddress: ({ isResident }) => provider.isConfigured && (provider.sendsResidents || !isResident),
      countRequests: () => provider.counts,
      findAddress: async ({ address, zip, country, isResident }) => {
        if (isResident) provider.residents.push(address);
        if (!provider.geocoder.canFindAddress({ country, isResident })) return { outcome: 'NotConfigured' };
        return toAddressResult(await search({ q: `${address}, ${zip}`, countrycodes: country }));
      },
      findPostalCity: async ({ postcode, country, isResident }) =>
        provider.hasPostalProvider && provider.geocoder.canFindAddress({ country, isResident })
          ? toPostalCityResult(await search({ postalcode: postcode, countrycodes: country }))
          : { outcome: 'NotConfigured' },
    },
    start: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    reset: () => {
      provider.requests = [];
      provider.residents = [];
      provider.answer = findEverything;
      provider.counts = { address: 1, postalCity: 1 };
      provider.isConfigured = true;
      provider.sendsResidents = true;
      provider.hasPostalProvider = true;
    },
  };
  return provider;
}

function sendAnswer(response: ServerResponse, answer: ProviderAnswer): void {
  response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
  response.end(typeof answer === 'number' ? '{}' : JSON.stringify(answer));
}

const toFailure = (status: number) => ({ outcome: status >= 500 ? 'TransientFailure' : 'PermanentFailure' }) as const;

function toAddressResult(found: readonly Place[] | number): AddressResult {
  if (typeof found === 'number') return toFailure(found);
  const [place] = found;
  if (place === undefined || found.length > 1) return { outcome: 'NoResult' };
  const [latitude = 0, longitude = 0] = [place.lat, place.lon].map((text) => Math.round(Number(text) * 1e6));
  const { country_code: country = null, postcode = null, city = null } = place;
  return { outcome: 'Success', coordinates: { latitude, longitude }, country, postcode, city };
}

function toPostalCityResult(found: readonly Place[] | number): PostalCityResult {
  if (typeof found === 'number') return toFailure(found);
  const cities = new Set(found.map(({ city }) => city ?? null));
  const [city] = cities;
  return city === undefined || cities.size > 1 ? { outcome: 'NoResult' } : { outcome: 'Success', city };
}
