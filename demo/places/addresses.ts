// Creates the addresses of demo locations: invented streets, and postcodes in the form of the tenant's country.

import type { Tenant } from '../../src/tenants.ts';

const exampleZips: Readonly<Record<string, readonly string[]>> = {
  DK: ['2100', '8000', '5000', '9000', '6700'],
  NO: ['0150', '5003', '7010', '4006', '9008'],
  SE: ['111 29', '41103', '211 20', '75310', '582 22'],
  DE: ['10115', '20095', '80331', '50667', '01067'],
  GB: ['M1 1AE', 'B33 8TH', 'CR2 6XH', 'DN55 1PT', 'EC1A 1BB'],
  // A postcode has three digits there, and an address is complete without it.
  IS: ['101', '105', '200', '600', '700'],
};

/** The postcode of a location by its number; empty for a country without a rule. */
export function zipOf({ country }: Tenant, number: number): string {
  const known = exampleZips[country] ?? [];
  return known[number % known.length] ?? '';
}
