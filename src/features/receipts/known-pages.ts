// First pages of receipts as they were sent, for as long as everything behind them is the same: the resident's postings,
// told by their sums, and all that is shown of the bank. Each read looks at these anew before a page is sent again, and
// at whether the resident may be seen at all.

import { LRUCache } from 'lru-cache';
import { PreparedJson } from '../../http/answer.ts';
import type { ManagerDoor } from '../../http/door.ts';
import type { KidOf } from '../../lib/kid.ts';
import type { Head } from './queries/head.ts';
import type { HistoryShare } from './rules/shares.ts';
import type { History } from './rules/window.ts';

const maxCharacters = 16_000_000;

/** A page whose JSON is made. */
export class PreparedPage extends PreparedJson {
  readonly revision: string;

  constructor(text: string, revision: string) {
    super(text);
    this.revision = revision;
  }
}

export type Behind = {
  readonly head: Head;
  readonly history: History;
  /** Of all the resident's postings: the same array for as long as there are no others. */
  readonly shares: readonly HistoryShare[];
};

type Kept = { readonly shares: Behind['shares']; readonly shownAs: string; readonly page: PreparedPage };

export type KnownPages = {
  has(door: ManagerDoor, user: KidOf<'user'>): boolean;
  /** The page, if it would be made of the very same. */
  find(door: ManagerDoor, user: KidOf<'user'>, behind: Behind): PreparedPage | undefined;
  keep(door: ManagerDoor, user: KidOf<'user'>, behind: Behind, page: PreparedPage): void;
};

export function knownPages(): KnownPages {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxCharacters,
    sizeCalculation: ({ page, shownAs }) => page.text.length + shownAs.length,
  });
  return {
    has: (door, user) => kept.has(keyOf(door, user)),
    find: (door, user, behind) => {
      const known = kept.get(keyOf(door, user));
      const isSame = known?.shares === behind.shares && known.shownAs === showingOf(behind);
      return isSame ? known.page : undefined;
    },
    keep: (door, user, behind, page) => {
      kept.set(keyOf(door, user), { shares: behind.shares, shownAs: showingOf(behind), page });
    },
  };
}

const keyOf = ({ tenant, language }: ManagerDoor, { bankId, userId }: KidOf<'user'>): string =>
  `${tenant.name}/${bankId}/${userId}/${language}`;

/** Everything beside the postings that a page depends on. */
function showingOf({ head, history }: Behind): string {
  const { bank_type, vat_basis_points, discount_basis_points, places_version, open_period } = head;
  const { firstPeriod, cutoff } = history;
  return [bank_type, vat_basis_points, discount_basis_points, places_version, open_period, firstPeriod, cutoff].join();
}
