// Reading the opening hours of a location: all of it in one turn to storage.

import type { Db } from '../../../database/db.ts';
import { formatKid, type KidOf } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/ms2000.ts';
import { todayIn } from '../../../lib/time-zone.ts';
import { requireCoveredLocation } from '../../../permissions/coverage.ts';
import type { Scope } from '../../../permissions/scope.ts';
import type { Tenant } from '../../../tenants.ts';
import { requireLocation } from '../../places/queries/visible-places.ts';
import { resolveLocationTimeZone } from '../../places/rules/location-time-zone.ts';
import { listOpeningExceptions, readOpeningSettings } from '../queries/opening-settings.ts';
import { createLocalCalendar, type LocalCalendar } from '../rules/local-calendar.ts';
import { groupBySchedule, groupDaysByHours, type ScheduleGroup } from '../rules/opening-schedule.ts';
import { findNextStatusChange, openStatusNow } from '../rules/open-status.ts';
import { toException, toInterval, type OpeningGroup } from '../schemas.ts';

/** Who asks at which tenant, and when (MS2000). */
export type OpeningHoursViewer = { readonly scope: Scope; readonly tenant: Tenant; readonly now: number };

export async function getLocationOpeningHours(
  db: Db,
  { scope, tenant, now }: OpeningHoursViewer,
  location: KidOf<'location'>,
) {
  const grantedLocation = requireCoveredLocation(scope, location);
  // Wherever the location is, its own days are among these.
  const candidateDays = exceptionDayRange(todayIn('UTC', now), 1);
  const [{ time_zone }, units, exceptions] = await Promise.all([
    requireLocation(db, grantedLocation),
    readOpeningSettings(db, location),
    listOpeningExceptions(db, location, candidateDays),
  ]);
  const timeZone = resolveLocationTimeZone(time_zone, tenant);
  const { fromDay, throughDay } = exceptionDayRange(todayIn(timeZone, now));
  const exceptionsInRange = exceptions.filter(({ day }) => day >= fromDay && day <= throughDay);
  const calendar = createLocalCalendar(timeZone, now);
  return {
    locationKid: formatKid(location),
    timeZone,
    groups: groupBySchedule(units, exceptionsInRange).map((group) => toOpeningGroup(location, group, calendar)),
  };
}

/** From yesterday on, whose spans may reach into today, through two years from today: so much is worked out at most. */
function exceptionDayRange(today: Temporal.PlainDate, margin = 0): { fromDay: string; throughDay: string } {
  return {
    fromDay: today.subtract({ days: 1 + margin }).toString(),
    throughDay: today.add({ years: 2 }).add({ days: margin }).toString(),
  };
}

function toOpeningGroup(
  location: KidOf<'location'>,
  { unitIds, schedule }: ScheduleGroup,
  calendar: LocalCalendar,
): OpeningGroup {
  const statusChange = findNextStatusChange(schedule, calendar);
  return {
    unitKids: unitIds.map((unitId) => formatKid({ ...location, type: 'unit', unitId })),
    isOpen: openStatusNow(schedule, calendar),
    nextChange: statusChange === null ? null : { atUtc: formatUtc(statusChange.at), opens: statusChange.opens },
    weekly: groupDaysByHours(schedule).map(({ days, hours }) => ({ days, intervals: hours.map(toInterval) })),
    exceptions: [...schedule.exceptions].map(toException),
  };
}
