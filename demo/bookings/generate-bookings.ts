// Generates the bookings of a demo bank: those of paid fees, one of each special kind, and daily ones.

import type { BookingPolicy } from '../../src/features/bookings/rules/policy.ts';
import { todayIn } from '../../src/lib/time/time-zone.ts';
import type { BookableUnit, BookingSchedule } from './booking-schedule.ts';
import type { BookingFee } from './booking-fees.ts';
import { daysAhead, pickBookingInstant, pastDays, toInstantSpan } from './booking-times.ts';
import { type Span } from '../calendar.ts';
import type { Random } from '../random.ts';
import type { DemoResident } from '../residents.ts';
import { dayMs, hourMs, minuteMs } from '../../src/lib/time/durations.ts';

export type BookingScenario = {
  readonly units: readonly BookableUnit[];
  readonly residents: readonly DemoResident[];
  readonly today: Temporal.PlainDate;
  readonly timeZone: string;
  readonly now: number;
  readonly random: Random;
  readonly schedule: BookingSchedule;
};

// Far enough ahead that a demo database which is a few days old still has them.
const paidDaysAhead = 7;

/**
 * Adds the booking that a fee was paid for. Returns false if the resident or unit can have none, or the fee is not the
 * unit's price.
 */
export function addPaidBooking(scenario: BookingScenario, fee: BookingFee): boolean {
  const { posting_id: postingId, user_id: residentId, recorded_at: createdAt } = fee;
  const bookable = scenario.units.find(
    ({ unit }) => unit.locationId === fee.location_id && unit.unitId === fee.unit_id,
  );
  const resident = scenario.residents.find((each) => each.residentId === residentId);
  if (bookable === undefined || resident === undefined || !isActive(resident)) return false;
  if (bookable.policy.priceMinor !== -BigInt(fee.amount_minor)) return false;
  const times = upcomingSpans(scenario, bookable, paidDaysAhead).filter((time) =>
    isTimely(time, bookable.policy, scenario, createdAt),
  );
  return acceptFirst(times, (time) => scenario.schedule.add({ bookable, residentId, time, createdAt, postingId }));
}

/** Whether a booking made at `createdAt` respects the notice and the horizon. */
function isTimely({ from }: Span, policy: BookingPolicy, { timeZone }: BookingScenario, createdAt: number): boolean {
  const aheadDays = todayIn(timeZone, createdAt).until(todayIn(timeZone, from)).days;
  return from - createdAt >= (policy.noticeMinutes ?? 0) * minuteMs && aheadDays <= (policy.horizonDays ?? Infinity);
}

/** Adds a booking of each special kind on the first units, where it is easy to find. */
export function addSpecialBookings(scenario: BookingScenario): void {
  const [, second, third] = scenario.units;
  if (second !== undefined) addPlainBooking(scenario, second);
  if (third !== undefined) addCancelledBookings(scenario, third);
  // A unit without bookable hours always has a booking that is running.
  const always = scenario.units.find(({ policy }) => policy.from === null);
  if (always !== undefined) addRunningBooking(scenario, always);
}

function addPlainBooking(scenario: BookingScenario, bookable: BookableUnit): void {
  const [resident] = activeResidentsOf(scenario, bookable);
  if (resident === undefined) return;
  const entry = { bookable, residentId: resident.residentId, createdAt: scenario.now - 2 * dayMs };
  acceptFirst(upcomingSpans(scenario, bookable), (time) => scenario.schedule.add({ ...entry, time }));
}

/** One whose time is still free, and one whose time another resident has booked since. */
function addCancelledBookings(scenario: BookingScenario, bookable: BookableUnit): void {
  const { schedule, now } = scenario;
  const [resident, other] = activeResidentsOf(scenario, bookable);
  const free = [...upcomingSpans(scenario, bookable)].filter((time) => schedule.isFree(bookable.unit, time));
  const [open] = free;
  const taken = free.find(({ from }) => open !== undefined && from >= open.to);
  if (resident === undefined || other === undefined || open === undefined || taken === undefined) return;
  const entry = { bookable, residentId: resident.residentId, createdAt: now - 2 * dayMs };
  const cancelled = { at: now - dayMs, editorId: null };
  schedule.add({ ...entry, time: open, cancelled });
  schedule.add({ ...entry, time: taken, cancelled });
  schedule.add({ ...entry, time: taken, residentId: other.residentId, createdAt: now - hourMs });
}

