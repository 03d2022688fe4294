// The clock at each location of a bank.

import { resolveTimeZone } from '../../lib/time-zone.ts';
import type { Location } from './queries/head.ts';
import type { ClockOf } from './rules/grouping.ts';
import { LocalClock } from './rules/local-clock.ts';

/** The tenant's where there is no location, or one with an unheard-of zone. */
export function clocksOf(locations: ReadonlyMap<number, Location>, tenantZone: string): ClockOf {
  const known = new Map<number, LocalClock>();
  return (locationId) => {
    let clock = known.get(locationId);
    if (clock === undefined) {
      clock = new LocalClock(resolveTimeZone(locations.get(locationId)?.time_zone ?? '') ?? tenantZone);
      known.set(locationId, clock);
    }
    return clock;
  };
}
