// Formats the times of a document in the local time of its location.

import { fromMs2000 } from '../../../lib/time/ms2000.ts';

/** [from, through] with one offset, all in milliseconds; local time is the instant plus the offset. */
export type OffsetInterval = { readonly fromMs2000: number; readonly throughMs2000: number; readonly offsetMs: number };

const toZoned = (ms2000: number, timeZone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(fromMs2000(ms2000)).toZonedDateTimeISO(timeZone);

/** The interval, divided at clock changes. Each part except the last ends a millisecond before the change. */
export function splitAtClockChanges(fromAt: number, throughAt: number, timeZone: string): OffsetInterval[] {
  const intervals: OffsetInterval[] = [];
  let zoned = toZoned(fromAt, timeZone);
  for (let index = fromAt; ;) {
    const next = zoned.getTimeZoneTransition('next');
    const changeAt =
      next === null ? Number.POSITIVE_INFINITY : index + next.epochMilliseconds - zoned.epochMilliseconds;
    const offsetMs = zoned.offsetNanoseconds / 1_000_000;
    if (next === null || changeAt > throughAt)
      return [...intervals, { fromMs2000: index, throughMs2000: throughAt, offsetMs }];
    intervals.push({ fromMs2000: index, throughMs2000: changeAt - 1, offsetMs });
    [index, zoned] = [changeAt, next];
  }
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const pad = (number: number): string => String(number).padStart(2, '0');

type DateFields = Pick<Temporal.ZonedDateTime, 'dayOfWeek' | 'day' | 'month'>;

/** `21 Nov` */
export const formatDayOfMonth = ({ day, month }: DateFields): string => `${day} ${months[month - 1]}`;

/** `Sat 21 Nov` */
export const formatDay = (date: DateFields): string => `${weekdays[date.dayOfWeek - 1]} ${formatDayOfMonth(date)}`;

/** `Sat 21 Nov 2026, 14:03:05` */
const formatMoment = (time: Temporal.ZonedDateTime): string => `${formatDay(time)} ${time.year}, ${formatSecond(time)}`;

/** `Sat 21 Nov 2026, 14:03` */
export const formatMinuteOf = (ms2000: number, timeZone: string): string =>
  formatMoment(toZoned(ms2000, timeZone)).slice(0, -3);

const formatSecond = ({ hour, minute, second }: Temporal.ZonedDateTime): string =>
  [hour, minute, second].map(pad).join(':');

/** `UTC+1`, `UTC−3:30` */
function formatOffset(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const rest = minutes % 60 === 0 ? '' : `:${pad(minutes % 60)}`;
  return `UTC${offsetMs < 0 ? '\u2212' : '+'}${Math.floor(minutes / 60)}${rest}`;
}

/** `Sat 21 Nov 2026, 23:03:05 – Sun 22 Nov 2026, 00:18:20`; the second date is omitted if it is the same. */
export function formatPeriod(fromAt: number, throughAt: number, timeZone: string): string {
  const [from, through] = [toZoned(fromAt, timeZone), toZoned(throughAt, timeZone)];
  const isSameDay = from.toPlainDate().equals(through.toPlainDate()) && from.offset === through.offset;
  return `${formatMoment(from)} – ${isSameDay ? formatSecond(through) : formatMoment(through)}`;
}

/** `Europe/Copenhagen, UTC+1`; both offsets if the clocks change within the period. */
export function formatZone(fromAt: number, throughAt: number, timeZone: string): string {
  const offsets = splitAtClockChanges(fromAt, throughAt, timeZone).map(({ offsetMs }) => formatOffset(offsetMs));
  return `${timeZone}, ${offsets.filter((offset, index) => offset !== offsets[index - 1]).join(' then ')}`;
}

/** What the head of a document says about its end: `Silent since 9 Nov`. */
export function formatShortStatus({ finished, silentSinceMs2000, timeZone }: DocumentEnd): string {
  if (finished) return 'Finished';
  return silentSinceMs2000 === null
    ? 'Running'
    : `Silent since ${formatDayOfMonth(toZoned(silentSinceMs2000, timeZone))}`;
}

type DocumentEnd = { readonly finished: boolean; readonly silentSinceMs2000: number | null; readonly timeZone: string };

/** `1 h 15 min`, of the two largest units that count. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
