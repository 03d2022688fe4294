// Reads the operator's choice of hosting adapters from the text of a JSON file. An error names the member that is
// wrong, without its value.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { namesPrivateHost } from '../http-client/public-addresses.ts';
import {
  baseUrl,
  headerText,
  number,
  optional,
  orDefault,
  parseSettings,
  readEach,
  readMembers,
  readObject,
  readSome,
  refuse,
  text,
  textLike,
  trueOrFalse,
  type SettingsMembers,
} from '../settings-members.ts';
import {
  hostingApplications,
  hostingEnvironments,
  loggedApplications,
  metricsOfApplication,
  type HostingApplication,
  type HostingEnvironment,
  type MetricName,
} from './hosting.ts';

/** A server that is called over HTTP. */
export type EndpointSettings = {
  /** Ends with a slash. */
  readonly baseUrl: URL;
  /** Empty: no token is sent. */
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowsPrivateAddresses: boolean;
  readonly requestsPerMinute: number;
  /** How many requests may be sent at once. */
  readonly burst: number;
};

export type DigitalOceanSettings = {
  readonly type: 'digitalocean';
  readonly api: EndpointSettings;
  /** Signed URLs of logs may point only to these hosts and their subdomains. */
  readonly logHosts: readonly string[];
};

type PrometheusLokiSettings = {
  readonly type: 'prometheus-loki';
  readonly prometheus: EndpointSettings | undefined;
  readonly loki: EndpointSettings | undefined;
};

type HostingProviderSettings = DigitalOceanSettings | PrometheusLokiSettings | { readonly type: 'machine' };

/** The identity of an application at its provider. */
export type DigitalOceanApp = ReturnType<typeof readDigitalOceanApp>;
export type DigitalOceanDatabase = ReturnType<typeof readDigitalOceanDatabase>;

export type PrometheusLokiResource = {
  readonly type: 'prometheus-loki';
  readonly provider: PrometheusLokiSettings;
  /** PromQL. */
  readonly queries: Readonly<Partial<Record<MetricName | 'bandwidth', string>>>;
  readonly componentLabel: string | undefined;
  readonly instanceLabel: string | undefined;
  /** LogQL. */
  readonly logs: string | undefined;
};

export type HostingResource =
  | DigitalOceanApp
  | DigitalOceanDatabase
  | PrometheusLokiResource
  | { readonly type: 'machine' };

export type HostingSettings = {
  readonly resources: Readonly<
    Record<HostingEnvironment, Readonly<Partial<Record<HostingApplication, HostingResource>>>>
  >;
};

/** Token files with relative paths are below `folder`. Throws an Error that names the member and what is expected. */
export function parseHostingSettings(file: string, folder: string): HostingSettings {
  const root = parseSettings(file, ['providers', 'applications']);
  const providers = readEach('providers', root['providers'], (path, value) => readProvider(path, value, folder));
  const applications = readObject('applications', root['applications'], hostingEnvironments);
  const readEnvironment = (environment: HostingEnvironment) =>
    readApplications(`applications.${environment}`, applications[environment] ?? {}, providers);
  return { resources: { beta: readEnvironment('beta'), production: readEnvironment('production') } };
}

const providerTypes = ['digitalocean', 'prometheus-loki', 'machine'] as const;

function readProvider(path: string, value: unknown, folder: string): HostingProviderSettings {
  const { type } = readObject(path, value);
  const found = providerTypes.find((each) => each === type);
  switch (found) {
    case 'digitalocean':
      return readDigitalOcean(path, value, folder);
    case 'prometheus-loki': {
      const readServer = (others: readonly string[]) =>
        optional((ownPath, own) => readEndpoint(ownPath, own, { folder, others, rate: ownServerRate }));
      const readers = { type: () => found, prometheus: readServer([]), loki: readServer(['tenant']) };
      const provider = readMembers(path, value, readers);
      if (provider.prometheus === undefined && provider.loki === undefined) refuse(path, 'prometheus, loki, or both');
      return provider;
    }
    case 'machine':
      readObject(path, value, ['type']);
      return { type: found };
    case undefined:
      return refuse(`${path}.type`, `one of ${providerTypes.join(', ')}`);
  }
}

