// Reading the opening hours of a location: all of it in one turn to storage.

import type { Db } from '../../database/dialect.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { utcText } from '../../lib/ms2000.ts';
import { todayIn } from '../../lib/time-zone.ts';
import type { Scope } from '../../permissions/scope.ts';
import type { Tenant } from '../../tenants.ts';
import { demandCovered, demandLocation } from '../places/sight.ts';
import { storedZone } from '../places/zones.ts';
import { listExceptions, readOpeningTexts } from './queries.ts';
import { calendarOf, type Calendar } from './rules/calendar.ts';
import { groupBySchedule, sameDays, type Group } from './rules/schedule.ts';
import { nextTurn, statusNow } from './rules/status.ts';
import { exceptionOf, intervalOf, type OpeningGroup } from './schemas.ts';

/** Who asks at which tenant, and when (MS2000). */
export type Asking = { readonly scope: Scope; readonly tenant: Tenant; readonly now: number };

export async function readOpeningHours(db: Db, { scope, tenant, now }: Asking, location: KidOf<'location'>) {
  demandCovered(scope, location);
  // Wherever the location is, its own days are among these.
  const wide = daysTold(todayIn('UTC', now), 1);
  const [{ time_zone }, units, exceptions] = await Promise.all([
    demandLocation(db, scope, location),
    readOpeningTexts(db, location),
    listExceptions(db, location, wide),
  ]);
  const timeZone = storedZone(time_zone, tenant);
  const { fromDay, throughDay } = daysTold(todayIn(timeZone, now));
  const told = exceptions.filter(({ day }) => day >= fromDay && day <= throughDay);
  const calendar = calendarOf(timeZone, now);
  return {
    locationKid: formatKid(location),
    timeZone,
    groups: groupBySchedule(units, told).map((group) => groupOf(location, group, calendar)),
  };
}

/** From yesterday on, whose spans may reach into today, through two years from today: so much is worked out at most. */
function daysTold(today: Temporal.PlainDate, margin = 0): { fromDay: string; throughDay: string } {
  return {
    fromDay: today.subtract({ days: 1 + margin }).toString(),
    throughDay: today.add({ years: 2 }).add({ days: margin }).toString(),
  };
}

function groupOf(location: KidOf<'location'>, { unitIds, schedule }: Group, calendar: Calendar): OpeningGroup {
  const turn = nextTurn(schedule, calendar);
  return {
    unitKids: unitIds.map((unitId) => formatKid({ ...location, type: 'unit', unitId })),
    isOpen: statusNow(schedule, calendar),
    nextChange: turn === null ? null : { atUtc: utcText(turn.at), opens: turn.opens },
    weekly: sameDays(schedule).map(({ days, hours }) => ({ days, intervals: hours.map(intervalOf) })),
    exceptions: [...schedule.exceptions].map(exceptionOf),
  };
}
