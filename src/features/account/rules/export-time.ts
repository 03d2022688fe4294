// Times for a file's rows: a day is spelled once for all instants in it, and an offset asked for once for all instants
// between two changes of the clock.

import { UtcDayFormatter } from '../../../lib/utc-day-formatter.ts';
import { fromMs2000, toMs2000, formatUtc } from '../../../lib/ms2000.ts';

/** Answers what `utcText` does. */
export function createUtcTimeFormatter(): (ms2000: number) => string {
  const spelling = new UtcDayFormatter();
  return (ms2000) => spelling.formatInstant(ms2000, 'Z');
}

/** Answers how the zone's clock showed an instant (MS2000): `2026-06-15T11:30:00.000+02:00`. */
export function createLocalTimeFormatter(timeZone: string): (ms2000: number) => string {
  const spelling = new UtcDayFormatter();
  let [from, to, offsetMs, offset] = [Number.NaN, Number.NaN, 0, ''];
  return (ms2000) => {
    if (!(ms2000 >= from && ms2000 < to)) ({ from, to, offsetMs, offset } = findOffsetInterval(timeZone, ms2000));
    try {
      return spelling.formatInstant(ms2000 + offsetMs, offset);
    } catch (error) {
      // The clock showed a year that cannot be spelled, as the first and the last hours of all do.
      if (error instanceof RangeError) return formatUtc(ms2000);
      throw error;
    }
  };
}

/** The stretch of time around an instant in which the zone's offset is the same. */
function findOffsetInterval(timeZone: string, ms2000: number) {
  const at = Temporal.Instant.fromEpochMilliseconds(fromMs2000(ms2000)).toZonedDateTimeISO(timeZone);
  // A change is sought strictly before, and there may be one right here.
  const since = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const until = at.getTimeZoneTransition('next');
  return {
    from: since === null ? Number.NEGATIVE_INFINITY : toMs2000(since.epochMilliseconds),
    to: until === null ? Number.POSITIVE_INFINITY : toMs2000(until.epochMilliseconds),
    offsetMs: at.offsetNanoseconds / 1e6,
    // Of hours and minutes, as ISO 8601 and RFC 3339 have it; before there were time zones it had seconds.
    offset: at.toString({ timeZoneName: 'never' }).slice(-6),
  };
}
