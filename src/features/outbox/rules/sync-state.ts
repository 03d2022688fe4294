// Defines the states of a record in the outbox. The service queues it, a computer reads it, and reports
// whether its device has confirmed it.

export const syncStates = ['queued', 'sent', 'acknowledged', 'failed', 'superseded', 'expired'] as const;
export type SyncState = (typeof syncStates)[number];

/**
 * The subject of a record: a posting of the ledger, a version of a unit's settings, an event of a booking, a resident, or
 * the address of the bank, location or unit that the record names.
 */
export const subjectKinds = ['posting', 'setting', 'booking', 'resident', 'place-address', 'command'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

// A record that was sent can be sent again, until the device has answered. A failed one can be replaced by a new record.
const nextStates: Readonly<Record<SyncState, readonly SyncState[]>> = {
  queued: ['sent', 'superseded', 'expired'],
  sent: ['acknowledged', 'failed', 'superseded', 'expired'],
  failed: ['sent', 'superseded'],
  // The device has done the command too late.
  expired: ['acknowledged', 'failed'],
  acknowledged: [],
  superseded: [],
};

export const isAllowedTransition = (from: SyncState, to: SyncState): boolean => nextStates[from].includes(to);
