// Who has booked what in a demo bank: a diary that takes a booking only where the unit is free, and where the rules of
// its unit leave the resident another one.

import type { BookingDraft } from '../features/bookings/record-rows.ts';
import { limitsReached } from '../features/bookings/rules/limits.ts';
import { policyOf, type Policy } from '../features/bookings/rules/policy.ts';
import type { UnitType } from '../features/places/unit-types.ts';
import type { Tenant } from '../tenants.ts';
import { demoPolicy } from './booking-policies.ts';
import { wallTimes, type WallTime } from './booking-times.ts';
import type { Span } from './calendar.ts';
import type { DemoBank, DemoUnit } from './places.ts';

/** A unit that can be booked, how, and when on any day. */
export type Bookable = { readonly unit: DemoUnit; readonly policy: Policy; readonly times: readonly WallTime[] };

/** What is in use and booked at all. */
export function bookableUnits({ enabled, locations }: DemoBank, { currency }: Tenant): Bookable[] {
  const known = new Map<UnitType, Omit<Bookable, 'unit'>>();
  const ofType = (type: UnitType): Omit<Bookable, 'unit'> => {
    const policy = policyOf(demoPolicy(type, currency));
    const made = known.get(type) ?? { policy, times: wallTimes(policy) };
    known.set(type, made);
    return made;
  };
  return locations
    .filter((location) => enabled && location.enabled && location.deletedAt === null)
    .flatMap(({ units }) => units)
    .filter((unit) => unit.enabled && unit.deletedAt === null)
    .map((unit) => ({ unit, ...ofType(unit.type) }))
    .filter(({ policy }) => policy.bookable);
}

export type Entry = {
  readonly bookable: Bookable;
  readonly userId: number;
  readonly time: Span;
} & Pick<BookingDraft, 'madeAt'> &
  Partial<Pick<BookingDraft, 'postingId' | 'cancelled'>>;

export type Diary = {
  readonly drafts: readonly BookingDraft[];
  /** Whether the unit is free then. */
  isFree(unit: DemoUnit, time: Span): boolean;
  /** False where it cannot be had. One that was cancelled takes nobody's time. */
  add(entry: Entry): boolean;
};

export function openDiary({ currency, timeZone }: Tenant, now: number): Diary {
  const drafts: BookingDraft[] = [];
  const busy = new Map<string, Span[]>();
  const startsOf = new Map<string, number[]>();
  const unitKey = ({ locationId, unitId }: DemoUnit): string => `${locationId}/${unitId}`;
  const isFree = (unit: DemoUnit, time: Span): boolean =>
    !listed(busy, unitKey(unit)).some(({ from, to }) => time.from < to && from < time.to);

  const add = ({ bookable: { unit, policy }, userId, time, ...rest }: Entry): boolean => {
    const { locationId, unitId } = unit;
    if (rest.cancelled === undefined) {
      const starts = listed(startsOf, `${userId}/${locationId}/${policy.calendar}`);
      if (!isFree(unit, time) || limitsReached(policy, starts, { startAt: time.from, timeZone, now }).length > 0)
        return false;
      listed(busy, unitKey(unit)).push(time);
      starts.push(time.from);
    }
    const { from: startAt, to: endAt } = time;
    drafts.push({ locationId, unitId, userId, startAt, endAt, priceMinor: policy.priceMinor ?? 0n, currency, ...rest });
    return true;
  };
  return { drafts, isFree, add };
}

/** The list kept under a key, which is there from now on. */
function listed<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}
