// Collects the bookings of a demo bank. It accepts a booking only if the unit is free and the resident's limits allow
// it.

import type { BookingDraft } from '../../src/features/bookings/rules/booking-draft.ts';
import { listExceededLimits } from '../../src/features/bookings/rules/booking-limits.ts';
import { parsePolicy, type BookingPolicy } from '../../src/features/bookings/rules/policy.ts';
import type { UnitType } from '../../src/features/places/rules/unit-types.ts';
import type { Tenant } from '../../src/tenants.ts';
import { demoBookingPolicy } from './booking-policies.ts';
import { listWallTimeSpans, type WallTimeSpan } from './booking-times.ts';
import type { Span } from '../calendar.ts';
import type { DemoBank, DemoUnit } from '../places/places.ts';

/** A unit that can be booked, with its policy and the possible times of a day. */
export type BookableUnit = {
  readonly unit: DemoUnit;
  readonly policy: BookingPolicy;
  readonly times: readonly WallTimeSpan[];
};

/** The enabled units that can be booked. */
export function listBookableUnits({ enabled, locations }: DemoBank, { currency }: Tenant): BookableUnit[] {
  const byType = new Map<UnitType, Omit<BookableUnit, 'unit'>>();
  const ofType = (type: UnitType): Omit<BookableUnit, 'unit'> => {
    const policy = parsePolicy(demoBookingPolicy(type, currency));
    const made = byType.get(type) ?? { policy, times: listWallTimeSpans(policy) };
    byType.set(type, made);
    return made;
  };
  return locations
    .filter((location) => enabled && location.enabled && location.deletedAt === null)
    .flatMap(({ units }) => units)
    .filter((unit) => unit.enabled && unit.deletedAt === null)
    .map((unit) => ({ unit, ...ofType(unit.type) }))
    .filter(({ policy }) => policy.bookable);
}

type ScheduleEntry = {
  readonly bookable: BookableUnit;
  readonly residentId: number;
  readonly time: Span;
} & Pick<BookingDraft, 'createdAt'> &
  Partial<Pick<BookingDraft, 'postingId' | 'cancelled'>>;

export type BookingSchedule = {
  readonly drafts: readonly BookingDraft[];
  /** Whether the unit is free at that time. */
  isFree(unit: DemoUnit, time: Span): boolean;
  /** Returns false if the time is not available. A cancelled booking takes no time. */
  add(entry: ScheduleEntry): boolean;
};

export function createBookingSchedule({ currency, timeZone }: Tenant, now: number): BookingSchedule {
  const drafts: BookingDraft[] = [];
  const takenSpans = new Map<string, Span[]>();
  const startsByResident = new Map<string, number[]>();
  const unitKey = ({ locationId, unitId }: DemoUnit): string => `${locationId}/${unitId}`;
  const isFree = (unit: DemoUnit, time: Span): boolean =>
    !getOrCreateList(takenSpans, unitKey(unit)).some(({ from, to }) => time.from < to && from < time.to);

  const add = ({ bookable: { unit, policy }, residentId, time, ...rest }: ScheduleEntry): boolean => {
    const { locationId, unitId } = unit;
    if (rest.cancelled === undefined) {
      const starts = getOrCreateList(startsByResident, `${residentId}/${locationId}/${policy.calendar}`);
      if (!isFree(unit, time) || listExceededLimits(policy, starts, { startAt: time.from, timeZone, now }).length > 0)
        return false;
      getOrCreateList(takenSpans, unitKey(unit)).push(time);
      starts.push(time.from);
    }
    const { from: startAt, to: endAt } = time;
    drafts.push({
      locationId,
      unitId,
      residentId,
      startAt,
      endAt,
      priceMinor: policy.priceMinor ?? 0n,
      currency,
      ...rest,
    });
    return true;
  };
  return { drafts, isFree, add };
}

/** The list of a key, created if there is none. */
function getOrCreateList<T>(lists: Map<string, T[]>, key: string): T[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: T[] = [];
  lists.set(key, made);
  return made;
}
