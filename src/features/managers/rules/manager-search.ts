// The search words of managers.

import { listIdWords, listSearchWords } from '../../../lib/text/search-words.ts';

type SearchableManager = {
  readonly managerId: number;
  readonly name: string;
  readonly email: string;
  readonly organisation: string;
};

/** Not those of the user name: it is half of what a login needs, and no list shows it. */
export const listManagerWords = ({ managerId, name, email, organisation }: SearchableManager): string[] =>
  listSearchWords([name, email, organisation, ...listIdWords('manager', managerId)]);
