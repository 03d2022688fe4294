// Computes the day of the month that calendar icons show: today in Copenhagen, for every tenant and client.

import { toMs2000 } from '../../../lib/time/ms2000.ts';
import { todayIn } from '../../../lib/time/time-zone.ts';
import { minuteMs } from '../../../lib/time/durations.ts';

const calendarTimeZone = 'Europe/Copenhagen';

export const dayOfMonthAt = (nowMs2000: number): number => todayIn(calendarTimeZone, nowMs2000).day;

/** A day begins at a full minute, so the day is computed once a minute. The clock is in epoch milliseconds. */
export function createDayOfMonth(clock: () => number): () => number {
  let cachedMinute: number | undefined;
  let day = 0;
  return () => {
    const minute = Math.floor(clock() / minuteMs);
    if (minute !== cachedMinute) {
      day = dayOfMonthAt(toMs2000(minute * minuteMs));
      cachedMinute = minute;
    }
    return day;
  };
}
