// Formats the times of an export. A day is formatted once for all its instants, and an offset is looked up once for all
// instants between two clock changes.

import { UtcDayFormatter } from '../../../lib/time/utc-day-formatter.ts';
import { fromMs2000, toMs2000, formatUtc } from '../../../lib/time/ms2000.ts';

/** Formats instants (MS2000) in UTC. */
export function createUtcTimeFormatter(): (ms2000: number) => string {
  const spelling = new UtcDayFormatter();
  return (ms2000) => spelling.formatInstant(ms2000, 'Z');
}

/** Formats instants (MS2000) in a time zone: `2026-06-15T11:30:00.000+02:00`. */
export function createLocalTimeFormatter(timeZone: string): (ms2000: number) => string {
  const spelling = new UtcDayFormatter();
  let [from, to, offsetMs, offset] = [Number.NaN, Number.NaN, 0, ''];
  return (ms2000) => {
    if (!(ms2000 >= from && ms2000 < to)) ({ from, to, offsetMs, offset } = findOffsetInterval(timeZone, ms2000));
    try {
      return spelling.formatInstant(ms2000 + offsetMs, offset);
    } catch (error) {
      // In this zone the year is outside 0000 to 9999, which has no format.
      if (error instanceof RangeError) return formatUtc(ms2000);
      throw error;
    }
  };
}

/** The interval around an instant in which the zone's offset does not change. */
function findOffsetInterval(timeZone: string, ms2000: number) {
  const local = Temporal.Instant.fromEpochMilliseconds(fromMs2000(ms2000)).toZonedDateTimeISO(timeZone);
  // The search excludes the instant itself, which can be a change.
  const since = local.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const until = local.getTimeZoneTransition('next');
  return {
    from: since === null ? Number.NEGATIVE_INFINITY : toMs2000(since.epochMilliseconds),
    to: until === null ? Number.POSITIVE_INFINITY : toMs2000(until.epochMilliseconds),
    offsetMs: local.offsetNanoseconds / 1e6,
    // Rounded to minutes, as RFC 3339 requires: before time zones, offsets had seconds.
    offset: local.toString({ timeZoneName: 'never' }).slice(-6),
  };
}
