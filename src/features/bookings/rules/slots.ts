// Divides the time of a booking into slots of five minutes, numbered from 2000-01-01T00:00:00Z. Two bookings of a unit
// overlap if and only if they share a slot.

export const slotMs = 300_000;

/** The longest booking: two weeks, which is the maximum of the setting for its length. */
export const maxBookingLengthMs = 20_160 * 60_000;

/** Throws a RangeError unless the interval consists of whole slots and is at most as long as the longest booking. */
export function requireValidInterval(startAt: number, endAt: number): void {
  for (const instant of [startAt, endAt])
    if (!Number.isSafeInteger(instant) || instant % slotMs !== 0)
      throw new RangeError('the start and the end of a booking must be multiples of five minutes');
  if (endAt <= startAt || endAt - startAt > maxBookingLengthMs)
    throw new RangeError('a booking must be at least five minutes and at most two weeks long');
}

/** The slots of [startAt, endAt). */
export function listSlots(startAt: number, endAt: number): number[] {
  const first = startAt / slotMs;
  return Array.from({ length: (endAt - startAt) / slotMs }, (_, index) => first + index);
}

/**
 * The first slot that may still be needed. A booking that has not ended cannot have started before it, and a booking
 * that has ended cannot be restored.
 */
export const oldestUsefulSlot = (now: number): number => Math.floor((now - maxBookingLengthMs) / slotMs);
