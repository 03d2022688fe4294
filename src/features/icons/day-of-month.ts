// The day of the month that a calendar shows: today's in Copenhagen, whatever the tenant and the reader.

import { toMs2000 } from '../../lib/ms2000.ts';
import { todayIn } from '../../lib/time-zone.ts';

const calendarTimeZone = 'Europe/Copenhagen';
const minuteMs = 60_000;

/** Days turn on a minute, so that nothing is to be found out more than once in it. The clock is in epoch milliseconds. */
export function createDayOfMonth(clock: () => number): () => number {
  let cachedMinute: number | undefined;
  let day = 0;
  return () => {
    const minute = Math.floor(clock() / minuteMs);
    if (minute !== cachedMinute) {
      day = todayIn(calendarTimeZone, toMs2000(minute * minuteMs)).day;
      cachedMinute = minute;
    }
    return day;
  };
}
