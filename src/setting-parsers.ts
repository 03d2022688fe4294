// Parses the values of settings. Each parser throws an Error that says what it expects.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { MysqlNode, StorageAddress } from './database/storage-address.ts';
import { parseMysqlTls } from './mysql-tls-setting.ts';
import { parseGeocoderSettings } from './providers/geocoding/geocoder-settings.ts';
import { parseHostingSettings } from './providers/hosting/hosting-settings.ts';
import { parseBridgeSettings } from './providers/mqtt/bridge-settings.ts';
import { parseLiveLogSettings } from './providers/live-logs/live-log-settings.ts';
import { builtInTenants, readTenants, type Tenant } from './tenants.ts';

export type RateLimit = { readonly principalPerMinute: number; readonly addressPerMinute: number };

export type ConnectionLimits = { readonly total: number; readonly perAddress: number };

export type AddressRange = { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' };

export const matchPattern =
  (pattern: RegExp, expected: string) =>
  (value: string): string => {
    if (!pattern.test(value)) throw new Error(`expected ${expected}`);
    return value;
  };

export const parsePort = (value: string): number => {
  const number = Number(value);
  if (!/^\d{1,5}$/.test(value) || number > 65535) throw new Error('expected a port from 0 to 65535');
  return number;
};

export const parseWholeNumberIn =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d{1,9}$/.test(value) || number < least || number > most)
      throw new Error(`expected a whole number from ${least} to ${most}`);
    return number;
  };

export const parseOneOf =
  <const T extends string>(...values: T[]) =>
  (value: string): T => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`expected one of ${values.join(', ')}`);
    return found;
  };

export function parseStorage(value: string): StorageAddress {
  if (value.startsWith('sqlite:') && value.length > 'sqlite:'.length) {
    return { engine: 'sqlite', directory: value.slice('sqlite:'.length) };
  }
  const [, user = '', password = '', hosts = '', prefix = '', query = ''] =
    /^mysql:\/\/(?:([^@/:]*)(?::([^@/]*))?@)?([^@/?#]+)\/([A-Za-z0-9_]{1,32})(?:\?([^#]*))?$/.exec(value) ?? [];
  const [first, ...others] = hosts.split(',').map(parseMysqlNode);
  try {
    if (first === undefined || others.includes(undefined)) throw new URIError();
    const nodes = [first, ...others.filter((node) => node !== undefined)] as const;
    const login = { user: decodeURIComponent(user), password: decodeURIComponent(password) };
    const tls = parseMysqlTls(query);
    return { engine: 'mysql', nodes, ...login, prefix, ...(tls === undefined ? {} : { tls }) };
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new Error('expected sqlite:DIRECTORY or mysql://user:password@host:port,host:port/prefix_', { cause: error });
  }
}

/** `host` or `host:port`; undefined for anything else. */
function parseMysqlNode(text: string): MysqlNode | undefined {
  const url = URL.canParse(`mysql://${text}`) ? new URL(`mysql://${text}`) : undefined;
  if (url === undefined || url.hostname === '') return undefined;
  return { host: url.hostname.replaceAll(/[[\]]/g, ''), port: url.port === '' ? 3306 : Number(url.port) };
}

export function parseActivationUrl(value: string): string {
  const sample = value.replaceAll('{tenant}', 'tenant').replaceAll('{domain}', 'domain').replaceAll('{code}', 'code');
  if (
    !value.includes('{code}') ||
    /[{}]/.test(sample) ||
    !URL.canParse(sample) ||
    !/^https?:$/.test(new URL(sample).protocol)
  )
    throw new Error('expected an http or https URL with {code} in it');
  return value;
}

const splitList = (value: string): string[] =>
  value.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));

export function parseOrigins(value: string): readonly string[] {
  const origins = splitList(value);
  for (const origin of origins) {
    if (origin.includes('*') || !URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new Error('expected comma-separated origins such as https://portal.example');
    }
  }
  return origins;
}

export const parseAddressRanges = (value: string): readonly AddressRange[] => splitList(value).map(parseAddressRange);

function parseAddressRange(text: string): AddressRange {
  const [, address = '', prefixText] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  const maxPrefix = version === 4 ? 32 : 128;
  const prefix = prefixText === undefined ? maxPrefix : Number(prefixText);
  // A prefix of 0 would trust every client to name any address.
  if (version === 0 || prefix < 1 || prefix > maxPrefix)
    throw new Error('expected comma-separated addresses or CIDR ranges such as 10.0.0.0/8 or 2001:db8::/32');
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

export function parseConnectionLimits(value: string): ConnectionLimits {
  const [, total, perAddress] = /^([1-9]\d{0,6}),([1-9]\d{0,6})$/.exec(value) ?? [];
  if (total === undefined || perAddress === undefined) throw new Error('expected TOTAL,ADDRESS in connections');
  return { total: Number(total), perAddress: Number(perAddress) };
}

export function parseRateLimit(value: string): RateLimit | undefined {
  if (value === 'off') return undefined;
  const [, principal, address] = /^([1-9]\d{0,8})(?:,([1-9]\d{0,8}))?$/.exec(value) ?? [];
  if (principal === undefined) throw new Error('expected PRINCIPAL,ADDRESS in requests a minute, or off');
  const principalPerMinute = Number(principal);
  return { principalPerMinute, addressPerMinute: address === undefined ? principalPerMinute * 2 : Number(address) };
}

const parseDomainName = matchPattern(/^[0-9A-Za-z]([0-9A-Za-z.-]{0,200}[0-9A-Za-z])?$/, 'a domain name');

export const parseDomain = (value: string): string => parseDomainName(value).toLowerCase();

/** The built-in tenants are used if no file is named. */
export const parseTenants = (file: string): readonly Tenant[] => (file === '' ? builtInTenants : readTenants(file));

/** Parses the file that a setting names, whose relative paths start in its folder. */
const parseFile =
  <T, M>(parse: (text: string, folder: string) => T, withoutFile: M) =>
  (file: string): T | M =>
    file === '' ? withoutFile : parse(readFileSync(file, 'utf8'), dirname(resolve(file)));

/** No provider is configured if no file is named. */
export const parseGeocoderFile = parseFile(parseGeocoderSettings, undefined);

/** This machine is looked at if no file is named. */
export const parseHostingFile = parseFile(parseHostingSettings, undefined);

/** No source of live logs is configured if no file is named. */
export const parseLiveLogsFile = parseFile(parseLiveLogSettings, {});

/** There is no bridge if no file is named. */
export const parseMqttBridgeFile = parseFile(parseBridgeSettings, undefined);

/** The content of a PEM file; undefined without a file. */
export const parsePemFile = parseFile((text) => text, undefined);

const parseOnOrOff = parseOneOf('on', 'off');

export const parseSwitch = (value: string): boolean => parseOnOrOff(value) === 'on';
