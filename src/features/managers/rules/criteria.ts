// The criteria by which managers are selected, in the terms of the database.

import { listSearchPrefixes, rangeOfPrefix, rangeOfWord, type WordRange } from '../../../lib/search-words.ts';

export const managerStates = ['active', 'inactive'] as const;
export type ManagerSelection = (typeof managerStates)[number] | 'all';

export type ManagerCriteria = {
  readonly state: ManagerSelection;
  /** A manager has to have a word of each. */
  readonly search: readonly WordRange[];
};

export const createManagerCriteria = (
  { state, filter = '' }: { readonly state: ManagerSelection; readonly filter?: string },
  tenant: string,
): ManagerCriteria => ({
  state,
  search: listSearchPrefixes(filter).map((prefix) => rangeOfKid(prefix, tenant) ?? rangeOfPrefix(prefix)),
});

/** The KID of a manager is found as a whole: `sund-M1001` is the word `m1001` alone. */
function rangeOfKid(prefix: string, tenant: string): WordRange | undefined {
  const start = `${tenant}-m`;
  const id = prefix.startsWith(start) ? prefix.slice(start.length) : '';
  return /^\d+$/.test(id) ? rangeOfWord(`m${id}`) : undefined;
}
