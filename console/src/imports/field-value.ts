// The value of a field of an import, as people read it: times in the zone of the row's place, dates and truth values in
// the reader's language. Everything else is a text of the file, and is shown as it is.

import type { Translate } from '../language/catalogue.ts';
import type { Formats } from '../language/formats.ts';

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

const timeFields: ReadonlySet<string> = new Set(['at', 'from', 'to', 'bookedAt', 'cancelledAt']);
const dayFields: ReadonlySet<string> = new Set(['day', 'movedOut']);
const truthFields: ReadonlySet<string> = new Set(['enabled', 'anonymous']);

/** @param timeZone of the place that the row is about (IANA) */
export function formatImportValue(
  field: string,
  value: string,
  { t, formats }: { readonly t: Translate; readonly formats: Formats },
  timeZone: string,
): string {
  if (timeFields.has(field)) {
    const found = instantPattern.exec(value);
    if (found === null || Number.isNaN(Date.parse(found[1] === undefined ? `${value}Z` : value))) return value;
    // A time without an offset is that of the place already.
    return found[1] === undefined ? formats.dateTime(`${value}Z`, 'UTC') : formats.dateTime(value, timeZone);
  }
  if (dayFields.has(field))
    return dayPattern.test(value) && !Number.isNaN(Date.parse(value)) ? formats.date(value) : value;
  if (truthFields.has(field) && (value === 'true' || value === 'false'))
    return t(value === 'true' ? 'word.yes' : 'word.no');
  return value;
}