type Rate = Pick<EndpointSettings, 'requestsPerMinute' | 'burst'>;

/** Within 250 requests in any minute (150 + 80), and 5,000 in any hour (150 + 4,800). */
const digitalOceanRate: Rate = { requestsPerMinute: 80, burst: 150 };
const ownServerRate: Rate = { requestsPerMinute: 240, burst: 240 };

const digitalOceanUrl = 'https://api.digitalocean.com/';
const digitalOceanLogHosts = ['ondigitalocean.app', 'digitalocean.com', 'digitaloceanspaces.com'];

function readDigitalOcean(path: string, value: unknown, folder: string): DigitalOceanSettings {
  const { logHosts: hosts = digitalOceanLogHosts } = readObject(path, value);
  if (!Array.isArray(hosts) || hosts.length > 20 || !hosts.every((each) => typeof each === 'string'))
    return refuse(`${path}.logHosts`, 'a list of at most 20 texts');
  const logHosts = hosts.map((host, index) => hostName(`${path}.logHosts.${index}`, host));
  const api = readEndpoint(path, value, {
    folder,
    others: ['type', 'logHosts'],
    rate: digitalOceanRate,
    baseUrl: digitalOceanUrl,
  });
  if (api.token === '') refuse(`${path}.tokenFile`, 'a token file or a token');
  return { type: 'digitalocean', api, logHosts };
}

const hostName = textLike(/^(?=.{1,253}$)[\da-z-]+(\.[\da-z-]+)*$/, 'a host, in lower case');

type EndpointDefaults = {
  readonly folder: string;
  /** Members in addition to those of every endpoint. */
  readonly others: readonly string[];
  readonly rate: Rate;
  readonly baseUrl?: string;
};

function readEndpoint(
  path: string,
  value: unknown,
  { folder, others, rate, baseUrl: usualUrl }: EndpointDefaults,
): EndpointSettings {
  const known = ['baseUrl', 'token', 'tokenFile', 'privateNetwork', 'requestsPerMinute', ...others];
  const members = readObject(path, value, known);
  const endpoint = readSome(path, members, {
    baseUrl: orDefault(usualUrl, baseUrl('https://prometheus.example/')),
    privateNetwork: orDefault(false, trueOrFalse),
    requestsPerMinute: orDefault(rate.requestsPerMinute, number([1, 10_000], true)),
  });
  const { requestsPerMinute } = endpoint;
  const token = readToken(path, members, folder);
  // The operator may choose a private host by naming its address.
  const allowsPrivateAddresses = endpoint.privateNetwork || namesPrivateHost(endpoint.baseUrl);
  if (token !== '' && endpoint.baseUrl.protocol === 'http:' && !allowsPrivateAddresses)
    refuse(`${path}.baseUrl`, 'https:, since a token is sent');
  const tenant = optional(headerText)(`${path}.tenant`, members['tenant']);
  return {
    baseUrl: endpoint.baseUrl,
    token,
    headers: tenant === undefined ? {} : { 'x-scope-orgid': tenant },
    allowsPrivateAddresses,
    requestsPerMinute,
    burst: Math.max(1, Math.floor((rate.burst * requestsPerMinute) / rate.requestsPerMinute)),
  };
}

function readToken(path: string, { token, tokenFile }: SettingsMembers, folder: string): string {
  if (token !== undefined && tokenFile !== undefined) refuse(`${path}.token`, 'either a token or a token file');
  if (token !== undefined) return headerText(`${path}.token`, token);
  if (tokenFile === undefined) return '';
  const file = resolve(folder, text(4096)(`${path}.tokenFile`, tokenFile));
  let contents: string;
  try {
    contents = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return refuse(`${path}.tokenFile`, `a file that can be read (${code})`);
  }
  return headerText(`${path}.tokenFile`, contents.trim());
}