function addRunningBooking(scenario: BookingScenario, bookable: BookableUnit): void {
  const { today, timeZone, now, schedule } = scenario;
  const [resident] = activeResidentsOf(scenario, bookable);
  if (resident === undefined) return;
  const spans = [0, 1].flatMap((days) => [...spansOn(today.subtract({ days }), bookable, timeZone)]);
  const running = spans.filter(({ from, to }) => from <= now && now < to);
  acceptFirst(running, (time) =>
    schedule.add({ bookable, residentId: resident.residentId, time, createdAt: time.from - 3 * hourMs }),
  );
}

const notCancelledShare = 0.88;

/** Adds bookings day by day, more for busier types of units. */
export function addDailyBookings(scenario: BookingScenario): void {
  for (const bookable of scenario.units)
    for (let ahead = -pastDays; ahead <= daysAhead; ahead += 1) {
      if (!scenario.random.chance(bookable.unit.type === 'washer' ? 0.5 : 0.2)) continue;
      const time = toInstantSpan(
        scenario.today.add({ days: ahead }),
        scenario.random.pick(bookable.times),
        scenario.timeZone,
      );
      if (time !== undefined) addDailyBooking(scenario, bookable, time);
    }
}

function addDailyBooking(
  { schedule, residents, random, now, today, timeZone }: BookingScenario,
  bookable: BookableUnit,
  time: Span,
): void {
  const { unit, policy } = bookable;
  const { horizonDays } = policy;
  const residentsOfLocation = residents.filter(({ locationId }) => locationId === unit.locationId);
  const resident = random.pick(residentsOfLocation);
  // Some bookings belong to residents who have been deleted since.
  const couldBook = isActive(resident) || (resident.deletedAt ?? now) > time.to || random.chance(0.3);
  const aheadDays = today.until(todayIn(timeZone, time.from)).days;
  if (!couldBook || (horizonDays !== null && aheadDays > horizonDays)) return;
  const createdAt = pickBookingInstant(time, policy, now, random.next());
  if (random.chance(notCancelledShare) || !isActive(resident)) {
    schedule.add({ bookable, residentId: resident.residentId, time, createdAt });
    return;
  }
  const deadline = Math.min(now, time.from - (policy.cancelDeadlineMinutes ?? 0) * minuteMs);
  const cancelledAt = createdAt + Math.floor(random.next() * Math.max(0, deadline - createdAt));
  schedule.add({
    bookable,
    residentId: resident.residentId,
    time,
    createdAt,
    cancelled: { at: cancelledAt, editorId: null },
  });
}

const isActive = ({ enabled, deletedAt }: DemoResident): boolean => enabled && deletedAt === null;

const activeResidentsOf = ({ residents }: BookingScenario, { unit }: BookableUnit): DemoResident[] =>
  residents.filter((resident) => resident.locationId === unit.locationId && isActive(resident));

/** The times from `fromDay` days ahead (by default tomorrow), day by day. */
function* upcomingSpans({ today, timeZone }: BookingScenario, bookable: BookableUnit, fromDay = 1): Generator<Span> {
  for (let days = fromDay; days <= daysAhead; days += 1) yield* spansOn(today.add({ days }), bookable, timeZone);
}

function* spansOn(day: Temporal.PlainDate, { times }: BookableUnit, timeZone: string): Generator<Span> {
  for (const time of times) {
    const span = toInstantSpan(day, time, timeZone);
    if (span !== undefined) yield span;
  }
}

/** Tries the times in order until one is accepted; false if none is. */
function acceptFirst(times: Iterable<Span>, take: (time: Span) => boolean): boolean {
  for (const time of times) if (take(time)) return true;
  return false;
}
