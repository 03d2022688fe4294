// Lists the search words of installers, and folds tags for comparison.

import { compactNumber } from '../../../lib/text/number-search.ts';
import { foldText, listIdWords, listSearchWords } from '../../../lib/text/search-words.ts';

type SearchableInstaller = {
  readonly installerId: number;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly organisation: string;
  readonly tags: readonly string[];
};

export const listInstallerWords = ({
  installerId,
  name,
  email,
  phone,
  organisation,
  tags,
}: SearchableInstaller): string[] =>
  listSearchWords([name, email, compactNumber(phone), organisation, ...tags, ...listIdWords('installer', installerId)]);

export const maxTagLength = 64;

/** Two tags with the same folded form are equal. */
export const foldTag = (tag: string): string => Array.from(foldText(tag).trim()).slice(0, maxTagLength).join('');
