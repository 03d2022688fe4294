// What happens in the diary of a demo bank: fees that find their bookings, one of everything, and then day by day.

import type { Policy } from '../features/bookings/rules/policy.ts';
import { todayIn } from '../lib/time-zone.ts';
import type { Bookable, Diary } from './booking-diary.ts';
import type { Fee } from './booking-fees.ts';
import { daysAhead, madeBefore, pastDays, spanOn } from './booking-times.ts';
import { dayMs, hourMs, minuteMs, type Span } from './calendar.ts';
import type { Random } from './random.ts';
import type { DemoResident } from './residents.ts';

export type Book = {
  readonly units: readonly Bookable[];
  readonly residents: readonly DemoResident[];
  readonly today: Temporal.PlainDate;
  readonly timeZone: string;
  readonly now: number;
  readonly random: Random;
  readonly diary: Diary;
};

// Far enough ahead that a demo which is some days old still has them.
const paidDaysAhead = 7;

/** The booking that a fee was paid for; false where its resident or unit can have none, or it is not the unit's price. */
export function addPaid(book: Book, fee: Fee): boolean {
  const { posting_id: postingId, user_id: userId, recorded_at: madeAt } = fee;
  const bookable = book.units.find(({ unit }) => unit.locationId === fee.location_id && unit.unitId === fee.unit_id);
  const resident = book.residents.find(({ residentId }) => residentId === userId);
  if (bookable === undefined || resident === undefined || !isActive(resident)) return false;
  if (bookable.policy.priceMinor !== -BigInt(fee.amount_minor)) return false;
  const times = timesAhead(book, bookable, paidDaysAhead).filter((time) =>
    isTimely(time, bookable.policy, book, madeAt),
  );
  return firstOf(times, (time) => book.diary.add({ bookable, userId, time, madeAt, postingId }));
}

/** Whether a time could be booked then: soon enough before it, and not too far ahead. */
function isTimely({ from }: Span, policy: Policy, { timeZone }: Book, madeAt: number): boolean {
  const aheadDays = todayIn(timeZone, madeAt).until(todayIn(timeZone, from)).days;
  return from - madeAt >= (policy.noticeMinutes ?? 0) * minuteMs && aheadDays <= (policy.horizonDays ?? Infinity);
}

/** Something of everything that a booking can be, on the first units, so that it is found at once. */
export function addShown(book: Book): void {
  const [, second, third] = book.units;
  if (second !== undefined) addPlain(book, second);
  if (third !== undefined) addCancelled(book, third);
  // Around the clock somebody is always there.
  const always = book.units.find(({ policy }) => policy.from === null);
  if (always !== undefined) addRunning(book, always);
}

function addPlain(book: Book, bookable: Bookable): void {
  const [resident] = activeAt(book, bookable);
  if (resident === undefined) return;
  const entry = { bookable, userId: resident.residentId, madeAt: book.now - 2 * dayMs };
  firstOf(timesAhead(book, bookable), (time) => book.diary.add({ ...entry, time }));
}

/** One whose time is still free, and one whose time somebody else has taken since. */
function addCancelled(book: Book, bookable: Bookable): void {
  const { diary, now } = book;
  const [resident, other] = activeAt(book, bookable);
  const free = [...timesAhead(book, bookable)].filter((time) => diary.isFree(bookable.unit, time));
  const [open] = free;
  const taken = free.find(({ from }) => open !== undefined && from >= open.to);
  if (resident === undefined || other === undefined || open === undefined || taken === undefined) return;
  const entry = { bookable, userId: resident.residentId, madeAt: now - 2 * dayMs };
  const cancelled = { at: now - dayMs, editorId: null };
  diary.add({ ...entry, time: open, cancelled });
  diary.add({ ...entry, time: taken, cancelled });
  diary.add({ ...entry, time: taken, userId: other.residentId, madeAt: now - hourMs });
}

function addRunning(book: Book, bookable: Bookable): void {
  const { today, timeZone, now, diary } = book;
  const [resident] = activeAt(book, bookable);
  if (resident === undefined) return;
  const spans = [0, 1].flatMap((days) => [...spansOn(today.subtract({ days }), bookable, timeZone)]);
  const running = spans.filter(({ from, to }) => from <= now && now < to);
  firstOf(running, (time) =>
    diary.add({ bookable, userId: resident.residentId, time, madeAt: time.from - 3 * hourMs }),
  );
}

const keptShare = 0.88;

/** What the days bring: the busier a unit's type, the more. */
export function addEveryday(book: Book): void {
  for (const bookable of book.units)
    for (let ahead = -pastDays; ahead <= daysAhead; ahead += 1) {
      if (!book.random.chance(bookable.unit.type === 'washer' ? 0.5 : 0.2)) continue;
      const time = spanOn(book.today.add({ days: ahead }), book.random.pick(bookable.times), book.timeZone);
      if (time !== undefined) addOne(book, bookable, time);
    }
}

function addOne({ diary, residents, random, now, today, timeZone }: Book, bookable: Bookable, time: Span): void {
  const { unit, policy } = bookable;
  const { horizonDays } = policy;
  const neighbours = residents.filter(({ locationId }) => locationId === unit.locationId);
  const resident = random.pick(neighbours);
  // Now and then one whose identity is gone by now.
  const wasThere = isActive(resident) || (resident.deletedAt ?? now) > time.to || random.chance(0.3);
  const aheadDays = today.until(todayIn(timeZone, time.from)).days;
  if (!wasThere || (horizonDays !== null && aheadDays > horizonDays)) return;
  const madeAt = madeBefore(time, policy, now, random.next());
  if (random.chance(keptShare) || !isActive(resident)) {
    diary.add({ bookable, userId: resident.residentId, time, madeAt });
    return;
  }
  const deadline = Math.min(now, time.from - (policy.cancelDeadlineMinutes ?? 0) * minuteMs);
  const at = madeAt + Math.floor(random.next() * Math.max(0, deadline - madeAt));
  diary.add({ bookable, userId: resident.residentId, time, madeAt, cancelled: { at, editorId: null } });
}

const isActive = ({ enabled, deletedAt }: DemoResident): boolean => enabled && deletedAt === null;

const activeAt = ({ residents }: Book, { unit }: Bookable): DemoResident[] =>
  residents.filter((resident) => resident.locationId === unit.locationId && isActive(resident));

/** From tomorrow on, or from so many days ahead, day by day. */
function* timesAhead({ today, timeZone }: Book, bookable: Bookable, fromDay = 1): Generator<Span> {
  for (let days = fromDay; days <= daysAhead; days += 1) yield* spansOn(today.add({ days }), bookable, timeZone);
}

function* spansOn(day: Temporal.PlainDate, { times }: Bookable, timeZone: string): Generator<Span> {
  for (const time of times) {
    const span = spanOn(day, time, timeZone);
    if (span !== undefined) yield span;
  }
}

/** Goes on until one is taken; false where none is. */
function firstOf(times: Iterable<Span>, take: (time: Span) => boolean): boolean {
  for (const time of times) if (take(time)) return true;
  return false;
}
