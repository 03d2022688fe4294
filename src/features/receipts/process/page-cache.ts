// Caches first pages of receipts as they were sent. Every read checks the state of a page before it is sent again.

import { PreparedJson } from '../../../http/representations/results.ts';
import type { Language } from '../../../lib/text/language.ts';
import { createTenantCache, createTenantCacheKey } from '../../../lib/caches/tenant-cache.ts';
import type { ReceiptPage } from '../schemas.ts';
import type { BankResident } from '../rules/resident-history.ts';

const maxCachedCharacters = 16_000_000;

/** A page as JSON text. */
export class PreparedReceiptsPage extends PreparedJson<ReceiptPage> {
  readonly revision: string;

  constructor(text: string, revision: string) {
    super(text);
    this.revision = revision;
  }
}

type CachedPage = {
  /** The version of all postings of the resident. */
  readonly postingsVersion: string;
  /** The state of everything else that the page depends on. */
  readonly displayState: string;
  readonly page: PreparedReceiptsPage;
};

export type PageCache = {
  find(resident: BankResident, language: Language): CachedPage | undefined;
  set(resident: BankResident, language: Language, page: CachedPage): void;
};

export function createPageCache(): PageCache {
  const pages = createTenantCache<CachedPage>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ page, postingsVersion, displayState }) =>
      page.text.length + postingsVersion.length + displayState.length,
  });
  return {
    find: (resident, language) => pages.get(createKey(resident, language)),
    set: (resident, language, page) => void pages.set(createKey(resident, language), page),
  };
}

const createKey = ({ bank, residentId }: BankResident, language: Language) =>
  createTenantCacheKey(bank, bank.bankId, residentId, language);
