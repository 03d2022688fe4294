// The criteria by which managers are selected, in the terms of the database.

import { parseWordSearch, type WordSearch } from '../../../lib/text/search-words.ts';

export const managerStates = ['active', 'inactive'] as const;
export type ManagerSelection = (typeof managerStates)[number] | 'all';

export type ManagerCriteria = {
  readonly state: ManagerSelection;
  readonly search: WordSearch;
};

export const createManagerCriteria = (
  { state, filter = '' }: { readonly state: ManagerSelection; readonly filter?: string },
  tenant: string,
): ManagerCriteria => ({
  state,
  search: parseWordSearch(filter, { type: 'manager', parentKid: tenant }),
});
