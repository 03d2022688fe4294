// The digests of the lists that a computer keeps. Those that no time changes are computed once for each change.

import { countsForDigest, digestOf, type Digests } from './digests.ts';
import { listKinds } from './entries.ts';
import type { Store } from './store.ts';

export type ListDigests = {
  /** Undefined before the first snapshot. */
  read(sentAtMs: number): Digests | undefined;
  /** The lists have changed. */
  forget(): void;
};

export function createListDigests(store: Store): ListDigests {
  let kept: Omit<Digests, 'bookings'> | undefined;
  const entriesOf = (kind: string): string[] => store.listEntries(kind).map(({ entry }) => entry);
  return {
    forget: () => {
      kept = undefined;
    },
    read: (sentAtMs) => {
      if ((store.recall('version') ?? '') === '') return undefined;
      kept ??= {
        keys: digestOf(entriesOf(listKinds.keys)),
        settings: digestOf(entriesOf(listKinds.settings)),
        hours: digestOf(entriesOf(listKinds.hours)),
      };
      const bookings = entriesOf(listKinds.bookings).filter((booking) => countsForDigest(booking, sentAtMs));
      return { ...kept, bookings: digestOf(bookings) };
    },
  };
}
