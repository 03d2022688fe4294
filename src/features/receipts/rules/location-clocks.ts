// Provides the local clock of each location of a bank.

import { LocalClock } from '../../../lib/local-clock.ts';
import { resolveTimeZone } from '../../../lib/time-zone.ts';
import type { GetLocationClock } from './grouping.ts';

/** The clock of the tenant's time zone applies without a location, and to a location with an unknown time zone. */
export function createLocationClocks(
  locations: ReadonlyMap<number, { readonly time_zone: string }>,
  tenantTimeZone: string,
): GetLocationClock {
  const clocks = new Map<number, LocalClock>();
  return (locationId) => {
    let clock = clocks.get(locationId);
    if (clock === undefined) {
      clock = new LocalClock(resolveTimeZone(locations.get(locationId)?.time_zone ?? '') ?? tenantTimeZone);
      clocks.set(locationId, clock);
    }
    return clock;
  };
}
