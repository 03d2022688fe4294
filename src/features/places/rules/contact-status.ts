// Whether a unit is online, told from when its device was last heard of. Pure: rules compare one unit, queries put the
// same bounds into SQL and count by them.

import { bankTypes } from './bank-types.ts';

export const contactStatuses = ['Online', 'Offline', 'Unknown'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A unit that is silent for so long is offline: where residents pay with it, sooner than elsewhere. */
const offlineAfterMs = { cash: hourMs, other: dayMs } as const;
/** One that is silent for longer than this is no longer expected to say anything. */
const unknownAfterMs = 100 * dayMs;

/** Instants of the last contact, MS2000. */
export type ContactBounds = {
  /** Online is what was heard of after it. */
  readonly onlineAfter: number;
  /** Offline is what is not online and was heard of from it on. */
  readonly offlineFrom: number;
};

/** The bounds for the units of a bank, whose type is given by its code. */
export function contactBounds(bankType: number, now: number): ContactBounds {
  const silentMs = bankType === bankTypes.cash ? offlineAfterMs.cash : offlineAfterMs.other;
  return { onlineAfter: now - silentMs, offlineFrom: now - unknownAfterMs };
}

/** What a unit is whose device was last heard of then, or never. */
export function contactStatusOf(
  lastContactAt: number | null,
  { onlineAfter, offlineFrom }: ContactBounds,
): ContactStatus {
  if (lastContactAt === null || lastContactAt < offlineFrom) return 'Unknown';
  return lastContactAt > onlineAfter ? 'Online' : 'Offline';
}
