// Reading the opening hours of a location: all of it in one turn to storage.

import type { Db } from '../../database/dialect.ts';
import { formatKid, type KidOf } from '../../lib/kid.ts';
import { utcText } from '../../lib/ms2000.ts';
import { todayIn } from '../../lib/time-zone.ts';
import type { Scope } from '../../permissions/scope.ts';
import { demandCovered, demandLocation } from '../places/sight.ts';
import { listExceptions, readOpeningTexts } from './queries.ts';
import { groupBySchedule, sameDays, type Group, type StoredException } from './rules/schedule.ts';
import { nextTurn, statusAt } from './rules/status.ts';
import { exceptionOf, intervalOf, type OpeningGroup } from './schemas.ts';

export async function readOpeningHours(db: Db, scope: Scope, location: KidOf<'location'>, now: number) {
  demandCovered(scope, location);
  // Yesterday began no earlier than this, wherever the location is.
  const longPast = todayIn('UTC', now).subtract({ days: 2 }).toString();
  const [{ time_zone: zone }, units, exceptions] = await Promise.all([
    demandLocation(db, scope, location),
    readOpeningTexts(db, location),
    listExceptions(db, location, longPast),
  ]);
  const groups = groupBySchedule(units, current(exceptions, zone, now));
  return {
    locationKid: formatKid(location),
    timeZone: zone,
    groups: groups.map((group) => groupOf(location, group, zone, now)),
  };
}

/** From yesterday on: its spans may reach into today. */
function current(exceptions: readonly StoredException[], zone: string, now: number): StoredException[] {
  const yesterday = todayIn(zone, now).subtract({ days: 1 }).toString();
  return exceptions.filter(({ day }) => day >= yesterday);
}

function groupOf(location: KidOf<'location'>, { unitIds, schedule }: Group, zone: string, now: number): OpeningGroup {
  const turn = nextTurn(schedule, zone, now);
  return {
    unitKids: unitIds.map((unitId) => formatKid({ ...location, type: 'unit', unitId })),
    isOpen: statusAt(schedule, zone, now),
    nextChange: turn === null ? null : { atUtc: utcText(turn.at), opens: turn.opens },
    weekly: sameDays(schedule).map(({ days, hours }) => ({ days, intervals: hours.map(intervalOf) })),
    exceptions: [...schedule.exceptions].map(exceptionOf),
  };
}
