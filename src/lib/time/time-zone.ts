// Parses the names of time zones as clients and devices write them, and computes the instants between which civil days
// lie. Zone ids are strings, days Temporal.PlainDate, instants MS2000.

import { WINDOWS_TO_IANA_MAP, findIana } from 'windows-iana';
import { fromMs2000, toMs2000 } from './ms2000.ts';

const windowsNamesByLowerCase: ReadonlyMap<string, string> = new Map(
  WINDOWS_TO_IANA_MAP.map(({ windowsName }) => [windowsName.toLowerCase(), windowsName]),
);

/** Starts with a letter, as no offset does; the bound is far above the longest name. */
const ianaNamePattern = /^[a-z][a-z0-9/_+-]{1,63}$/i;
/** Any-case means ASCII: toLowerCase would take the Kelvin sign for a k. */
const printableAsciiPattern = /^[ -~]{1,64}$/;
const civilDatePattern = /^\d{4}-\d{2}-\d{2}$/;

/**
 * IANA name (any case, never an offset such as +02:00) or Windows name (any case) -> IANA id in its canonical case;
 * undefined if unknown. An IANA alias stays the alias: `Europe/Kyiv` and `Europe/Kiev` are both kept as they are.
 *
 * Zones are not cached: a read spends microseconds in this file (ten more for a Windows name), against milliseconds of
 * SQL.
 * @param territory ISO 3166 country of the tenant: Windows names span countries (Romance Standard Time is Copenhagen in
 *   DK), so it is tried first, then the name's own default ('001').
 */
export function resolveTimeZone(name: string, territory = '001'): string | undefined {
  const iana = findIanaId(name);
  if (iana !== undefined) return iana;

  const windowsName = printableAsciiPattern.test(name) ? windowsNamesByLowerCase.get(name.toLowerCase()) : undefined;
  if (windowsName === undefined) return undefined;
  const zone = findIana(windowsName, territory)[0] ?? findIana(windowsName, '001')[0];
  return zone === undefined ? undefined : findIanaId(zone);
}

/** `YYYY-MM-DD` only, with a four-digit year, and only a real calendar day; undefined for anything else. */
export function parseCivilDate(text: string): Temporal.PlainDate | undefined {
  if (!civilDatePattern.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return undefined;
  }
}

/** The civil day it is in this zone at an instant. */
export function todayIn(zone: string, nowMs2000: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(fromMs2000(nowMs2000)).toZonedDateTimeISO(zone).toPlainDate();
}

/**
 * Inclusive civil days -> [fromMs2000, toMs2000): the start of `from` up to the start of the day after `through`. A day
 * starts at its first instant in the zone, which is not midnight where a clock change skips it; a day the zone skipped
 * altogether is empty.
 */
export function dayInterval(
  from: Temporal.PlainDate,
  through: Temporal.PlainDate,
  zone: string,
): { fromMs2000: number; toMs2000: number } {
  return { fromMs2000: startOfDay(from, zone), toMs2000: startOfDay(through.add({ days: 1 }), zone) };
}

/** How many civil days an inclusive interval has; 0 or below if it is reversed. */
export function countDays(from: Temporal.PlainDate, through: Temporal.PlainDate): number {
  return from.until(through, { largestUnit: 'day' }).days + 1;
}

function startOfDay(date: Temporal.PlainDate, zone: string): number {
  return toMs2000(date.toZonedDateTime(zone).epochMilliseconds);
}

function findIanaId(name: string): string | undefined {
  if (!ianaNamePattern.test(name)) return undefined;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
}
