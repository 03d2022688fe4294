// Converts instants to local times of a zone.

import { UtcDayFormatter } from './utc-day-formatter.ts';
import { fromMs2000, toMs2000 } from './ms2000.ts';
import { dayMs, minuteMs } from './durations.ts';

// The years that RFC 3339 can tell, and a minute to round in.
const earliestFormattable = toMs2000(Date.parse('0000-01-01T00:01:00.000Z'));
const latestFormattable = toMs2000(Date.parse('9999-12-31T23:58:59.999Z'));

/** [from, to) with one offset, all in milliseconds. */
type ClockInterval = {
  readonly from: number;
  readonly to: number;
  readonly offset: number;
  /** The offset as it is shown. Historic offsets have seconds, which RFC 3339 cannot express. */
  readonly displayedOffset: { readonly offset: number; readonly text: string };
};

const utcInterval: ClockInterval = createOffsetInterval(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0);

// A clock lives long, and is asked about the same few years.
const maxCachedIntervals = 64;

/**
 * The clock remembers the offset between two clock changes, so that thousands of instants near each other need the
 * rules of the zone only once. Days are counted from 2000-01-01.
 */
export class LocalClock {
  readonly timeZone: string;
  #currentInterval: ClockInterval = createOffsetInterval(0, 0, 0);
  readonly #cachedIntervals: ClockInterval[] = [];
  readonly #spelling = new UtcDayFormatter();

  /** An IANA zone. */
  constructor(timeZone: string) {
    this.timeZone = timeZone;
  }

  /** The local day of an instant. */
  getLocalDay(ms2000: number): number {
    return Math.floor((ms2000 + this.#findInterval(ms2000).offset) / dayMs);
  }

  /** `2026-03-29T03:15:00.000+02:00`: what the clock shows, and how far it is ahead of UTC. */
  formatTime(ms2000: number): string {
    const { offset, text } = this.#findInterval(ms2000).displayedOffset;
    return this.#spelling.formatInstant(ms2000 + offset, text);
  }

  /** A local day, as `2026-03-29`. */
  formatDate(day: number): string {
    return this.#spelling.formatDate(day);
  }

  #readInterval(ms2000: number): ClockInterval {
    const learnt = computeOffsetInterval(this.timeZone, ms2000);
    if (this.#cachedIntervals.length >= maxCachedIntervals) this.#cachedIntervals.shift();
    this.#cachedIntervals.push(learnt);
    return learnt;
  }

  #findInterval(ms2000: number): ClockInterval {
    if (!containsInstant(this.#currentInterval, ms2000))
      this.#currentInterval =
        this.#cachedIntervals.find((each) => containsInstant(each, ms2000)) ?? this.#readInterval(ms2000);
    const shown = ms2000 + this.#currentInterval.offset;
    // A local time outside those years is given in UTC.
    return shown < earliestFormattable || shown > latestFormattable ? utcInterval : this.#currentInterval;
  }
}

const containsInstant = ({ from, to }: ClockInterval, ms2000: number): boolean => ms2000 >= from && ms2000 < to;

function createOffsetInterval(from: number, to: number, offset: number): ClockInterval {
  const minutes = Math.round(offset / minuteMs);
  const ahead = Math.abs(minutes);
  const [hours, rest] = [Math.floor(ahead / 60), ahead % 60].map((part) => String(part).padStart(2, '0'));
  const text = `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
  return { from, to, offset, displayedOffset: { offset: minutes * minuteMs, text } };
}

function computeOffsetInterval(zone: string, ms2000: number): ClockInterval {
  const zonedAt = (ms: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(fromMs2000(ms)).toZonedDateTimeISO(zone);
  const here = zonedAt(ms2000);
  // The change before an instant is one strictly before it.
  const before = zonedAt(ms2000 + 1).getTimeZoneTransition('previous');
  const after = here.getTimeZoneTransition('next');
  return createOffsetInterval(
    before === null ? Number.NEGATIVE_INFINITY : toMs2000(before.epochMilliseconds),
    after === null ? Number.POSITIVE_INFINITY : toMs2000(after.epochMilliseconds),
    here.offsetNanoseconds / 1_000_000,
  );
}
