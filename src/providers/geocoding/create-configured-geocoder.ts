// Creates the geocoder of the operator's settings: the providers with a queue each, a log of failures, and counts.

import type { Logger } from 'pino';
import { RateLimitedQueue } from '../../lib/queues/rate-limited-queue.ts';
import { version } from '../../version.ts';
import { createJsonClient, type JsonAnswer } from '../http-client/json-client.ts';
import { namesPrivateHost } from '../http-client/public-addresses.ts';
import { findAdressevaelgerAddress } from './adapters/adressevaelger.ts';
import { findNominatimAddress, findNominatimPostalCity } from './adapters/nominatim.ts';
import { findPhotonAddress, findPhotonPostalCity } from './adapters/photon.ts';
import { findPostalTableCity, type ReadPostalCity } from './adapters/postal-table.ts';
import { findPostcodesIoCity } from './adapters/postcodes-io.ts';
import type { GeocodingClient } from './adapters/geocoding-client.ts';
import { findZippopotamCity } from './adapters/zippopotam.ts';
import {
  createGeocoder,
  type AddressProvider,
  type CountryProviders,
  type PostalCityProvider,
} from './create-geocoder.ts';
import type { Geocoder } from './geocoder.ts';
import type { GeocoderSettings, NetworkSettings, ProviderSettings } from './geocoder-settings.ts';
import type { AddressAnswer, FailedLookup, PostalCityAnswer } from './lookup-failures.ts';
import { providerTypes, type GeocodingSearch } from './provider-types.ts';

type GeocoderDependencies = {
  readonly log: Logger;
  /** Counts a search that has ended. */
  readonly countLookup: (labels: { provider: string; search: GeocodingSearch; outcome: string }) => void;
  readonly readPostalCity: ReadPostalCity;
};

type ProviderSearches = {
  readonly address?: AddressProvider['findAddress'];
  readonly postalCity?: PostalCityProvider['findPostalCity'];
};

export function createConfiguredGeocoder(settings: GeocoderSettings, dependencies: GeocoderDependencies): Geocoder {
  const searches = new Map(
    [...settings.providers].map(([name, provider]) => [
      name,
      observeSearches(name, createSearches(provider, settings.contact, dependencies), dependencies),
    ]),
  );
  const countries = [...settings.countries].map(([country, { address, postalCity, residents }]) => {
    const findAddress = searches.get(address ?? '')?.address;
    const findPostalCity = searches.get(postalCity ?? '')?.postalCity;
    const requestsOf = (name: string | undefined): 0 | 1 | 2 => {
      const provider = settings.providers.get(name ?? '');
      return provider === undefined ? 0 : providerTypes[provider.type].requests;
    };
    const providers: CountryProviders = {
      sendsResidents: residents,
      ...(findAddress === undefined ? {} : { address: { requests: requestsOf(address), findAddress } }),
      ...(findPostalCity === undefined ? {} : { postalCity: { requests: requestsOf(postalCity), findPostalCity } }),
    };
    return [country, providers] as const;
  });
  return createGeocoder(new Map(countries));
}

type RawSearches = {
  readonly address?: (...query: Parameters<AddressProvider['findAddress']>) => Promise<AddressAnswer>;
  readonly postalCity?: (...query: Parameters<PostalCityProvider['findPostalCity']>) => Promise<PostalCityAnswer>;
};

function createSearches(
  { type, network, token, city }: ProviderSettings,
  contact: string,
  { readPostalCity }: GeocoderDependencies,
): RawSearches {
  if (type === 'postal-table' || network === undefined)
    return { postalCity: (query) => findPostalTableCity(readPostalCity, query) };
  const client = createGeocodingClient(network, contact);
  switch (type) {
    case 'nominatim':
      return {
        address: (query) => findNominatimAddress(client, query),
        postalCity: (query) => findNominatimPostalCity(client, query),
      };
    case 'photon':
      return {
        address: (query) => findPhotonAddress(client, query),
        postalCity: (query) => findPhotonPostalCity(client, query),
      };
    case 'postcodes.io':
      return { postalCity: (query) => findPostcodesIoCity(client, city, query) };
    case 'zippopotam.us':
      return { postalCity: (query) => findZippopotamCity(client, query) };
    case 'adressevaelger':
      return { address: (query) => findAdressevaelgerAddress(client, token, query) };
  }
}

/** A search that cannot be sent within this time fails, since a person waits for it. */
const maxWaitMs = 2000;

class NoTurnError extends Error {
  override name = 'NoTurnError';
}

function createGeocodingClient(network: NetworkSettings, contact: string): GeocodingClient {
  const { baseUrl, requestsPerSecond, maxConcurrent, privateNetwork } = network;
  const client = createJsonClient({
    userAgent: `portal-management-service/${version}${contact === '' ? '' : ` (${contact})`}`,
    // The operator may choose a private host by naming its address.
    allowsPrivateAddresses: privateNetwork || namesPrivateHost(baseUrl),
  });
  const createRefusal = (): Error => new NoTurnError();
  const queue = new RateLimitedQueue({ requestsPerSecond, maxConcurrent, maxWaitMs, createRefusal });
  return {
    baseUrl,
    get: (url, turnKey) =>
      queue
        .run(() => client.get(url), { key: turnKey })
        .catch((error: unknown): JsonAnswer => {
          if (!(error instanceof NoTurnError)) throw error;
          return { ok: false, failure: 'TransientFailure', reason: `no turn within ${maxWaitMs} ms` };
        }),
  };
}

/** Counts every search and logs failures, without the address that was searched. */
function observeSearches(
  provider: string,
  { address, postalCity }: RawSearches,
  { log, countLookup }: GeocoderDependencies,
): ProviderSearches {
  const observe =
    <Query extends { readonly country: string }, Match extends { readonly outcome: 'Success' }>(
      search: GeocodingSearch,
      find: (query: Query) => Promise<Match | FailedLookup>,
    ) =>
    async (query: Query): Promise<Match | Pick<FailedLookup, 'outcome'>> => {
      const result = await find(query).catch((error: unknown): FailedLookup => {
        log.error({ err: error, provider, search }, 'a search of the geocoder has a defect');
        return { outcome: 'TransientFailure', reason: 'a defect' };
      });
      countLookup({ provider, search, outcome: result.outcome });
      if (!('reason' in result)) return result;
      const { outcome } = result;
      const facts = { provider, search, country: query.country, outcome, reason: result.reason };
      if (outcome === 'NoResult') log.debug(facts, 'the geocoder found nothing');
      else log.warn(facts, 'a search of the geocoder failed');
      return { outcome };
    };
  return {
    ...(address === undefined ? {} : { address: observe('address', address) }),
    ...(postalCity === undefined ? {} : { postalCity: observe('postalCity', postalCity) }),
  };
}
