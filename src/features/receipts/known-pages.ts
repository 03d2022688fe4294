// First pages of receipts as they were sent, for as long as everything behind them is the same: the resident's postings,
// told by their sums, and all that is shown of the bank. Each read looks at these anew before a page is sent again, and
// at whether the resident may be seen at all.

import { LRUCache } from 'lru-cache';
import { PreparedJson } from '../../http/answer.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { KidOf } from '../../lib/kid.ts';
import type { Behind } from './behind.ts';

const maxCharacters = 16_000_000;

/** A page whose JSON is made. */
export class PreparedPage extends PreparedJson {
  readonly revision: string;

  constructor(text: string, revision: string) {
    super(text);
    this.revision = revision;
  }
}

type Kept = { readonly stamp: string; readonly shownAs: string; readonly page: PreparedPage };

export type KnownPages = {
  find(door: ManagerDoor, user: KidOf<'user'>): Kept | undefined;
  /** `stamp` is of all the resident's postings. */
  keep(door: ManagerDoor, user: KidOf<'user'>, made: { behind: Behind; stamp: string; page: PreparedPage }): void;
};

export function knownPages(): KnownPages {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxCharacters,
    sizeCalculation: ({ page, stamp, shownAs }) => page.text.length + stamp.length + shownAs.length,
  });
  return {
    find: (door, user) => kept.get(keyOf(door, user)),
    keep: (door, user, { behind, stamp, page }) => {
      kept.set(keyOf(door, user), { stamp, shownAs: showingOf(behind), page });
    },
  };
}

/** Whether the page would be made of the very same. */
export const isMadeOf = (kept: Kept, behind: Behind, stamp: string): boolean =>
  kept.stamp === stamp && kept.shownAs === showingOf(behind);

const keyOf = ({ tenant, language }: ManagerDoor, { bankId, userId }: KidOf<'user'>): string =>
  `${tenant.name}/${bankId}/${userId}/${language}`;

/** Everything beside the postings that a page depends on. */
function showingOf({ head, history }: Behind): string {
  const { bank_type, vat_basis_points, discount_basis_points, places_version, open_period } = head;
  const { firstPeriod, cutoff } = history;
  return [bank_type, vat_basis_points, discount_basis_points, places_version, open_period, firstPeriod, cutoff].join();
}
