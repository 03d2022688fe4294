// Decides whether somebody may use a unit while the service cannot be reached. What it may do without the service is a
// setting of the unit.

export const offlinePolicies = ['List', 'ListWithLimit', 'Deny'] as const;
export type OfflinePolicy = (typeof offlinePolicies)[number];

/** An entry of the list of keys. */
export type KeyEntry = {
  readonly residentKid: string;
  readonly units: readonly string[];
  /** RFC 3339: from then on the resident is gone. */
  readonly until?: string | null;
};

/** An entry of the list of bookings. */
export type BookingEntry = {
  readonly unit: string;
  readonly residentKid: string;
  readonly from: string;
  readonly to: string;
};

export type Decision = { readonly allowed: boolean; readonly reason: string };

type Question = {
  readonly policy: OfflinePolicy;
  readonly unit: string;
  /** The key's entry; undefined where the list does not have it. */
  readonly entry: KeyEntry | undefined;
  readonly bookings: readonly BookingEntry[];
  /** What may be used of the unit with one key before the service is reached again, in minor units. */
  readonly limitMinor: number;
  /** What was used of it with the key since the last contact. */
  readonly spentMinor: number;
  /** By the clock of the service, as well as the computer knows it. */
  readonly nowMs: number;
};

const deny = (reason: string): Decision => ({ allowed: false, reason });

export function decideOffline(question: Question): Decision {
  const { policy, unit, entry, bookings, limitMinor, spentMinor, nowMs } = question;
  if (policy === 'Deny') return deny('offline');
  if (entry === undefined) return deny('unknown-key');
  if (!entry.units.includes(unit)) return deny('not-permitted');
  if (entry.until != null && Date.parse(entry.until) <= nowMs) return deny('expired');
  const isBookedByOther = bookings.some(
    (booking) =>
      booking.unit === unit &&
      booking.residentKid !== entry.residentKid &&
      Date.parse(booking.from) <= nowMs &&
      nowMs < Date.parse(booking.to),
  );
  if (isBookedByOther) return deny('booked');
  if (policy === 'ListWithLimit' && spentMinor >= limitMinor) return deny('offline-limit');
  return { allowed: true, reason: 'listed' };
}
