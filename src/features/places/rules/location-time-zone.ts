// Resolves the time zone of a location. The stored text is an IANA name, a Windows name, or not the name of a zone.

import { resolveTimeZone } from '../../../lib/time/time-zone.ts';

/** ISO 3166 country, and an IANA zone. */
export type TenantRegion = { readonly country: string; readonly timeZone: string };

/** The IANA zone of a stored name; the tenant's own zone if the name is unknown. */
export const resolveLocationTimeZone = (stored: string, { country, timeZone }: TenantRegion): string =>
  resolveTimeZone(stored, country) ?? timeZone;

/** Returns a function for the locations of a page, most of which share a zone: each name is resolved once. */
export function createTimeZoneResolver(tenant: TenantRegion): (stored: string) => string {
  const zones = new Map<string, string>();
  return (stored) => {
    const zone = zones.get(stored) ?? resolveLocationTimeZone(stored, tenant);
    zones.set(stored, zone);
    return zone;
  };
}
