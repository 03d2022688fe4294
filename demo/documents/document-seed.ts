// Formats the seed of a demo document, and computes when the month of a meter ends.

import { fromMs2000 } from '../../src/lib/time/ms2000.ts';
import { dayInterval } from '../../src/lib/time/time-zone.ts';

export type DocumentKey = {
  readonly bankId: number;
  readonly locationId: number;
  readonly unitId: number;
  readonly documentId: number | bigint;
};

export const formatDocumentSeed = ({ bankId, locationId, unitId, documentId }: DocumentKey): string =>
  `${bankId}/${locationId}/${unitId}/${documentId}`;

/** The first instant of the local month that follows `at`. */
export function nextMonth(timeZone: string, instant: number): number {
  const local = Temporal.Instant.fromEpochMilliseconds(fromMs2000(instant)).toZonedDateTimeISO(timeZone).toPlainDate();
  const day = local.with({ day: 1 }).add({ months: 1 });
  return dayInterval(day, day, timeZone).fromMs2000;
}
