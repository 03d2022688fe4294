// First pages of receipts as they were sent, for as long as everything behind them is the same: the resident's postings,
// told by their sums, and all that is shown of the bank. Each read looks at these anew before a page is sent again, and
// at whether the resident may be seen at all.

import { LRUCache } from 'lru-cache';
import { PreparedJson } from '../../http/send-result.ts';
import type { ManagerContext } from '../../http/context/operation-context.ts';
import type { KidOf } from '../../lib/kid.ts';
import type { PageContext } from './page-context.ts';

const maxCharacters = 16_000_000;

/** A page whose JSON is made. */
export class PreparedReceiptsPage extends PreparedJson {
  readonly revision: string;

  constructor(text: string, revision: string) {
    super(text);
    this.revision = revision;
  }
}

type CachedPage = {
  readonly postingsVersion: string;
  readonly displayState: string;
  readonly page: PreparedReceiptsPage;
};

export type PageCache = {
  find(context: ManagerContext, user: KidOf<'user'>): CachedPage | undefined;
  /** `stamp` is of all the resident's postings. */
  set(
    context: ManagerContext,
    user: KidOf<'user'>,
    made: { behind: PageContext; stamp: string; page: PreparedReceiptsPage },
  ): void;
};

export function createPageCache(): PageCache {
  const entries = new LRUCache<string, CachedPage>({
    maxSize: maxCharacters,
    sizeCalculation: ({ page, postingsVersion, displayState }) =>
      page.text.length + postingsVersion.length + displayState.length,
  });
  return {
    find: (context, user) => entries.get(formatPageKey(context, user)),
    set: (context, user, { behind: pageContext, stamp: postingsVersion, page }) => {
      entries.set(formatPageKey(context, user), {
        postingsVersion,
        displayState: formatDisplayState(pageContext),
        page,
      });
    },
  };
}

/** Whether the page would be made of the very same. */
export const isCurrentPage = (cachedPage: CachedPage, pageContext: PageContext, postingsVersion: string): boolean =>
  cachedPage.postingsVersion === postingsVersion && cachedPage.displayState === formatDisplayState(pageContext);

const formatPageKey = ({ tenant, language }: ManagerContext, { bankId, userId }: KidOf<'user'>): string =>
  `${tenant.name}/${bankId}/${userId}/${language}`;

/** Everything beside the postings that a page depends on. */
function formatDisplayState({ bankState, history }: PageContext): string {
  const { bank_type, vat_basis_points, discount_basis_points, places_version, open_period } = bankState;
  const { firstPeriod, cutoff } = history;
  return [bank_type, vat_basis_points, discount_basis_points, places_version, open_period, firstPeriod, cutoff].join();
}
