// What becomes of a record in the outbox. The service queues it; a gateway to the devices sends it, and says in the end
// whether the device has it.

export const syncStates = ['queued', 'sent', 'acknowledged', 'failed'] as const;
export type SyncState = (typeof syncStates)[number];

/** What a record can be about: a posting of the ledger, a version of a unit's settings, an event of a booking. */
export const subjectKinds = ['posting', 'setting', 'booking'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

// What a device has acknowledged it has; what did not reach it is sent again, whoever waits for an answer.
const nextStates: Readonly<Record<SyncState, readonly SyncState[]>> = {
  queued: ['sent'],
  sent: ['acknowledged', 'failed'],
  failed: ['sent'],
  acknowledged: [],
};

export function isAllowedTransition(from: SyncState, to: SyncState): boolean {
  return nextStates[from].includes(to);
}
