// Time as it is stored and compared: MS2000, whole milliseconds since 2000-01-01T00:00:00Z. On the wire, fields named
// ...Utc hold the same instants as RFC 3339 text in UTC.

const epochMs2000 = 946_684_800_000;

const yearZero = toMs2000(Date.parse('0000-01-01T00:00:00.000Z'));
const yearTenThousand = toMs2000(Date.parse('+010000-01-01T00:00:00.000Z'));

const twoDigits = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

const rfc3339UtcPattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/;

/** Milliseconds since 1970 (as `Date.now()` has them) -> MS2000. */
export function toMs2000(epochMs: number): number {
  return epochMs - epochMs2000;
}

/** MS2000 -> milliseconds since 1970. */
export function fromMs2000(ms2000: number): number {
  return ms2000 + epochMs2000;
}

/**
 * MS2000 -> `2024-03-31T00:59:59.999Z`, always with three decimals, so that texts sort as their instants do. RFC 3339
 * knows the years 0000..9999 only; a time outside them (or NaN) is a RangeError.
 */
export function formatUtc(ms2000: number): string {
  if (!(ms2000 >= yearZero && ms2000 < yearTenThousand)) throw new RangeError(`No RFC 3339 year holds ${ms2000}`);

  // This runs for every row of every list; joining the parts takes half the time of toISOString.
  const date = new Date(fromMs2000(ms2000));
  const year = date.getUTCFullYear();
  const fourDigitYear = year < 1000 ? String(year).padStart(4, '0') : year;
  const day = `${fourDigitYear}-${twoDigits[date.getUTCMonth() + 1]}-${twoDigits[date.getUTCDate()]}`;
  const minute = `${twoDigits[date.getUTCHours()]}:${twoDigits[date.getUTCMinutes()]}`;
  return `${day}T${minute}:${twoDigits[date.getUTCSeconds()]}.${threeDigits[date.getUTCMilliseconds()]}Z`;
}

/**
 * An RFC 3339 instant ending in `Z` -> MS2000; undefined for anything else, such as another offset, a day or an hour
 * that does not exist, or a leap second (which no millisecond count can hold). Decimals are optional, up to nine; those
 * past the third are dropped.
 */
export function parseUtc(text: string): number | undefined {
  const [, seconds, decimals = ''] = rfc3339UtcPattern.exec(text) ?? [];
  if (seconds === undefined) return undefined;

  const canonicalText = `${seconds}.${decimals.slice(0, 3).padEnd(3, '0')}Z`;
  const epochMs = Date.parse(canonicalText);
  // Date.parse accepts 30 February and 24:00; a text that is formatted differently is not a real time.
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString() === canonicalText ? toMs2000(epochMs) : undefined;
}

const offsetTimePattern =
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;

const yearOne = toMs2000(Date.parse('0001-01-01T00:00:00.000Z'));
const year9999 = toMs2000(Date.parse('9999-01-01T00:00:00.000Z'));

/**
 * An ISO 8601 time with a UTC offset, in the years 1..9998 -> MS2000; undefined for anything else, such as a time without
 * an offset, or a day that does not exist. Seconds and their decimals are optional; those past the third are dropped.
 */
export function parseOffsetTime(text: string): number | undefined {
  if (!offsetTimePattern.test(text)) return undefined;
  try {
    const ms2000 = toMs2000(Temporal.Instant.from(text).epochMilliseconds);
    return ms2000 >= yearOne && ms2000 < year9999 ? ms2000 : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
