// One schema of settings -> one frozen Config. A wrong value is refused at start under its variable's name.

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { StorageAddress } from './database/databases.ts';
import { builtInTenants, readTenants, type Tenant } from './tenants.ts';

export type RateLimit = { readonly principalPerMinute: number; readonly addressPerMinute: number };

type Setting<T> = {
  readonly variable: string;
  readonly fallback: string;
  readonly meaning: string;
  /** Throws an Error that says what was expected. */
  readonly parse: (text: string) => T;
};

const setting = <T>(variable: string, fallback: string, meaning: string, parse: (text: string) => T): Setting<T> => ({
  variable,
  fallback,
  meaning,
  parse,
});

const matchPattern =
  (pattern: RegExp, expected: string) =>
  (value: string): string => {
    if (!pattern.test(value)) throw new Error(`expected ${expected}`);
    return value;
  };

const parsePort = (value: string): number => {
  const number = Number(value);
  if (!/^\d{1,5}$/.test(value) || number > 65535) throw new Error('expected a port from 0 to 65535');
  return number;
};

const parseOneOf =
  <const T extends string>(...values: T[]) =>
  (value: string): T => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`expected one of ${values.join(', ')}`);
    return found;
  };

function parseStorage(value: string): StorageAddress {
  if (value.startsWith('sqlite:') && value.length > 'sqlite:'.length) {
    return { engine: 'sqlite', directory: value.slice('sqlite:'.length) };
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const prefix = url?.pathname.slice(1) ?? '';
  if (
    url?.protocol !== 'mysql:' ||
    url.hostname === '' ||
    url.search + url.hash !== '' ||
    !/^[A-Za-z0-9_]{1,32}$/.test(prefix)
  ) {
    throw new Error('expected sqlite:DIRECTORY or mysql://user:password@host:port/prefix_');
  }
  return {
    engine: 'mysql',
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    prefix,
  };
}

function parseOrigins(value: string): readonly string[] {
  const origins = value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  for (const origin of origins) {
    if (origin.includes('*') || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error('expected comma-separated origins such as https://portal.example');
    }
  }
  return origins;
}

function parseRateLimit(value: string): RateLimit | undefined {
  if (value === 'off') return undefined;
  const [, principal, address] = /^([1-9]\d{0,8})(?:,([1-9]\d{0,8}))?$/.exec(value) ?? [];
  if (principal === undefined) throw new Error('expected PRINCIPAL,ADDRESS in requests a minute, or off');
  const principalPerMinute = Number(principal);
  return { principalPerMinute, addressPerMinute: address === undefined ? principalPerMinute * 2 : Number(address) };
}

export const settings = {
  host: setting(
    'PORTAL_HOST',
    '127.0.0.1',
    'address to listen on',
    matchPattern(/^[0-9A-Za-z.:_-]{1,255}$/, 'a host name or address'),
  ),
  port: setting('PORTAL_PORT', '8080', 'port to listen on; 0 takes any free one', parsePort),
  domain: setting(
    'PORTAL_DOMAIN',
    'localhost',
    'hosts are `api.{tenant}.{domain}` and `beta.api.{tenant}.{domain}`',
    (value) => matchPattern(/^[0-9A-Za-z]([0-9A-Za-z.-]{0,200}[0-9A-Za-z])?$/, 'a domain name')(value).toLowerCase(),
  ),
  storage: setting(
    'PORTAL_STORAGE',
    'sqlite:./data',
    '`sqlite:DIRECTORY`, or `mysql://user:password@host:port/prefix_`',
    parseStorage,
  ),
  cache: setting(
    'PORTAL_CACHE',
    './data/cache',
    'directory of rendered images; what is in it may be deleted at any time',
    matchPattern(/^[^\0]+$/, 'a directory'),
  ),
  tenants: setting(
    'PORTAL_TENANTS',
    '',
    'a JSON file in place of the six built-in tenants',
    (file): readonly Tenant[] => (file === '' ? builtInTenants : readTenants(file)),
  ),
  allowedOrigins: setting(
    'PORTAL_ALLOWED_ORIGINS',
    '',
    'comma-separated exact origins of browser clients',
    parseOrigins,
  ),
  tlsCert: setting('PORTAL_TLS_CERT', '', 'certificate chain (PEM file); turns on HTTPS with HTTP/2', readPem),
  tlsKey: setting('PORTAL_TLS_KEY', '', 'private key of the certificate (PEM file)', readPem),
  metricsPort: setting(
    'PORTAL_METRICS_PORT',
    '9464',
    'port of the loopback listener of `/metrics`; 0 takes any free one',
    parsePort,
  ),
  logLevel: setting(
    'PORTAL_LOG_LEVEL',
    'info',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    parseOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  rateLimit: setting(
    'PORTAL_RATE_LIMIT',
    '6000,12000',
    'requests a minute of a principal and of an address, or `off`',
    parseRateLimit,
  ),
  simulator: setting(
    'PORTAL_SIMULATOR',
    'on',
    'under `--demo`, keeps the demo data moving and plays the devices’ gateway: `on` or `off`',
    (value) => parseOneOf('on', 'off')(value) === 'on',
  ),
};

function readPem(file: string): string | undefined {
  return file === '' ? undefined : readFileSync(file, 'utf8');
}

type Settings = typeof settings;

export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]['parse']> };

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Reads every setting from the environment given. Throws ConfigError. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const read = ({ variable, fallback, parse }: Setting<unknown>): unknown => {
    try {
      return parse(environment[variable] ?? fallback);
    } catch (error) {
      throw new ConfigError(`${variable}: ${errorMessageOf(error)}`);
    }
  };
  const entries = Object.entries(settings).map(([name, each]) => [name, read(each)]);
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    throw new ConfigError('PORTAL_TLS_CERT and PORTAL_TLS_KEY go together: one of them is missing');
  }
  try {
    createSecureContext({ cert: config.tlsCert, key: config.tlsKey });
  } catch (error) {
    throw new ConfigError(
      `PORTAL_TLS_CERT and PORTAL_TLS_KEY hold no certificate with its key: ${errorMessageOf(error)}`,
    );
  }
  return config;
}

const errorMessageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Variables that look like settings of this service but are none: most likely misspelt. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(settings).map(({ variable }) => variable));
  return Object.keys(environment).filter((variable) => variable.startsWith('PORTAL_') && !known.has(variable));
}
