// Reads the operator's choice of providers from the text of a JSON file. An error names the member that is wrong.

import { hasPostalRule } from '../../lib/text/postal-code.ts';
import {
  baseUrl,
  number,
  orDefault,
  parseSettings,
  readEach,
  readObject,
  readSome,
  refuse,
  text,
  trueOrFalse,
  type ReadMembers,
} from '../settings-members.ts';
import { maxRequestsOfAddress } from './geocoder.ts';
import { postcodesIoCities, providerTypes, type PostcodesIoCity, type ProviderType } from './provider-types.ts';

const networkMembers = {
  /** Ends with a slash. */
  baseUrl: baseUrl('https://nominatim.example/'),
  requestsPerSecond: orDefault(1, number([0.01, 1000])),
  maxConcurrent: orDefault(2, number([1, 100], true)),
  /** Its host may have an address of a private network. */
  privateNetwork: orDefault(false, trueOrFalse),
};

export type NetworkSettings = ReadMembers<typeof networkMembers>;

export type ProviderSettings = {
  readonly type: ProviderType;
  /** Undefined if the provider sends no requests. */
  readonly network: NetworkSettings | undefined;
  /** Only for adressevaelger. */
  readonly token: string;
  /** Only for postcodes.io: which name counts as the city. */
  readonly city: PostcodesIoCity;
};

type CountrySettings = {
  /** Names of providers. */
  readonly address: string | undefined;
  readonly postalCity: string | undefined;
  /** Addresses and postal codes of residents may be sent too. */
  readonly residents: boolean;
};

export type GeocoderSettings = {
  /** Tells providers whom to contact; empty if nobody is named. */
  readonly contact: string;
  readonly providers: ReadonlyMap<string, ProviderSettings>;
  /** By ISO 3166-1 alpha-2. */
  readonly countries: ReadonlyMap<string, CountrySettings>;
};

/** The server of the OpenStreetMap Foundation: its usage policy is fixed, not a setting. */
const publicNominatimHost = 'nominatim.openstreetmap.org';

/** Throws an Error that names the member and what is expected. */
export function parseGeocoderSettings(file: string): GeocoderSettings {
  const root = parseSettings(file, ['contact', 'providers', 'countries']);
  const contact = text(200)('contact', root['contact'] ?? '');
  if (/[^\x20-\x7E]/.test(contact)) refuse('contact', 'a mail address or a URL, in ASCII');
  const providers = readEach('providers', root['providers'], readProvider);
  const countries = readEach('countries', root['countries'], (path, value, country) =>
    readCountry(path, value, { country, providers }),
  );
  const settings = { contact, providers, countries };
  requirePublicPolicy(settings);
  return settings;
}

function readProvider(path: string, value: unknown): ProviderSettings {
  const { type } = readObject(path, value);
  if (typeof type !== 'string' || !Object.hasOwn(providerTypes, type))
    return refuse(`${path}.type`, `one of ${Object.keys(providerTypes).join(', ')}`);
  const knownType = type as ProviderType;
  const { requests, members } = providerTypes[knownType];
  const isNetwork = requests > 0;
  const known = readObject(path, value, ['type', ...(isNetwork ? Object.keys(networkMembers) : []), ...members]);
  const { city = members.includes('city') ? undefined : 'parish' } = known;
  const foundCity = postcodesIoCities.find((each) => each === city);
  if (foundCity === undefined) return refuse(`${path}.city`, `one of ${postcodesIoCities.join(', ')}`);
  const token = members.includes('token') ? text(500)(`${path}.token`, known['token']) : '';
  if (members.includes('token') && token === '') refuse(`${path}.token`, 'a token');
  const network = isNetwork ? readSome(path, known, networkMembers) : undefined;
  return { type: knownType, network, token, city: foundCity };
}

type CountryContext = { readonly country: string; readonly providers: ReadonlyMap<string, ProviderSettings> };

function readCountry(path: string, value: unknown, { country, providers }: CountryContext): CountrySettings {
  if (!/^[A-Z]{2}$/.test(country)) refuse(path, 'a country code of two capital letters');
  const members = readObject(path, value, ['address', 'postalCity', 'residents']);
  const residents = trueOrFalse(`${path}.residents`, members['residents'] ?? false);
  const read = (search: 'address' | 'postalCity'): string | undefined => {
    const name = members[search];
    if (name === undefined) return undefined;
    const provider = typeof name === 'string' ? providers.get(name) : undefined;
    if (typeof name !== 'string' || provider === undefined)
      return refuse(`${path}.${search}`, `one of the providers: ${[...providers.keys()].join(', ')}`);
    const { searches, countries, otherCountries } = providerTypes[provider.type];
    if (!searches.includes(search)) refuse(`${path}.${search}`, `a provider that finds it; ${provider.type} does not`);
    if (!(countries?.includes(country) ?? true) || (otherCountries?.includes(country) ?? false))
      refuse(`${path}.${search}`, `a provider for ${country}; ${provider.type} is not one`);
    return name;
  };
  const settings = { address: read('address'), postalCity: read('postalCity'), residents };
  if (settings.postalCity !== undefined && !hasPostalRule(country))
    refuse(`${path}.postalCity`, `nothing: no postal code of ${country} is completed`);
  requireFewRequests(path, settings, providers);
  return settings;
}

/** If a call needed more requests than it may send, it would never find the city, or never the coordinates. */
function requireFewRequests(
  path: string,
  { address, postalCity, residents }: CountrySettings,
  providers: ReadonlyMap<string, ProviderSettings>,
): void {
  const find = (name: string | undefined) => {
    const provider = providers.get(name ?? '');
    return { type: provider?.type, requests: provider === undefined ? 0 : providerTypes[provider.type].requests };
  };
  const [forAddress, forCity] = [find(address), find(postalCity)];
  if (forAddress.requests + forCity.requests > maxRequestsOfAddress)
    refuse(
      `${path}.postalCity`,
      `a provider of type postal-table: ${forAddress.type} needs ${forAddress.requests} requests, and a call may send ${maxRequestsOfAddress}`,
    );
  if (residents && forAddress.requests + forCity.requests === 0)
    refuse(`${path}.residents`, 'nothing, since no requests are sent');
}

/** The usage policy: one provider, at most one request per second, with a contact, and never for a person. */
function requirePublicPolicy({ contact, providers, countries }: GeocoderSettings): void {
  const isPublic = (name: string | undefined): boolean =>
    providers.get(name ?? '')?.network?.baseUrl.hostname === publicNominatimHost;
  const names = [...providers.keys()].filter(isPublic);
  for (const name of names) {
    const { requestsPerSecond = 1 } = providers.get(name)?.network ?? {};
    if (requestsPerSecond > 1) refuse(`providers.${name}.requestsPerSecond`, `1 at most for ${publicNominatimHost}`);
    if (contact === '') refuse('contact', `a mail address or a URL, since ${publicNominatimHost} is used`);
    if (names.length > 1) refuse(`providers.${name}`, `one provider at most for ${publicNominatimHost}`);
  }
  for (const [country, { address, postalCity, residents }] of countries) {
    if (residents && (isPublic(address) || isPublic(postalCity)))
      refuse(`countries.${country}.residents`, `false for ${publicNominatimHost}`);
  }
}