function readApplications(
  path: string,
  value: unknown,
  providers: ReadonlyMap<string, HostingProviderSettings>,
): Partial<Record<HostingApplication, HostingResource>> {
  const members = readObject(path, value, hostingApplications);
  const resources: Partial<Record<HostingApplication, HostingResource>> = {};
  for (const application of hostingApplications) {
    const resource = members[application];
    if (resource !== undefined)
      resources[application] = readResource(`${path}.${application}`, resource, { application, providers });
  }
  return resources;
}

type ResourceContext = {
  readonly application: HostingApplication;
  readonly providers: ReadonlyMap<string, HostingProviderSettings>;
};

function readResource(path: string, value: unknown, { application, providers }: ResourceContext): HostingResource {
  const { provider: providerName } = readObject(path, value);
  const provider = typeof providerName === 'string' ? providers.get(providerName) : undefined;
  if (typeof providerName !== 'string' || provider === undefined)
    return refuse(`${path}.provider`, `one of the providers: ${[...providers.keys()].join(', ')}`);
  switch (provider.type) {
    case 'digitalocean':
      return application === 'mysql'
        ? readDigitalOceanDatabase(path, value, provider)
        : readDigitalOceanApp(path, value, provider);
    case 'prometheus-loki':
      return readQueries(path, value, { application, provider });
    case 'machine':
      readObject(path, value, ['provider']);
      if (application === 'portal-web')
        refuse(`${path}.provider`, 'another provider: machine provides only portal-api, equipment-api and mysql');
      return { type: 'machine' };
  }
}

const providerId = textLike(/^[\w.-]{1,128}$/, 'an id of the provider');

const readDigitalOceanApp = (path: string, value: unknown, provider: DigitalOceanSettings) => ({
  type: 'digitalocean-app' as const,
  ...readMembers(path, value, { provider: () => provider, appId: providerId, component: optional(providerId) }),
});

const readDigitalOceanDatabase = (path: string, value: unknown, provider: DigitalOceanSettings) => ({
  type: 'digitalocean-database' as const,
  ...readMembers(path, value, { provider: () => provider, databaseId: providerId, service: optional(providerId) }),
});

type QueriesContext = { readonly application: HostingApplication; readonly provider: PrometheusLokiSettings };

function readQueries(path: string, value: unknown, { application, provider }: QueriesContext): PrometheusLokiResource {
  const hasLogs = loggedApplications.some((each) => each === application);
  const members = readObject(path, value, ['provider', 'queries', 'labels', ...(hasLogs ? ['logs'] : [])]);
  const names = [...metricsOfApplication(application), ...(hasLogs ? (['bandwidth'] as const) : [])];
  const queries = readObject(`${path}.queries`, members['queries'] ?? {}, names);
  if (Object.keys(queries).length > 0 && provider.prometheus === undefined)
    refuse(`${path}.queries`, 'nothing: the provider has no prometheus');
  const labels = readMembers(`${path}.labels`, members['labels'] ?? {}, {
    component: (ownPath, label = 'job') => text(128)(ownPath, label),
    instance: optional(text(128)),
  });
  const { logs } = members;
  if (logs !== undefined && provider.loki === undefined) refuse(`${path}.logs`, 'nothing: the provider has no loki');
  return {
    type: 'prometheus-loki',
    provider,
    queries: Object.fromEntries(readEach(`${path}.queries`, queries, readQuery)),
    componentLabel: labels.component,
    instanceLabel: labels.instance,
    logs: optional(readQuery)(`${path}.logs`, logs),
  };
}

function readQuery(path: string, value: unknown): string {
  const query = text(4096)(path, value);
  return query.trim() === '' ? refuse(path, 'a query') : query;
}
