// Where demo locations are: streets that no town has, and postcodes that look like those of the tenant's country.

import type { Tenant } from '../../tenants.ts';

const exampleZips: Readonly<Record<string, readonly string[]>> = {
  DK: ['2100', '8000', '5000', '9000', '6700'],
  NO: ['0150', '5003', '7010', '4006', '9008'],
  SE: ['111 29', '41103', '211 20', '75310', '582 22'],
  DE: ['10115', '20095', '80331', '50667', '01067'],
  GB: ['M1 1AE', 'B33 8TH', 'CR2 6XH', 'DN55 1PT', 'EC1A 1BB'],
  // Three digits: an address is complete without them.
  IS: ['101', '105', '200', '600', '700'],
};

/** A postcode by the location's number; empty in a country that has none here. */
export function zipOf({ country }: Tenant, number: number): string {
  const known = exampleZips[country] ?? [];
  return known[number % known.length] ?? '';
}
