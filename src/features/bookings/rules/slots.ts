// The time of a booking, cut into slots of five minutes, counted since 2000-01-01T00:00:00Z. Two bookings of a unit overlap
// exactly where they have a slot in common.

export const slotMs = 300_000;

/** The longest that a booking can be: what its length can be set to, two weeks. */
export const maxBookingLengthMs = 20_160 * 60_000;

/** Throws where a booking does not begin and end with slots, or has none, or too many. */
export function requireValidInterval(startAt: number, endAt: number): void {
  for (const at of [startAt, endAt])
    if (!Number.isSafeInteger(at) || at % slotMs !== 0)
      throw new RangeError('a booking begins and ends at multiples of five minutes');
  if (endAt <= startAt || endAt - startAt > maxBookingLengthMs)
    throw new RangeError('a booking is at least five minutes long, and at most two weeks');
}

/** The slots of [startAt, endAt). */
export function listSlots(startAt: number, endAt: number): number[] {
  const first = startAt / slotMs;
  return Array.from({ length: (endAt - startAt) / slotMs }, (_, at) => first + at);
}

/**
 * Slots before this one are of no more use: no booking that is not over reaches back so far, so none that can still be
 * restored has one of them.
 */
export const oldestUsefulSlot = (now: number): number => Math.floor((now - maxBookingLengthMs) / slotMs);
