// GetLocationOpeningHours: reads the opening hours of a location's units, grouped by schedule.

import type { Static } from 'typebox';
import type { ManagerContext } from '../../../http/context/operation-context.ts';
import { formatKid, formatUnitKid } from '../../../lib/kid.ts';
import { formatUtc } from '../../../lib/time/ms2000.ts';
import { todayIn } from '../../../lib/time/time-zone.ts';
import { requireCoveredLocation, type LocationKey } from '../../../permissions/coverage.ts';
import { requireLocation } from '../../places/require-place.ts';
import { resolveLocationTimeZone } from '../../places/rules/location-time-zone.ts';
import { listOpeningExceptions } from '../queries/opening-exceptions.ts';
import { readOpeningSettings } from '../queries/opening-settings.ts';
import type { ExceptionalHours } from '../rules/exception-lookup.ts';
import { createLocalCalendar, type LocalCalendar } from '../rules/local-calendar.ts';
import { findNextStatusChange, openStatusNow } from '../rules/open-status.ts';
import { formatClock, type MinuteInterval } from '../rules/opening-intervals.ts';
import { groupBySchedule, groupDaysByHours, type ScheduleGroup } from '../rules/opening-schedule.ts';
import { OpeningException, type OpeningHoursGroup, type OpeningInterval } from '../schemas.ts';

export function getLocationOpeningHours(context: ManagerContext, key: LocationKey) {
  const { scope, tenant, now } = context;
  const location = requireCoveredLocation(scope, key);
  const locationKid = formatKid({ ...location, type: 'location' });
  return context.read(async (db) => {
    // The location's time zone is not known yet. In every zone its days lie within this range.
    const widestRange = exceptionDayRange(todayIn('UTC', now), 1);
    const [{ time_zone }, units, exceptions] = await Promise.all([
      requireLocation(db, location),
      readOpeningSettings(db, location),
      listOpeningExceptions(db, location, widestRange),
    ]);
    const timeZone = resolveLocationTimeZone(time_zone, tenant);
    const { fromDay, throughDay } = exceptionDayRange(todayIn(timeZone, now));
    const exceptionsInRange = exceptions.filter(({ day }) => day >= fromDay && day <= throughDay);
    const calendar = createLocalCalendar(timeZone, now);
    return {
      locationKid,
      timeZone,
      groups: groupBySchedule(units, exceptionsInRange).map((group) =>
        toOpeningHoursGroup(locationKid, group, calendar),
      ),
    };
  });
}

/** From yesterday, whose intervals can end today, through two years from today, which bounds the work. */
const exceptionDayRange = (today: Temporal.PlainDate, marginDays = 0): { fromDay: string; throughDay: string } => ({
  fromDay: today.subtract({ days: 1 + marginDays }).toString(),
  throughDay: today.add({ years: 2 }).add({ days: marginDays }).toString(),
});

function toOpeningHoursGroup(
  locationKid: string,
  { unitIds, schedule }: ScheduleGroup,
  calendar: LocalCalendar,
): OpeningHoursGroup {
  const statusChange = findNextStatusChange(schedule, calendar);
  return {
    unitKids: unitIds.map((unitId) => formatUnitKid(locationKid, unitId)),
    isOpen: openStatusNow(schedule, calendar),
    nextChange: statusChange === null ? null : { atUtc: formatUtc(statusChange.at), opens: statusChange.opens },
    weekly: groupDaysByHours(schedule).map(({ days, hours }) => ({ days, intervals: hours.map(toOpeningInterval) })),
    exceptions: [...schedule.exceptions].map(toOpeningException),
  };
}

const toOpeningInterval = ({ from, to }: MinuteInterval): OpeningInterval => ({
  from: formatClock(from),
  to: formatClock(to),
});

const toOpeningException = ([date, { hours, text }]: readonly [string, ExceptionalHours]): Static<
  typeof OpeningException
> => ({ date, intervals: hours?.map(toOpeningInterval) ?? null, text });
