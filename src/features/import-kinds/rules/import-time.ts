// Reads times of imports: an instant with its offset, or a local time of the place that the row names.

import { formatUtc, parseOffsetTime, parseUtc, toMs2000 } from '../../../lib/time/ms2000.ts';

const localTimePattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?$/;

/**
 * A time in its one spelling: an instant in UTC, `2026-01-31T07:15:00.000Z`, or a local time without an offset,
 * `2026-01-31T08:15:00.000`; undefined for anything else. A day alone is its beginning.
 */
export function parseImportTime(text: string): string | undefined {
  const instant = parseUtc(text) ?? parseOffsetTime(text.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T'));
  if (instant !== undefined) return formatUtc(instant);
  const [, day, minutes = '00:00', seconds = '00', decimals = ''] = localTimePattern.exec(text) ?? [];
  if (day === undefined) return undefined;
  const local = `${day}T${minutes}:${seconds}.${decimals.slice(0, 3).padEnd(3, '0')}`;
  // A time without an offset has the same days and hours as UTC.
  const asUtc = parseOffsetTime(`${local}Z`);
  return asUtc !== undefined && formatUtc(asUtc) === `${local}Z` ? local : undefined;
}

/**
 * The instant (MS2000) of a time in that spelling. A local time that there are two of is the earlier one; one that a
 * change of the clock skips is undefined.
 */
export function resolveImportTime(spelled: string, zone: string): number | undefined {
  // It is spelled as `parseImportTime` spells it, and needs no further check.
  if (spelled.endsWith('Z')) return toMs2000(Date.parse(spelled));
  const local = Temporal.PlainDateTime.from(spelled);
  const zoned = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(local) ? toMs2000(zoned.epochMilliseconds) : undefined;
}

/** An instant as a file has spelled it, if the file means the same instant; else in UTC. */
export function spellLike(spelled: string | undefined, instant: number, zone: string): string {
  if (spelled === undefined || spelled === '' || spelled.endsWith('Z')) return formatUtc(instant);
  return resolveImportTime(spelled, zone) === instant ? spelled : formatUtc(instant);
}
