// The settings of the service in one table, and the config that is read from the environment by it.

import { createSecureContext } from 'node:tls';
import { parseMailFrom, parseSmtpUrl } from './providers/mail/mail-settings.ts';
import {
  matchPattern,
  parseActivationUrl,
  parseAddressRanges,
  parseConnectionLimits,
  parseDomain,
  parseGeocoderFile,
  parseHostingFile,
  parseLiveLogsFile,
  parseMqttBridgeFile,
  parseOneOf,
  parseOrigins,
  parsePemFile,
  parsePort,
  parseRateLimit,
  parseStorage,
  parseSwitch,
  parseTenants,
  parseWholeNumberIn,
} from './setting-parsers.ts';

type Setting<T> = {
  readonly variable: string;
  readonly meaning: string;
  /** Throws an Error that says what it expects. */
  readonly parse: (text: string) => T;
  readonly fallback: string;
};

const setting = <T>(variable: string, meaning: string, parse: (text: string) => T, fallback = ''): Setting<T> => ({
  variable,
  meaning,
  parse,
  fallback,
});

const parseDirectory = matchPattern(/^[^\0]+$/, 'a directory');

export const settings = {
  host: setting(
    'PORTAL_HOST',
    'address to listen on',
    matchPattern(/^[0-9A-Za-z.:_-]{1,255}$/, 'a host name or address'),
    '127.0.0.1',
  ),
  port: setting('PORTAL_PORT', 'port to listen on; 0 takes any free one', parsePort, '8080'),
  equipment: setting(
    'PORTAL_EQUIPMENT',
    'whether `serve` also serves the Equipment API: `off` where `equipment` serves it in a process of its own',
    parseSwitch,
    'on',
  ),
  equipmentPort: setting('PORTAL_EQUIPMENT_PORT', 'the port of `equipment`; 0 takes any free one', parsePort, '8081'),
  domain: setting(
    'PORTAL_DOMAIN',
    'hosts are `api.{tenant}.{domain}` and `beta.api.{tenant}.{domain}`',
    parseDomain,
    'localhost',
  ),
  storage: setting(
    'PORTAL_STORAGE',
    '`sqlite:DIRECTORY`, or `mysql://user:password@host:port/prefix_`, with all nodes of a Galera cluster as `host:port,host:port`; encrypted with `?ssl-mode=VERIFY_IDENTITY&ssl-ca=FILE` behind it',
    parseStorage,
    'sqlite:./data',
  ),
  cache: setting(
    'PORTAL_CACHE',
    'directory of rendered images and graphs; what is in it may be deleted at any time',
    parseDirectory,
    './data/cache',
  ),
  tenants: setting('PORTAL_TENANTS', 'a JSON file in place of the six built-in tenants', parseTenants),
  activationUrl: setting(
    'PORTAL_ACTIVATION_URL',
    'where residents enter their activation code; `{tenant}`, `{domain}` and `{code}` are replaced',
    parseActivationUrl,
    'https://{tenant}.{domain}/activation/{code}',
  ),
  geocoder: setting(
    'PORTAL_GEOCODER',
    'a JSON file of providers of coordinates and postal cities ([geocoding.md](geocoding.md)); none without it',
    parseGeocoderFile,
  ),
  hosting: setting(
    'PORTAL_HOSTING',
    'a JSON file of providers of logs and measurements ([hosting.md](hosting.md)); without it they are of this machine',
    parseHostingFile,
  ),
  hostingState: setting(
    'PORTAL_HOSTING_STATE',
    'directory of what the service has measured of this machine; every service on it has the same',
    parseDirectory,
    './data/hosting',
  ),
  liveLogs: setting(
    'PORTAL_LIVE_LOGS',
    'a JSON file of where other programs show their live logs ([live-logs.md](live-logs.md)); none without it',
    parseLiveLogsFile,
  ),
  mqttBridge: setting(
    'PORTAL_MQTT_BRIDGE',
    'a JSON file of the broker and the computers of the command `mqtt-bridge` ([mqtt.md](mqtt.md))',
    parseMqttBridgeFile,
  ),
  smtp: setting(
    'PORTAL_SMTP_URL',
    'mail server, `smtp://user:password@host:587` or `smtps://user:password@host:465`; without it mails go into `PORTAL_MAIL_OUTBOX`',
    parseSmtpUrl,
  ),
  mailFrom: setting(
    'PORTAL_MAIL_FROM',
    'sender of mails, `portal@example.org` or `Portal <portal@example.org>`; needed with `PORTAL_SMTP_URL`',
    parseMailFrom,
  ),
  mailOutbox: setting(
    'PORTAL_MAIL_OUTBOX',
    'directory of the newest 100 mails, where there is no mail server: they hold codes that verify addresses',
    parseDirectory,
    './data/outbox',
  ),
  releases: setting(
    'PORTAL_RELEASES',
    'directory of the releases of the Windows app ([releases.md](releases.md)); none without it, or those of the demo',
    matchPattern(/^[^\0]*$/, 'a directory'),
  ),
  publicScheme: setting(
    'PORTAL_PUBLIC_SCHEME',
    '`https` where a proxy in front of the service ends TLS: the installation file of the Windows app names it; without it, the scheme of the connection',
    parseOneOf('', 'http', 'https'),
  ),
  allowedOrigins: setting('PORTAL_ALLOWED_ORIGINS', 'comma-separated exact origins of browser clients', parseOrigins),
  tlsCert: setting('PORTAL_TLS_CERT', 'certificate chain (PEM file); turns on HTTPS with HTTP/2', parsePemFile),
  tlsKey: setting('PORTAL_TLS_KEY', 'private key of the certificate (PEM file)', parsePemFile),
  metricsPort: setting(
    'PORTAL_METRICS_PORT',
    'port of the loopback listener of `/metrics`, `/livez` and `/readyz`; 0 takes any free one',
    parsePort,
    '9464',
  ),
  logLevel: setting(
    'PORTAL_LOG_LEVEL',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    parseOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
  ),
  rateLimit: setting(
    'PORTAL_RATE_LIMIT',
    'requests a minute of a principal and of an address, or `off`',
    parseRateLimit,
    '6000,12000',
  ),
  workers: setting(
    'PORTAL_WORKERS',
    'processes that serve on one port, from 1 to 64 ([Workers](#workers))',
    parseWholeNumberIn(1, 64),
    '1',
  ),
  stopDelaySeconds: setting(
    'PORTAL_STOP_DELAY',
    'seconds from a stop signal to the end, in which requests are served while `/readyz` is 503, up to 600',
    parseWholeNumberIn(0, 600),
    '0',
  ),
  connections: setting(
    'PORTAL_CONNECTIONS',
    'open connections in all and of an address; trusted proxies have no limit of their own',
    parseConnectionLimits,
    '10000,256',
  ),
  trustedProxies: setting(
    'PORTAL_TRUSTED_PROXIES',
    'comma-separated addresses and CIDR ranges of proxies whose `X-Forwarded-For` or `Forwarded` names the client',
    parseAddressRanges,
  ),
  simulator: setting(
    'PORTAL_SIMULATOR',
    'under `--demo`, changes the demo data over time and simulates the device gateway: `on` or `off`',
    parseSwitch,
    'on',
  ),
};

type Settings = typeof settings;

export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]['parse']> };

/** A setting with an invalid value. The message names the variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Throws ConfigError. */
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
  requireUsableTls(config);
  if (config.smtp !== undefined && config.mailFrom === undefined)
    throw new ConfigError('PORTAL_MAIL_FROM must be set together with PORTAL_SMTP_URL');
  return config;
}

function requireUsableTls({ tlsCert, tlsKey }: Config): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new ConfigError('PORTAL_TLS_CERT and PORTAL_TLS_KEY must be set together: one of them is missing');
  }
  try {
    createSecureContext({ cert: tlsCert, key: tlsKey });
  } catch (error) {
    throw new ConfigError(
      `PORTAL_TLS_CERT and PORTAL_TLS_KEY are not a valid certificate and its private key: ${errorMessageOf(error)}`,
    );
  }
}

const errorMessageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Variables that look like settings of this service but are none: they are probably misspelt. */
export function unknownSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(settings).map(({ variable }) => variable));
  return Object.keys(environment).filter((variable) => variable.startsWith('PORTAL_') && !known.has(variable));
}
