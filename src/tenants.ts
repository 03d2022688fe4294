// The tenants of a deployment: the six built-in ones, or those of a JSON file of the same shape.

import { readFileSync } from 'node:fs';
import { tenantNamePattern } from './lib/kid.ts';
import { resolveTimeZone } from './lib/time/time-zone.ts';

export type Tenant = {
  readonly name: string;
  readonly displayName: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
  /** IANA. */
  readonly timeZone: string;
};

// Every command reads them: a validator of schemas would take longer to load than the rest of most commands.
const propertyPatterns: Readonly<Record<keyof Tenant, RegExp>> = {
  name: new RegExp(`^${tenantNamePattern}$`),
  displayName: /^.{1,100}$/su,
  country: /^[A-Z]{2}$/,
  currency: /^[A-Z]{3}$/,
  timeZone: /^.{0,64}$/su,
};
const maxTenants = 100;

const createTenant = (
  name: string,
  displayName: string,
  country: string,
  currency: string,
  timeZone: string,
): Tenant => ({
  name,
  displayName,
  country,
  currency,
  timeZone,
});

export const builtInTenants: readonly Tenant[] = [
  createTenant('sund', 'Sund', 'DK', 'DKK', 'Europe/Copenhagen'),
  createTenant('fjord', 'Fjord', 'NO', 'NOK', 'Europe/Oslo'),
  createTenant('malar', 'Mälar', 'SE', 'SEK', 'Europe/Stockholm'),
  createTenant('linden', 'Linden', 'DE', 'EUR', 'Europe/Berlin'),
  createTenant('thames', 'Thames', 'GB', 'GBP', 'Europe/London'),
  createTenant('island', 'Ísland', 'IS', 'ISK', 'Atlantic/Reykjavik'),
];

/** Reads a tenants file. Throws an Error whose message is fit for the operator. */
export function readTenants(file: string): readonly Tenant[] {
  const tenants: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isTenantList(tenants))
    throw new Error('expected a JSON array of {name, displayName, country, currency, timeZone}');
  const names = new Set(tenants.map(({ name }) => name));
  if (names.size !== tenants.length) throw new Error('two tenants have the same name');
  for (const { name, timeZone } of tenants) {
    if (resolveTimeZone(timeZone) !== timeZone) throw new Error(`tenant ${name}: unknown time zone ${timeZone}`);
  }
  return tenants;
}

const isTenantList = (value: unknown): value is Tenant[] =>
  Array.isArray(value) && value.length > 0 && value.length <= maxTenants && value.every(isTenant);

/** Whether it has these properties, each as it has to be, and no others. */
function isTenant(value: unknown): value is Tenant {
  if (typeof value !== 'object' || value === null) return false;
  const properties = new Map<string, unknown>(Object.entries(value));
  const patterns = Object.entries(propertyPatterns);
  return (
    properties.size === patterns.length &&
    patterns.every(([name, pattern]) => {
      const property = properties.get(name);
      return typeof property === 'string' && pattern.test(property);
    })
  );
}
