// Which clock a location goes by. Its zone is stored as whoever wrote it spelled it, by its IANA or its Windows name, or
// as nothing that anyone knows.

import { LRUCache } from 'lru-cache';
import { resolveTimeZone } from '../../../lib/time-zone.ts';

/** ISO 3166 country, and an IANA zone. */
type TenantRegion = { readonly country: string; readonly timeZone: string };

// A page of bookings asks for each of its rows, and many locations have one zone.
const resolvedTimeZones = new LRUCache<string, string>({ max: 500 });

/** The IANA zone that a stored name means to a tenant; what is not known is the tenant's own. */
export function resolveLocationTimeZone(stored: string, { country, timeZone }: TenantRegion): string {
  const key = JSON.stringify([stored, country, timeZone]);
  const known = resolvedTimeZones.get(key);
  if (known !== undefined) return known;
  const zone = resolveTimeZone(stored, country) ?? timeZone;
  resolvedTimeZones.set(key, zone);
  return zone;
}
