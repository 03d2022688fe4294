// Decides whether somebody may use a unit while the service cannot be reached. What it may do without the service is a
// setting of the unit.

export const offlinePolicies = ['list', 'list-with-limit', 'deny'] as const;
export type OfflinePolicy = (typeof offlinePolicies)[number];

/** An entry of the list of keys. */
export type KeyEntry = {
  readonly units: readonly string[];
  /** In minor units. */
  readonly offlineLimitMinor?: string | null;
  /** RFC 3339: from then on the resident is gone. */
  readonly until?: string | null;
};

/** An entry of the list of bookings. */
export type BookingEntry = {
  readonly unit: string;
  readonly key?: string | null;
  readonly from: string;
  readonly to: string;
};

export type Decision = { readonly allowed: boolean; readonly reason: string };

type Question = {
  readonly policy: OfflinePolicy;
  readonly unit: string;
  readonly key: string;
  /** The key's entry; undefined where the list does not have it. */
  readonly entry: KeyEntry | undefined;
  readonly bookings: readonly BookingEntry[];
  /** What the key has consumed since the last contact, in minor units. */
  readonly spentMinor: number;
  /** By the clock of the service, as well as the computer knows it. */
  readonly nowMs: number;
};

const deny = (reason: string): Decision => ({ allowed: false, reason });

export function decideOffline({ policy, unit, key, entry, bookings, spentMinor, nowMs }: Question): Decision {
  if (policy === 'deny') return deny('offline');
  if (entry === undefined) return deny('unknown-key');
  if (!entry.units.includes(unit)) return deny('not-permitted');
  if (entry.until != null && Date.parse(entry.until) <= nowMs) return deny('expired');
  const isBookedByOther = bookings.some(
    (booking) =>
      booking.unit === unit &&
      booking.key !== key &&
      Date.parse(booking.from) <= nowMs &&
      nowMs < Date.parse(booking.to),
  );
  if (isBookedByOther) return deny('booked');
  if (policy === 'list-with-limit' && spentMinor >= Number(entry.offlineLimitMinor ?? 0)) return deny('offline-limit');
  return { allowed: true, reason: policy };
}
