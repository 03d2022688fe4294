// Reads the operator's choice of hosting adapters from the text of a JSON file. An error names the member that is
// wrong, without its value.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { namesPrivateHost } from '../http-client/public-addresses.ts';
import {
  parseSettingsText,
  readBaseUrl,
  readBoolean,
  readHeaderText,
  readNumber,
  readObject,
  readTextMember,
  readTexts,
  refuse,
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
export type DigitalOceanApp = {
  readonly type: 'digitalocean-app';
  readonly provider: DigitalOceanSettings;
  readonly appId: string;
  readonly component: string | undefined;
};

export type DigitalOceanDatabase = {
  readonly type: 'digitalocean-database';
  readonly provider: DigitalOceanSettings;
  readonly databaseId: string;
  readonly service: string | undefined;
};

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
export function parseHostingSettings(text: string, folder: string): HostingSettings {
  const root = readObject('the file', parseSettingsText(text), ['providers', 'applications']);
  const providers = new Map(
    Object.entries(readObject('providers', root['providers'])).map(([name, value]) => [
      name,
      readProvider(`providers.${name}`, value, folder),
    ]),
  );
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
      const members = readObject(path, value, ['type', 'prometheus', 'loki']);
      const read = (name: 'prometheus' | 'loki') =>
        members[name] === undefined
          ? undefined
          : readEndpoint(`${path}.${name}`, members[name], {
              folder,
              others: name === 'loki' ? ['tenant'] : [],
              rate: ownServerRate,
            });
      const prometheus = read('prometheus');
      const loki = read('loki');
      if (prometheus === undefined && loki === undefined) refuse(path, 'prometheus, loki, or both');
      return { type: found, prometheus, loki };
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
  const { logHosts = digitalOceanLogHosts } = readObject(path, value);
  const hosts = readTexts(`${path}.logHosts`, logHosts, 20).map((host, index) => {
    if (!/^(?=.{1,253}$)[\da-z-]+(\.[\da-z-]+)*$/.test(host))
      refuse(`${path}.logHosts.${index}`, 'a host, in lower case');
    return host;
  });
  const api = readEndpoint(path, value, {
    folder,
    others: ['type', 'logHosts'],
    rate: digitalOceanRate,
    baseUrl: digitalOceanUrl,
  });
  if (api.token === '') refuse(`${path}.tokenFile`, 'a token file or a token');
  return { type: 'digitalocean', api, logHosts: hosts };
}

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
  { folder, others, rate, baseUrl }: EndpointDefaults,
): EndpointSettings {
  const known = ['baseUrl', 'token', 'tokenFile', 'privateNetwork', 'requestsPerMinute', ...others];
  const members = readObject(path, value, known);
  const url = readBaseUrl(`${path}.baseUrl`, members['baseUrl'] ?? baseUrl, 'https://prometheus.example/');
  const isPrivate = readBoolean(`${path}.privateNetwork`, members['privateNetwork'] ?? false);
  const requestsPerMinute = readNumber(
    `${path}.requestsPerMinute`,
    members['requestsPerMinute'] ?? rate.requestsPerMinute,
    [1, 10_000],
    true,
  );
  const token = readToken(path, members, folder);
  // The operator may choose a private host by naming its address.
  const allowsPrivateAddresses = isPrivate || namesPrivateHost(url);
  if (token !== '' && url.protocol === 'http:' && !allowsPrivateAddresses)
    refuse(`${path}.baseUrl`, 'https:, since a token is sent');
  const tenant = members['tenant'];
  return {
    baseUrl: url,
    token,
    headers: tenant === undefined ? {} : { 'x-scope-orgid': readHeaderText(`${path}.tenant`, tenant) },
    allowsPrivateAddresses,
    requestsPerMinute,
    burst: Math.max(1, Math.floor((rate.burst * requestsPerMinute) / rate.requestsPerMinute)),
  };
}

function readToken(path: string, { token, tokenFile }: SettingsMembers, folder: string): string {
  if (token !== undefined && tokenFile !== undefined) refuse(`${path}.token`, 'either a token or a token file');
  if (token !== undefined) return readHeaderText(`${path}.token`, token);
  if (tokenFile === undefined) return '';
  const file = resolve(folder, readTextMember(`${path}.tokenFile`, tokenFile, 4096));
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return refuse(`${path}.tokenFile`, `a file that can be read (${code})`);
  }
  return readHeaderText(`${path}.tokenFile`, text.trim());
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
      return readDigitalOceanResource(path, value, { application, provider });
    case 'prometheus-loki':
      return readQueries(path, value, { application, provider });
    case 'machine':
      readObject(path, value, ['provider']);
      if (application === 'portal-web')
        refuse(`${path}.provider`, 'another provider: machine provides only portal-api, equipment-api and mysql');
      return { type: 'machine' };
  }
}

type OwnResourceContext<P> = { readonly application: HostingApplication; readonly provider: P };

function readDigitalOceanResource(
  path: string,
  value: unknown,
  { application, provider }: OwnResourceContext<DigitalOceanSettings>,
): DigitalOceanApp | DigitalOceanDatabase {
  const readId = (name: string, id: unknown): string => {
    if (typeof id !== 'string' || !/^[\w.-]{1,128}$/.test(id))
      return refuse(`${path}.${name}`, 'an id of the provider');
    return id;
  };
  const readOptionalId = (name: string, id: unknown): string | undefined =>
    id === undefined ? undefined : readId(name, id);
  if (application === 'mysql') {
    const { databaseId, service } = readObject(path, value, ['provider', 'databaseId', 'service']);
    return {
      type: 'digitalocean-database',
      provider,
      databaseId: readId('databaseId', databaseId),
      service: readOptionalId('service', service),
    };
  }
  const { appId, component } = readObject(path, value, ['provider', 'appId', 'component']);
  return {
    type: 'digitalocean-app',
    provider,
    appId: readId('appId', appId),
    component: readOptionalId('component', component),
  };
}

const maxQueryLength = 4096;

function readQueries(
  path: string,
  value: unknown,
  { application, provider }: OwnResourceContext<PrometheusLokiSettings>,
): PrometheusLokiResource {
  const hasLogs = loggedApplications.some((each) => each === application);
  const members = readObject(path, value, ['provider', 'queries', 'labels', ...(hasLogs ? ['logs'] : [])]);
  const names = [...metricsOfApplication(application), ...(hasLogs ? (['bandwidth'] as const) : [])];
  const queries = readObject(`${path}.queries`, members['queries'] ?? {}, names);
  if (Object.keys(queries).length > 0 && provider.prometheus === undefined)
    refuse(`${path}.queries`, 'nothing: the provider has no prometheus');
  const { component = 'job', instance } = readObject(`${path}.labels`, members['labels'] ?? {}, [
    'component',
    'instance',
  ]);
  const { logs } = members;
  if (logs !== undefined && provider.loki === undefined) refuse(`${path}.logs`, 'nothing: the provider has no loki');
  return {
    type: 'prometheus-loki',
    provider,
    queries: Object.fromEntries(
      Object.entries(queries).map(([name, query]) => [name, readQuery(`${path}.queries.${name}`, query)]),
    ),
    componentLabel: readTextMember(`${path}.labels.component`, component, 128),
    instanceLabel: instance === undefined ? undefined : readTextMember(`${path}.labels.instance`, instance, 128),
    logs: logs === undefined ? undefined : readQuery(`${path}.logs`, logs),
  };
}

function readQuery(path: string, value: unknown): string {
  const query = readTextMember(path, value, maxQueryLength);
  return query.trim() === '' ? refuse(path, 'a query') : query;
}
