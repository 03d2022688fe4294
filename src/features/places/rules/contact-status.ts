// Decides from the last contact whether a unit is online. Queries count by the same bounds in SQL.

import { bankTypes } from './bank-types.ts';
import { dayMs, hourMs } from '../../../lib/time/durations.ts';

export const contactStatuses = ['Online', 'Offline', 'Unknown'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** A unit without contact for this long is offline: sooner in cash banks, where residents pay at it. */
const offlineAfterMs = { cash: hourMs, other: dayMs } as const;
/** After this long without contact the status is unknown. */
const unknownAfterMs = 100 * dayMs;

/** Bounds on the last contact, MS2000. */
export type ContactBounds = {
  /** A unit is online if its last contact is later. */
  readonly onlineAfter: number;
  /** A unit that is not online is offline if its last contact is not earlier. */
  readonly offlineFrom: number;
};

/** The bounds for the units of a bank; `bankType` is its code. */
export function contactBounds(bankType: number, now: number): ContactBounds {
  const silentMs = bankType === bankTypes.cash ? offlineAfterMs.cash : offlineAfterMs.other;
  return { onlineAfter: now - silentMs, offlineFrom: now - unknownAfterMs };
}

/** Null: no contact yet. */
export function contactStatusOf(
  lastContactAt: number | null,
  { onlineAfter, offlineFrom }: ContactBounds,
): ContactStatus {
  if (lastContactAt === null || lastContactAt < offlineFrom) return 'Unknown';
  return lastContactAt > onlineAfter ? 'Online' : 'Offline';
}
