// What the units of a computer have to know, as the service sends it: how each thing is named, and whether it is kept.

import { formatEntry } from './digests.ts';
import type { StoredEntry } from './store.ts';

/** A change, or a thing of a snapshot, which has no `v`. Its members are those that docs/equipment.md lists. */
export type Change = { readonly v?: number; readonly kind: string } & Readonly<Record<string, unknown>>;

/** The members that name a thing of each kind. */
const nameMembers: Readonly<Record<string, readonly string[]>> = {
  setting: ['unit', 'name'],
  key: ['key'],
  hours: ['unit'],
  booking: ['bookingKid'],
  posting: ['posting'],
  command: ['id'],
  address: ['kid'],
};

export const idOf = (change: Change): string =>
  (nameMembers[change.kind] ?? ['id']).map((member) => String(change[member])).join('/');

/** Lists that are kept and have a digest, and the kind of their entries. */
export const listKinds = { keys: 'key', settings: 'setting', hours: 'hours', bookings: 'booking' } as const;

const keptKinds: ReadonlySet<string> = new Set(Object.values(listKinds));

/** Whether something is to be remembered: not what happens once, and not a thing that has gone. */
export function isKept(change: Change): boolean {
  if (!keptKinds.has(change.kind) || change['removed'] === true) return false;
  return change.kind !== 'booking' || change['state'] === 'Booked';
}

export const toStoredEntry = (change: Change): StoredEntry => ({
  kind: change.kind,
  id: idOf(change),
  entry: formatEntry(change),
});

/** What tells a device that a thing of a kind, which it had, is there no longer. */
export function toRemoval({ kind, entry }: StoredEntry): Change {
  const thing = JSON.parse(entry) as Change;
  return kind === 'booking' ? { ...thing, state: 'Cancelled' } : { ...thing, removed: true };
}
