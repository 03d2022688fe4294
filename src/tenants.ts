// The tenants of a deployment: the six built-in ones, or those of a JSON file of the same shape.

import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { tenantNamePattern } from './lib/kid.ts';
import { resolveTimeZone } from './lib/time-zone.ts';

const TenantSchema = Type.Object(
  {
    name: Type.String({ pattern: `^${tenantNamePattern}$` }),
    displayName: Type.String({ minLength: 1, maxLength: 100 }),
    /** ISO 3166-1 alpha-2. */
    country: Type.String({ pattern: '^[A-Z]{2}$' }),
    /** ISO 4217. */
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    /** IANA. */
    timeZone: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);

export type Tenant = Static<typeof TenantSchema>;

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
  if (!Check(Type.Array(TenantSchema, { minItems: 1, maxItems: 100 }), tenants)) {
    throw new Error('expected a JSON array of {name, displayName, country, currency, timeZone}');
  }
  const names = new Set(tenants.map(({ name }) => name));
  if (names.size !== tenants.length) throw new Error('two tenants have the same name');
  for (const { name, timeZone } of tenants) {
    if (resolveTimeZone(timeZone) !== timeZone) throw new Error(`tenant ${name}: unknown time zone ${timeZone}`);
  }
  return tenants;
}
