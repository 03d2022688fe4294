// The clock at each location of a bank.

import { resolveTimeZone } from '../../../lib/time-zone.ts';
import type { LocationRow } from '../queries/bank-and-resident.ts';
import type { GetLocationClock } from './grouping.ts';
import { LocalClock } from '../../../lib/local-clock.ts';

/** The tenant's where there is no location, or one with an unheard-of zone. */
export function createLocationClocks(
  locations: ReadonlyMap<number, LocationRow>,
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
